import Glibc
import Testing

@testable import Witness

@Suite(.serialized) struct WitnessTests {
    private struct Broken: Error {}

    /// The threads of witnesses in this process.
    private func threads() -> Int {
        guard let directory = opendir("/proc/self/task") else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while let entry = readdir(directory) {
            let thread = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let file = fopen("/proc/self/task/\(thread)/comm", "r") else { continue }
            defer { fclose(file) }
            var name = [CChar](repeating: 0, count: 32)
            if fgets(&name, 32, file) != nil, strncmp(name, WakeThread.name + "\n", 32) == 0 { count += 1 }
        }
        return count
    }

    /// Keeps a processor busy.
    private func spin(_ time: Duration) {
        let clock = ContinuousClock()
        let end = clock.now + time
        while clock.now < end {}
    }

    @Test func latenessIsFinite() async throws {
        let (result, noise) = await Witness.observe {
            spin(.milliseconds(200))
            return 7
        }
        #expect(result == 7)
        let (largest, p99) = (try #require(noise.largestLateness), try #require(noise.p99Lateness))
        #expect(.zero <= p99 && p99 <= largest && largest < .seconds(5))
        // 40 deadlines in 200 ms, and any that the machine adds.
        #expect(noise.wakeUps >= 40 && noise.wakeUps < 1000, "\(noise)")
        #expect(noise.suspended < .milliseconds(100) && !noise.isClockStepped, "\(noise)")
        for share in [noise.pressure, noise.steal].compactMap({ $0 }) { #expect((0...1).contains(share)) }
    }

    @Test func everyWayOutEndsTheThread() async throws {
        let (during, noise) = await Witness.observe {
            // The thread gets its name when it begins to run.
            let end = ContinuousClock.now + .seconds(10)
            while threads() == 0, ContinuousClock.now < end { sched_yield() }
            return threads()
        }
        #expect(during >= 1)
        #expect(noise.wakeUps >= 1)
        await #expect(throws: Broken.self) { try await Witness.observe { throw Broken() } }
        let task = Task {
            await Witness.observe {
                await withTaskCancellationHandler {
                    for await _ in AsyncStream<Never>.makeStream().stream {}
                } onCancel: {
                }
            }
        }
        task.cancel()
        _ = await task.value
        // A thread that has reported its end may still exist for a moment.
        for _ in 0..<20 { _ = await Witness.observe {} }
        #expect(threads() < 10)
    }

    @Test func manyShareOneThread() async {
        let noises = await withTaskGroup(of: Noise.self) { group in
            for _ in 0..<50 {
                group.addTask { await Witness.observe { try? await Task.sleep(for: .milliseconds(100)) }.noise }
            }
            var noises: [Noise] = []
            for await noise in group {
                // One that has just ended may be there still.
                #expect(threads() <= 2)
                noises.append(noise)
            }
            return noises
        }
        #expect(noises.count == 50)
        for noise in noises { #expect(noise.wakeUps >= 15 && noise.largestLateness != nil, "\(noise)") }
    }

    @Test func readingsAreTakenAroundTheBody() async {
        var times: [Int64] = [1_000_000_000, 3_000_000_000]
        let (_, noise) = await Witness.observe(
            reading: {
                let now = times.removeFirst()
                return KernelReading(monotonic: now, bootTime: now, realTime: now * 2)
            }, {})
        #expect(noise.clockStep == .seconds(2))
        #expect(noise.pressure == nil && noise.steal == nil)
    }

    @Test func thisKernelAnswers() {
        let reading = KernelReading.now()
        #expect(reading.monotonic > 0 && reading.bootTime >= reading.monotonic && reading.realTime > reading.bootTime)
        #expect(reading.processors != nil)
    }
}
