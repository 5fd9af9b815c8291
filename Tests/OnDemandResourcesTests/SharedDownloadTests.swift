import Glibc
import PackFormat
import Testing

@testable import ResourceLoading

/// A pack that several processes want at once: one fetches it, and another continues if that one is killed.
@Suite(.timeLimit(.minutes(1)))
struct SharedDownloadTests {
    private static let packs = SharedStoreTests.packs

    @Test func aPackIsFetchedOnceByTwo() async throws {
        let rest = Gate()
        try await Fixture.run(Self.packs) { request, pack in
            guard let pack, request.number == 1 else { return nil }
            return [
                Right.whole(pack.body)[0], .send(Array(pack.body[..<1000])), .wait(rest),
                .send(Array(pack.body[1000...])),
            ]
        } _: { fixture in
            let other = try ClientProcess(fixture.configuration, ["a"])
            #expect(await other.reaches("response", "status", 200, of: "a"))
            try await fixture.withLoader { loader in
                async let second = loader.request(["a"])
                await fixture.log.next { $0.kind == .progress }
                // Time enough to ask the host, if the loader did not wait for the other process.
                try await Task.sleep(for: .milliseconds(300))
                #expect(fixture.server.requests(for: "/a.bin").count == 1)
                rest.open()
                #expect(await second.1 == nil)
            }
            #expect(await other.finish().status == 0)
            #expect(fixture.server.requests(for: "/a.bin").count == 1)
            #expect(fixture.stored(Self.packs[0]) == Self.packs[0].body)
        }
    }

    /// The waiting process continues where the killed one stopped.
    @Test func aDownloadIsTakenOverFromAKilledProcess() async throws {
        try await Fixture.run(Self.packs) { request, pack in
            guard let pack, request.number == 1 else { return nil }
            return [Right.whole(pack.body)[0], .send(Array(pack.body[..<30_000])), .stall]
        } _: { fixture in
            let other = try ClientProcess(fixture.configuration, ["a"])
            #expect(await other.reaches("progress", "completed", 30_000))
            try await fixture.withLoader { loader in
                async let second = loader.request(["a"])
                await fixture.log.next { $0.kind == .progress }
                other.signal(SIGKILL)
                #expect(await second.1 == nil)
            }
            _ = await other.finish()
            #expect(fixture.server.requests(for: "/a.bin").map(\.from) == [nil, 30_000])
            #expect(fixture.stored(Self.packs[0]) == Self.packs[0].body)
        }
    }
}
