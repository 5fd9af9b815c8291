import Foundation
import PackFormat
import ResourceLoading
import Synchronization
import SystemPackage
import Testing

/// A device's requests against a host without faults.
@Suite(.timeLimit(.minutes(1)))
struct DeviceTests {
    /// A red circle has both tags: the tag sets of the classic example.
    static let shapes = [
        TestPack(name: "red", body: content(20_000, seed: 1), tags: ["red"]),
        TestPack(name: "circle", body: content(30_000, seed: 2), tags: ["circle"]),
        TestPack(name: "red-circle", body: content(40_000, seed: 3), tags: ["red", "circle"]),
    ]

    @Test func fetchesNoStoredPackAgain() async throws {
        try await Fixture.run(Self.shapes) { fixture in
            try await fixture.expect(nil, "red")
            try await fixture.expect(nil, "circle")
            for pack in Self.shapes {
                #expect(fixture.server.requests(for: pack.target).count == 1)
                #expect(fixture.stored(pack) == pack.body)
            }
        }
    }

    @Test func requestsInFlightShareATransfer() async throws {
        let gate = Gate()
        try await Fixture.run(Self.shapes) { request, pack in
            pack.map { [.wait(gate)] + Right.answer(request, $0.body) }
        } _: { fixture in
            try await fixture.withLoader { loader in
                async let red = loader.request(["red"], id: "red")
                async let circle = loader.request(["circle"], id: "circle")
                async let both = loader.request(["red", "circle"], id: "both")
                gate.open()
                #expect(await [red.1, circle.1, both.1] == [nil, nil, nil])
            }
            #expect(fixture.server.requests.count { $0.target.hasSuffix(".bin") } == 3)
        }
    }

    @Test func aFailedRequestKeepsWhatItHasStored() async throws {
        let first = Gate()
        try await Fixture.run(Self.shapes) { request, pack in
            switch pack?.name {
            case "red-circle": [.wait(first), .head(404, "Content-Length: 0")]
            default: nil
            }
        } _: { fixture in
            try await fixture.withLoader { loader in
                async let stored: Void = fixture.log.next {
                    $0.kind == .stored && $0.pack == "red"
                }
                async let request = loader.request(["red"])
                await stored
                first.open()
                let (key, error) = await request
                #expect(error?.code == -1008)
                #expect(loader.store.storedPack("red") != nil)
                #expect(loader.foldersInUse.isEmpty)
                loader.end(key)
            }
        }
    }

    @Test func anUnknownTagDiffersFromAMissingManifest() async throws {
        try await Fixture.run(Self.shapes) { fixture in
            let error = try await fixture.request("red", "green")
            #expect(error?.code == 4994)
            #expect(error?.underlying == nil)
            #expect(error?.message.contains("'green'") == true)
            #expect(fixture.server.requests.count { $0.target.hasSuffix(".bin") } == 0)
        }
    }

    @Test(arguments: ["404", "no plist", "too long"])
    func aManifestThatCannotBeReadIsAnError(how: String) async throws {
        try await Fixture.run(Self.shapes) { request, _ in
            guard request.target == "/AssetPackManifest.plist" else { return nil }
            switch how {
            case "404": return [.head(404, "Content-Length: 0")]
            case "too long": return [.head(200, "Content-Length: 99000000"), .send(content(100_000)), .close]
            default: return Right.whole(Array("<html>".utf8))
            }
        } _: { fixture in
            let error = try await fixture.request("red")
            #expect(error?.code == 4994)
            #expect(error?.underlying?.domain == "_NSBundleResourceRequestErrorDomain")
            #expect(error?.underlying?.code == 100)
        }
    }

    @Test func cancellingKeepsWhatArrived() async throws {
        let pack = TestPack(name: "p", body: content(100_000), tags: ["t"])
        try await Fixture.run([pack]) { request, pack in
            guard let pack, request.number == 1 else { return nil }
            return [Right.whole(pack.body)[0], .send(Array(pack.body[..<60_000])), .stall]
        } _: { fixture in
            try await fixture.withLoader { loader in
                async let arrived: Void = fixture.log.next {
                    $0.kind == .progress && $0.completed == 60_000
                }
                let (answers, answer) = AsyncStream.makeStream(of: ResourceError?.self)
                let key = loader.begin(id: "r", tags: ["t"]) { answer.yield($0) }
                await arrived
                loader.cancel(key)
                loader.cancel(key)
                #expect(await answers.first { _ in true }??.code == 3072)
                loader.end(key)
            }
            #expect(try DeviceReport(fixture.configuration.store).entries.map(\.state) == [.partiallyDownloaded])
            try await fixture.expect(nil)
            #expect(fixture.server.requests(for: pack.target).last?.from == 60_000)
        }
    }

    @Test func anUrgentRequestGetsTheWholeLink() async throws {
        let bulk = TestPack(name: "bulk", body: content(50_000), tags: ["bulk"])
        let urgent = TestPack(name: "urgent", body: content(5000), tags: ["urgent"])
        let (restOfBulk, urgentBody) = (Gate(), Gate())
        try await Fixture.run([bulk, urgent]) {
            $0.transfers.patience = .seconds(5)
        } script: { request, pack in
            guard let pack else { return nil }
            let head = Right.whole(pack.body)[0]
            return pack.name == "urgent"
                ? [head, .wait(urgentBody), .send(pack.body)]
                : request.from == nil
                    ? [head, .send(Array(pack.body[..<1000])), .wait(restOfBulk), .send(Array(pack.body[1000...]))]
                    : nil
        } _: { fixture in
            try await fixture.withLoader { loader in
                async let begun: Void = fixture.log.next {
                    $0.kind == .progress && $0.id == "bulk" && $0.completed == 1000
                }
                async let first = loader.request(["bulk"], id: "bulk")
                await begun
                async let answered: Void = fixture.log.next {
                    $0.kind == .response && $0.pack == "urgent"
                }
                async let second = loader.request(["urgent"], id: "urgent", priority: .urgent)
                await answered
                restOfBulk.open()
                // Time enough for the bulk pack to complete, if it were not paused.
                try await Task.sleep(for: .milliseconds(200))
                urgentBody.open()
                #expect(await second.1 == nil)
                #expect(await first.1 == nil)
            }
            let stored = fixture.log.all(.stored).map(\.pack)
            #expect(stored == ["urgent", "bulk"])
            // The bulk pack paused and resumed where it was: no byte was requested twice.
            #expect(fixture.log.fetches(of: "bulk") == [0, 1000])
        }
    }

    @Test func progressIsMonotonicAndCompleteOnlyWithAvailability() async throws {
        let packs = (0..<6).map { TestPack(name: "p\($0)", body: content(400_000, seed: UInt64($0)), tags: ["t"]) }
        try await Fixture.run(packs) { fixture in
            try await fixture.expect(nil)
            let fractions = fixture.log.all(.progress).compactMap(\.fraction)
            #expect(fractions.first == 0)
            #expect(fractions.last == 1)
            #expect(fractions == fractions.sorted())
            #expect(fractions.dropLast().allSatisfy { $0 < 1 })
            let kinds = fixture.log.all.map(\.kind)
            let available = try #require(kinds.firstIndex(of: .available))
            let last = try #require(kinds.lastIndex(of: .progress))
            #expect(last == available - 1)
            let totals = fixture.log.all(.progress).map(\.total)
            #expect(Set(totals) == [2_400_000])
        }
    }

    @Test func callsBackOnceAndNotOnTheMainQueue() async throws {
        try await Fixture.run(Self.shapes) { fixture in
            try await fixture.withLoader { loader in
                let calls = Mutex(0)
                let isMain = await withCheckedContinuation { continuation in
                    let key = loader.begin(id: "r", tags: ["red"]) { _ in
                        calls.withLock { $0 += 1 }
                        continuation.resume(returning: Thread.isMainThread)
                    }
                    _ = key
                }
                #expect(!isMain)
                await loader.close()
                #expect(calls.withLock { $0 } == 1)
            }
        }
    }
}
