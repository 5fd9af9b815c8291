import Foundation
import PackFormat
import Testing

@testable import ResourceLoading

/// What a device with too little room purges, by apps' requests and priorities.
@Suite(.timeLimit(.minutes(1)))
struct PurgeOrderTests {
    private static let packs = ["a", "b", "c", "d", "n1", "n2", "n3", "n4"].enumerated().map { number, name in
        TestPack(name: name, body: content(10_000, seed: UInt64(number)), tags: [name])
    }

    private func purged(_ fixture: Fixture) -> [String] {
        fixture.log.all(.purged).compactMap(\.pack)
    }

    /// The lowest preservation priority goes first, then the least recently used; pinned packs never go.
    @Test func byPreservationThenByLastUse() async throws {
        try await Fixture.run(Self.packs, configure: { $0.capacity = 40_000 }, script: { _, _ in nil }) { fixture in
            for name in ["a", "b", "c", "d"] { try await fixture.expect(nil, name) }
            try await fixture.withLoader { loader in
                loader.store.setPreservation(0.9, of: "a")
                loader.store.setPreservation(0.1, of: "c")
                // b and d have 0, and b was used longer ago; d is pinned, so it stays.
                let pinned = await loader.request(["d"], id: "pinned").0
                let news = [("n1", ["b"]), ("n2", ["b", "c"]), ("n3", ["b", "c", "a"])]
                var keys: [ResourceLoader.RequestKey] = []
                for (new, gone) in news {
                    let (key, error) = await loader.request([new], id: new)
                    #expect(error == nil && purged(fixture) == gone)
                    keys.append(key)
                }
                // No pack is left that may be purged.
                let (refused, error) = await loader.request(["n4"], id: "n4")
                #expect(error?.code == 4992 && purged(fixture).count == 3)
                #expect(fixture.server.requests(for: "/n4.bin").isEmpty)
                for key in keys + [refused] { loader.end(key) }
                loader.end(pinned)
            }
        }
    }

    /// A prefetched pack is not pinned; if it is purged before its first use, it is fetched again.
    @Test func aPrefetchedPackMayBePurged() async throws {
        try await Fixture.run(Self.packs) { fixture in
            try await fixture.withLoader { loader in
                let system = LoaderRequest(id: "prefetch-1", tags: ["a"], loader: loader, purpose: .prefetch)
                let (codes, code) = AsyncStream.makeStream(of: Int?.self)
                try system.begin { code.yield($0?.code) }
                #expect(await codes.first { _ in true } == .some(nil))
                try system.end()
                #expect(try loader.store.purgeAll().map(\.pack) == ["a"])
                let (key, error) = await loader.request(["a"])
                #expect(error == nil && fixture.server.requests(for: "/a.bin").count == 2)
                #expect(fixture.stored(Self.packs[0]) == Self.packs[0].body)
                loader.end(key)
            }
        }
    }
}
