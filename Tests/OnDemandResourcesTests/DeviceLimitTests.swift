import Foundation
import OnDemandResources
import ResourceLoading
import SystemPackage
import Testing

@testable import PackFormat

/// What a device refuses or purges: limits, capacity, and its radio.
@Suite(.timeLimit(.minutes(1)))
struct DeviceLimitTests {
    private let shapes = DeviceTests.shapes

    @Test func theInUseLimitIsCheckedBeforeAByteIsFetched() async throws {
        try await Fixture.run(shapes) {
            $0.limits = Limits(name: "tiny", source: "test", [.inUse: 89_999])
        } script: { _, _ in
            nil
        } _: { fixture in
            try await fixture.withLoader { loader in
                let red = await loader.request(["red"], id: "first")
                #expect(red.1 == nil)
                let refused = await loader.request(["circle"])
                #expect(refused.1?.code == 4993)
                #expect(refused.1?.message.contains("'first' 60000 bytes") == true)
                // The pack that both need is in use already, so it does not count again.
                #expect(refused.1?.message.contains("Asked for: 'circle' 30000 bytes.") == true, "\(refused)")
                #expect(fixture.server.requests(for: "/circle.bin").isEmpty)
                loader.end(refused.0)
                loader.end(red.0)
                // The red circle counts once, and the red pack is released now.
                let circle = await loader.request(["circle"])
                #expect(circle.1 == nil)
                loader.end(circle.0)
            }
        }
    }

    @Test func exactlyTheInUseLimitIsAllowed() async throws {
        try await Fixture.run(shapes) {
            $0.limits = Limits(name: "tiny", source: "test", [.inUse: 90_000])
        } script: { _, _ in
            nil
        } _: { fixture in
            try await fixture.expect(nil, "red", "circle")
        }
    }

    @Test(arguments: [
        (LoaderConfiguration.Radio.none, true, Int?.some(-1009)), (.cellular, false, -1020), (.cellular, true, nil),
    ])
    func theRadioDecidesBeforeTheHostIsAsked(
        radio: LoaderConfiguration.Radio,
        allowed: Bool,
        code: Int?
    ) async throws {
        try await Fixture.run(shapes) {
            $0.radio = radio
            $0.allowsCellular = allowed
        } script: { _, _ in
            nil
        } _: { fixture in
            try await fixture.expect(code, "red")
            #expect(fixture.server.requests.isEmpty == (code != nil))
        }
    }

    @Test func storedPacksNeedNoNetwork() async throws {
        try await Fixture.run(shapes) { fixture in
            try await fixture.expect(nil, "red")
            var offline = fixture
            offline.configuration.radio = .none
            try await offline.expect(nil, "red")
            try await offline.expect(-1009, "circle")
        }
    }

    @Test func purgesPacksThatAreNotHeldAndReportsIt() async throws {
        try await Fixture.run(shapes) {
            $0.capacity = 70_000
        } script: { _, _ in
            nil
        } _: { fixture in
            try await fixture.expect(nil, "red")
            // The circle also needs the red circle, so the device purges the red pack.
            try await fixture.expect(nil, "circle")
            #expect(fixture.log.count(.purged) { ($0.pack, $0.bytes) = ("red", 20_000) } == 1)
            // 60,000 bytes are stored, 30,000 more are needed, and 70,000 fit: the purged pack frees just enough.
            #expect(fixture.log.count(.room) { ($0.needed, $0.freed) = (20_000, 20_000) } == 1)
            #expect(fixture.stored(shapes[0]) == nil)
            #expect(fixture.server.requests(for: "/red-circle.bin").count == 1)
            // A purged pack is fetched again.
            try await fixture.expect(nil, "red")
            #expect(fixture.server.requests(for: "/red.bin").count == 2)
        }
    }

    @Test func aFullDeviceFailsBeforeAByteIsFetched() async throws {
        try await Fixture.run(shapes) {
            $0.capacity = 70_000
        } script: { _, _ in
            nil
        } _: { fixture in
            try await fixture.withLoader { loader in
                let red = await loader.request(["red"], id: "red")
                #expect(red.1 == nil)
                // 60,000 bytes are held; the circle alone needs 30,000 more.
                let refused = await loader.request(["circle"])
                #expect(refused.1?.code == 4992)
                #expect(fixture.server.requests(for: "/circle.bin").isEmpty)
                let name = "NSBundleResourceRequestLowDiskSpaceNotification"
                #expect(fixture.log.count(.notification) { $0.name = name } == 1)
                loader.end(refused.0)
                loader.end(red.0)
                let circle = await loader.request(["circle"])
                #expect(circle.1 == nil)
                #expect(loader.store.storedPack("red") == nil)
                loader.end(circle.0)
            }
        }
    }

    @Test func anEndedRequestReservesNoRoom() async throws {
        let packs = ["a", "b", "c"].map { TestPack(name: $0, body: content(40_000), tags: [$0]) }
        let gate = Gate()
        try await Fixture.run(packs) {
            $0.capacity = 90_000
            $0.transfers.parallel = 1
        } script: { request, pack in
            pack?.name == "a" ? pack.map { [.wait(gate)] + Right.answer(request, $0.body) } : nil
        } _: { fixture in
            try await fixture.withLoader { loader in
                async let running = loader.request(["a"], id: "a")
                await fixture.log.next { $0.kind == .fetch && $0.pack == "a" }
                // b waits for its turn and has room reserved: none is left for c.
                let (ends, ended) = AsyncStream.makeStream(of: Int?.self)
                let waiting = loader.begin(id: "b", tags: ["b"]) { ended.yield($0?.code) }
                let refused = await loader.request(["c"], id: "c")
                #expect(refused.1?.code == 4992)
                loader.end(waiting)
                #expect(await ends.first { _ in true } == 3072)
                async let granted = loader.request(["c"], id: "c2")
                gate.open()
                #expect(await running.1 == nil)
                #expect(await granted.1 == nil)
            }
        }
    }

    @Test func aFileOfUnknownSizeMayFillTheDevice() async throws {
        let pack = TestPack(name: "p", body: content(50_000), tags: ["t"], hasSize: false, storedSize: 1)
        try await Fixture.run([pack]) {
            $0.capacity = 50_000
        } script: { _, pack in
            pack.map { [.head(200, "Connection: close"), .send($0.body), .close] }
        } _: { fixture in
            try await fixture.expect(nil)
            #expect(fixture.stored(pack) == pack.body)
        }
    }

    @Test func sizesKnownOnlyFromTheResponseCount() async throws {
        // The manifest states no download size and too small a pack; only the response has the true size.
        let big = TestPack(name: "big", body: content(50_000), tags: ["big"], hasSize: false, storedSize: 10)
        try await Fixture.run([big]) {
            $0.capacity = 49_999
        } script: { _, _ in
            nil
        } _: { fixture in
            try await fixture.expect(4992, "big")
        }
    }

    /// A manifest that understates its packs lets no request exceed the limit.
    @Test func theInUseLimitCountsWhatIsReallyStored() async throws {
        let small = TestPack(name: "small", body: content(20_000), tags: ["small"])
        let liar = TestPack(name: "liar", body: content(50_000), tags: ["liar"], hasSize: false, storedSize: 10)
        try await Fixture.run([small, liar]) {
            $0.limits = Limits(name: "tiny", source: "test", [.inUse: 60_000])
        } script: { _, _ in
            nil
        } _: { fixture in
            try await fixture.withLoader { loader in
                let held = await loader.request(["liar"], id: "held")
                #expect(held.1 == nil)
                #expect(fixture.log.count(.usage) { ($0.stored, $0.inUse, $0.peak) = (50_000, 50_000, 50_000) } > 0)
                let refused = await loader.request(["small"])
                #expect(refused.1?.code == 4993)
                #expect(fixture.server.requests(for: "/small.bin").isEmpty)
                loader.end(refused.0)
                loader.end(held.0)
                // The other way round: the excess shows only once the pack is stored.
                let small = await loader.request(["small"])
                #expect(small.1 == nil)
                loader.end(held.0)
                let again = await loader.request(["liar"])
                #expect(again.1?.code == 4993)
                loader.end(again.0)
                loader.end(small.0)
            }
        }
    }

    @Test func aPackAboveTheLimitIsRefusedOnceStored() async throws {
        let liar = TestPack(name: "liar", body: content(50_000), tags: ["liar"], hasSize: false, storedSize: 10)
        try await Fixture.run([liar]) {
            $0.limits = Limits(name: "tiny", source: "test", [.inUse: 49_999])
        } script: { _, _ in
            nil
        } _: { fixture in
            try await fixture.expect(4993, "liar")
            try await fixture.expect(4993, "liar")
            #expect(fixture.server.requests(for: "/liar.bin").count == 1, "it is stored, and may be purged")
        }
    }

    /// Two files whose sizes, stated in the responses, overflow a 64-bit sum.
    @Test(arguments: [Int64?.none, 1 << 30])
    func sizesWithoutEndAreRefused(capacity: Int64?) async throws {
        let packs = ["a", "b"].map {
            TestPack(name: $0, body: content(100), tags: ["t"], hasDigest: false, hasSize: false, storedSize: 10)
        }
        try await Fixture.run(packs) {
            $0.capacity = capacity
            $0.transfers.patience = .seconds(1)
        } script: { _, pack in
            pack.map { [.head(200, "Content-Length: 9223372036854775807"), .send($0.body), .close] }
        } _: { fixture in
            let error = try await fixture.request("t")
            #expect(error != nil)
        }
    }
}
