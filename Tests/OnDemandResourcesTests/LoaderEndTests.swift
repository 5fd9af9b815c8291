import Foundation
import PackFormat
import Synchronization
import SystemPackage
import Testing

@testable import ResourceLoading

/// Waits, jobs of ended requests, and reserved room end when they must.
@Suite(.sideBySide, .timeLimit(.minutes(1)))
struct LoaderEndTests {
    private static let packs = ["a", "b", "c"].map {
        TestPack(name: $0, body: content(40_000, seed: UInt64($0.utf8.first ?? 0)), tags: [$0])
    }

    /// Another process began the download and has stopped.
    @Test func aStalledDownloadOfAnotherProcessIsWaitedForUpToPatience() async throws {
        try await Fixture.run(Self.packs) {
            $0.transfers.patience = .seconds(1)
        } script: { _, _ in
            nil
        } _: { fixture in
            let other = try PackStore(fixture.configuration.store)
            let lease = try FileLock(other.layout.lease(of: "a"))
            lease.lock(.exclusive)
            let start = ContinuousClock.now
            try await fixture.expect(-1001, "a")
            #expect(ContinuousClock.now - start >= .seconds(1))
            lease.unlock()
            try await fixture.expect(nil, "a")
            other.close()
        }
    }

    /// Growth of the partial file shows that the other process is alive.
    @Test func aGrowingDownloadOfAnotherProcessIsWaitedFor() async throws {
        try await Fixture.run(Self.packs) {
            $0.transfers.patience = .seconds(2)
        } script: { _, _ in
            nil
        } _: { fixture in
            let other = try PackStore(fixture.configuration.store)
            let layout = other.layout
            let lease = try FileLock(layout.lease(of: "a"))
            lease.lock(.exclusive)
            async let error = fixture.request("a")
            for size in 1...8 {
                try await Task.sleep(for: .milliseconds(500))
                try layout.partial(of: "a").data.fill(String(repeating: "x", count: size))
            }
            lease.unlock()
            #expect(try await error == nil)
            other.close()
        }
    }

    /// A request that began paused frees its reserved room when it ends.
    @Test(arguments: [false, true])
    func aRequestThatBeganPausedGivesItsRoomBack(isCancelled: Bool) async throws {
        try await Fixture.run(Self.packs) {
            $0.capacity = 50_000
        } script: { _, _ in
            nil
        } _: { fixture in
            try await fixture.withLoader { loader in
                let key = loader.begin(id: "paused", tags: ["a"], isPaused: true) { _ in }
                await fixture.log.next { $0.kind == .progress && $0.id == "paused" }
                let refused = await loader.request(["b"], id: "refused")
                #expect(refused.1?.code == 4992)
                if isCancelled { loader.cancel(key) } else { loader.end(key) }
                let granted = await loader.request(["b"], id: "granted")
                #expect(granted.1 == nil)
            }
        }
    }

    /// If the first pack of a request finds no room, its other packs are not fetched.
    @Test func aRefusedRequestFetchesNothingMore() async throws {
        let packs = [
            TestPack(name: "a", body: content(60_000), tags: ["two"]),
            TestPack(name: "b", body: content(10_000), tags: ["two"]),
            TestPack(name: "c", body: content(50_000), tags: ["c"]),
        ]
        try await Fixture.run(packs) {
            $0.capacity = 100_000
        } script: { _, _ in
            nil
        } _: { fixture in
            try await fixture.withLoader { loader in
                // Another request takes its room, as happens if a request is paused before its turn.
                let (ends, ended) = AsyncStream.makeStream(of: Int?.self)
                let key = loader.begin(id: "two", tags: ["two"], isPaused: true) { ended.yield($0?.code) }
                await fixture.log.next { $0.kind == .progress && $0.id == "two" }
                loader.store.release("a")
                loader.store.release("b")
                let held = await loader.request(["c"], id: "held")
                #expect(held.1 == nil)
                loader.setPaused(false, of: key)
                #expect(await ends.first { _ in true } == 4992)
                let other = await loader.request(["c"], id: "other")
                #expect(other.1 == nil)
                #expect(fixture.log.fetches(of: "b").isEmpty)
                #expect(loader.state.withLock { $0.jobs.isEmpty })
            }
            #expect(fixture.server.requests(for: "/b.bin").isEmpty)
        }
    }

    /// Closing cancels one request after the other, and starts no job in a freed slot.
    @Test func closingStartsNoJob() async throws {
        let packs = (0..<60).map { TestPack(name: "p\($0)", body: content(1000), tags: ["t\($0)"]) }
        try await Fixture.run(packs, script: { _, pack in pack == nil ? nil : [.stall] }) { fixture in
            for _ in 0..<5 {
                var configuration = fixture.configuration
                configuration.transfers.parallel = 2
                let log = EventLog()
                let loader = try ResourceLoader(configuration) { log.add($0) }
                let codes = Mutex<[Int?]>([])
                for number in 0..<60 {
                    _ = loader.begin(id: "r\(number)", tags: ["t\(number)"]) { error in
                        codes.withLock { $0.append(error?.code) }
                    }
                }
                await log.next { $0.kind == .fetch && $0.pack == "p1" }
                await loader.close()
                #expect(codes.withLock { $0 } == Array(repeating: 3072, count: 60))
                #expect(loader.state.withLock { $0.jobs.isEmpty })
                let fetched = log.all(.fetch).count { $0.pack?.hasPrefix("p") == true }
                #expect(fetched == 2)
            }
        }
    }
}
