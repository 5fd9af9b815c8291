import Foundation
import LinkModel
import Netlink
import Results
import Scenarios
import SystemPackage
import Testbed
import Testing

@testable import Harness

/// Runs over the kernel's own queues, with rates alone, which need no netem.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(3)))
struct KernelRunTests {
    private static let rates = "link: {downlink: {rate: 4 Mbit/s}, uplink: {rate: 2 Mbit/s}}\n"

    private static let slow = """
        link: {downlink: {rate: 49 kbit/s}, uplink: {rate: 30 kbit/s}}
        budgets: {time_to_available: max <= 1.3 x ideal + 0.5 s}
        """

    private func run(_ bench: Bench, _ text: String, dependencies: AttemptDependencies = .quiet) async throws
        -> RunResult
    {
        var run = try bench.prepare(text, dependencies: dependencies)
        run.backend = .kernel
        return try await run.perform()
    }

    /// The queues are those that were compiled, the measured rate is the set one, and all byte counts agree.
    @Test func aLinkOfRatesIsTheKernels() async throws {
        let (bench, view) = (try Bench(), RouterView())
        let result = try await run(
            bench,
            Self.rates + """
                budgets:
                  time_to_available: max <= 2.5 s
                  redundant_bytes: max <= 0
                  progress: [monotonic, ends at 1]
                """, dependencies: view.dependencies(.quiet.calibrated))
        #expect(result.exitCode == 0, "\(result.text)")
        let cell = result.cells[0]
        #expect(cell.link.backend == "kernel" && cell.link.fidelity == "packet")
        #expect(cell.link.reason == "--backend kernel" && cell.link.isCongestionControlPinned)
        let attempt = try #require(cell.attempts.first)
        let rate = try #require(attempt.link.first { $0.property == .rate && $0.direction == .downlink })
        #expect(rate.isWithinTolerance == true && rate.set == 4e6, "\(rate)")
        #expect(attempt.bytes?.hostBytes == attempt.bytes?.linkBytes, "\(String(describing: attempt.bytes))")
        // Nothing was decided by chance, so the schedule lists all that went wrong.
        #expect(attempt.schedule?.omitted == 0 && !cell.notes.contains { $0.contains("no bundle") })
        let shown = try #require(view.texts.last)
        for part in [
            "qdisc tbf 1: dev client0 root", "rate 4Mbit burst 3000b", "qdisc bfifo 3: dev client0 parent 1:1",
            "qdisc tbf 1: dev host0 root", "rate 2Mbit",
        ] { #expect(shown.contains(part), "\(part) in \(shown)") }
        #expect(!shown.contains("netem"))
    }

    /// A bucket of two packets passes at once, and is most of a small transfer.
    ///
    /// The transfer may then be faster than ideal: that is due to the link, and is no finding.
    @Test func aSlowLinkIsMeasuredBehindItsBucket() async throws {
        let bench = try Bench(packs: ["level.bin": 4000])
        // On a busy machine the program sees late arrivals at once, like a burst, and the rate stays unverified.
        var result = try await run(bench, Self.slow, dependencies: .quiet.calibrated)
        for _ in 1...4 where result.hasUnverifiedRate {
            result = try await run(bench, Self.slow, dependencies: .quiet.calibrated)
        }
        #expect(result.exitCode == 0, "\(result.text)")
        let attempt = try #require(result.cells.first?.attempts.first)
        for measurement in attempt.rates { #expect(measurement.isWithinTolerance == true, "\(measurement)") }
        let ideal = try #require(attempt.ideal[.timeToAvailable])
        let least = try #require(attempt.least?[.timeToAvailable])
        let taken = try #require(attempt.samples[.timeToAvailable].value)
        #expect(least < taken && taken < ideal, "\(least) \(taken) \(ideal)")
    }

    /// The queue is the profile's, and packets that it drops are sent again.
    @Test func aFullQueueDropsPackets() async throws {
        let (bench, view) = (try Bench(), RouterView())
        let result = try await run(
            bench,
            """
            link: {downlink: {rate: 4 Mbit/s, queue: 5 packets}, uplink: {rate: 2 Mbit/s}}
            budgets: {time_to_available: max <= 10 s}
            """, dependencies: view.dependencies())
        #expect(result.exitCode == 0, "\(result.text)")
        let shown = try #require(view.texts.last)
        #expect(shown.contains("qdisc pfifo 3: dev client0 parent 1:1 limit 5p"), "\(shown)")
        let dropped = shown.split(separator: "\n").contains { $0.contains("(dropped ") && !$0.contains("(dropped 0,") }
        #expect(dropped, "\(shown)")
    }

    @Test func aProfileChangesOverTime() async throws {
        let bench = try Bench()
        let output = bench.folder.appending("results")
        var run = try bench.prepare(
            """
            link:
              downlink: {rate: 1 Mbit/s}
              uplink: {rate: 1 Mbit/s}
              changes: [{at: 700 ms, downlink: {rate: 8 Mbit/s}}]
            budgets: {time_to_available: max <= 1500 ms}
            """, dependencies: .quiet)
        run.backend = .kernel
        run.output = output
        let result = try await run.perform()
        // At 1 Mbit/s it takes 1.66 s.
        #expect(result.exitCode == 0, "\(result.text)")
        let events = try String(contentsOfFile: output.appending("events.jsonl").string, encoding: .utf8)
        let conditions = events.split(separator: "\n").filter { $0.contains("\"conditions\"") }
        #expect(conditions.count == 2, "\(conditions)")
        #expect(conditions.last?.contains("\"downlink\":{\"rate\":\"8 Mbit/s\"") == true, "\(conditions)")
        #expect(events.contains("\"delivered\"") && events.contains("\"closed\""))
    }

    @Test func aLinkGoesSilentAndComesBack() async throws {
        let (bench, view) = (try Bench(), RouterView())
        let result = try await run(
            bench,
            Self.rates + """
                faults: [{after: 40 % of level.bin, link: silent, for: 1 s}]
                budgets: {longest_stall: [max <= 4 s], time_to_available: max <= 8 s}
                """, dependencies: view.dependencies())
        #expect(result.exitCode == 0, "\(result.text)")
        let attempt = try #require(result.cells[0].attempts.first)
        guard case .value(let stall) = attempt.samples[.longestStall] else {
            Issue.record("no stall: \(attempt.samples)")
            return
        }
        #expect(stall >= 0.9, "\(stall)")
        #expect(!attempt.findings.contains { $0.attribution == .lossOff })
        // Silence is a queue with limit 0, and the queue has its limit again.
        let shown = try #require(view.texts.last)
        #expect(!shown.contains("limit 0b"), "\(shown)")
    }

    /// If something outside the harness changes a queue, the attempt ends as a failure of the infrastructure.
    @Test(arguments: [true, false])
    func aQueueThatIsChangedEndsTheAttempt(isRemoved: Bool) async throws {
        let bench = try Bench()
        let dependencies = RouterView().dependencies { sandbox, _ in
            let socket = try RouteSocket(adopting: await sandbox.routeSocket(on: .router))
            let interface = try socket.interface(InterfaceName("client0")).interface
            let rate = ByteRate(bytesPerSecond: 1_000_000)
            let queue = TrafficQueue(
                .tokenBucket(TokenBucket(rate: rate, burst: 3000, limit: 75_000)), handle: TrafficHandle(1),
                overhead: -14)
            try socket.request(queue.message(isRemoved ? .delete : .change, on: interface))
        }
        let result = try await run(
            bench, Self.rates + "budgets: {redundant_bytes: max <= 0}", dependencies: dependencies)
        #expect(result.exitCode == 75 && result.attributions.contains(.linkDied), "\(result.text)")
        #expect(!result.attributions.contains(.linkBypassed), "\(result.text)")
        #expect(result.text.contains("Could not shape interface client0"), "\(result.text)")
    }

    /// Nothing is started, and the error names all obstacles at once.
    @Test(arguments: [
        ("link: {profile: flaky-lte}", ["the stall of the profile (its queues cannot hold packets"]),
        (
            "link: {profile: offline}\nexpect: error",
            ["'offline: no-route' (its queues drop packets, but cannot answer"]
        ),
        (
            "link: {downlink: {rate: 4 Mbit/s, jitter: 3 s, delay: 4 s}, uplink: {rate: 8 bit/s}}",
            ["the jitter of the downlink, 3 s", "; nor the rate of the uplink, 8 bit/s"]
        ),
        (
            rates + "faults: [{after: 1 s, link: cut}, {after: 2 s, link: refused}]",
            ["'link: cut'", "'offline: refused'"]
        ),
        (
            rates + "schedule: ['L2 conn=* down off=0 len=1448 tx=1 drop']",
            ["the schedule (its queues cannot identify packets"]
        ),
    ])
    func whatItsQueuesCannotDoIsRefused(text: String, words: [String]) async throws {
        let bench = try Bench()
        let result = try await run(bench, text + "\nbudgets: {requests: max <= 9}")
        #expect(result.exitCode == 69 && result.cells[0].attempts.isEmpty, "\(result.text)")
        for word in words { #expect(result.text.contains(word), "\(word) in \(result.text)") }
        #expect(result.text.contains("Use '--backend packet', which can"), "\(result.text)")
    }

    @Test func aCaptureIsRefused() async throws {
        let bench = try Bench()
        var run = try bench.prepare(Self.rates + "budgets: {requests: max <= 9}")
        run.backend = .kernel
        run.output = bench.folder.appending("results")
        run.capture = RunCapture(keepsSecrets: false)
        let result = try await run.perform()
        #expect(result.exitCode == 69 && result.text.contains("'--capture'"), "\(result.text)")
    }
}

extension AttemptRecord {
    fileprivate var rates: [LinkMeasurement] { link.filter { $0.property == .rate } }
}

extension RunResult {
    fileprivate var hasUnverifiedRate: Bool {
        cells.first?.attempts.first?.rates.contains { $0.isWithinTolerance == nil } == true
    }
}
