import Foundation
import ResourceLoading
import Testing

@testable import PackFormat

/// Every named set of limits at request time: exactly the limit, and one byte more.
@Suite(.timeLimit(.minutes(1)))
struct NamedLimitTests {
    /// Requests a small file whose manifest states `size` bytes; returns the error code and the number of fetches.
    private func request(_ size: Int64, _ limits: Limits) async throws -> (code: Int?, fetches: Int) {
        let pack = TestPack(name: "p", body: content(1000), tags: ["t"], storedSize: size)
        return try await Fixture.run([pack]) {
            $0.limits = limits
        } script: { _, _ in
            nil
        } _: { fixture in
            let error = try await fixture.request("t")
            return (error?.code, fixture.server.requests(for: pack.target).count)
        }
    }

    @Test(arguments: Limits.all.map(\.name))
    func exactlyTheInUseLimitAndOneByteMore(name: String) async throws {
        let limits = try #require(Limits.named(name))
        guard let limit = limits[.inUse] else {
            #expect(try await request(1 << 40, limits) == (nil, 1))
            return
        }
        #expect(try await request(limit, limits) == (nil, 1))
        #expect(try await request(limit + 1, limits) == (4993, 0))
    }

    @Test func theConditionalCallHasItsRequestsPriority() async throws {
        let pack = TestPack(name: "p", body: content(1000), tags: ["t"])
        try await Fixture.run([pack]) { fixture in
            try await fixture.expect(nil)
            try await fixture.withLoader { loader in
                let request = LoaderRequest(id: "c", tags: ["t"], priority: .urgent, loader: loader)
                let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
                try request.conditionallyBegin { answer.yield($0) }
                #expect(await answers.first { _ in true } == true)
                try request.end()
            }
            #expect(fixture.log.count(.request) { ($0.id, $0.tags, $0.priority) = ("c", ["t"], .urgent) } == 1)
        }
    }

    @Test func aConditionalRequestFailsOverTheLimit() async throws {
        let pack = TestPack(name: "p", body: content(1000), tags: ["t"])
        try await Fixture.run([pack]) { fixture in
            try await fixture.expect(nil)
            var tiny = fixture
            tiny.configuration.limits = Limits(name: "tiny", source: "test", [.inUse: 999])
            try await tiny.withLoader { #expect($0.beginIfStored(id: "c", tags: ["t"]) == nil) }
            tiny.configuration.limits[.inUse] = 1000
            try await tiny.withLoader { #expect($0.beginIfStored(id: "c", tags: ["t"]) != nil) }
        }
    }
}
