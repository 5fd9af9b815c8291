import PackFormat
import Testing

@testable import PackHost

/// A host whose clock is wrong, as seen on the wire.
@Suite("Clocks of hosts")
struct ClockTests {
    private func dates(_ clock: String) async throws -> (date: HTTPDate, modified: HTTPDate, decisions: [String]) {
        try await TestSite.with(faults: [try HostFault(parsing: "clock=\(clock)")]) { site in
            let (reply, events) = try await site.host { try await RawClient.exchange($0.port, get()) }
            #expect(reply.status == 200 && reply.body == TestSite.small && reply["Expires"] == reply["Date"])
            let date = try #require(reply["Date"].flatMap { HTTPDate(parsing: $0) })
            let modified = try #require(reply["Last-Modified"].flatMap { HTTPDate(parsing: $0) })
            return (date, modified, events.decisions)
        }
    }

    @Test func isAYearAhead() async throws {
        let found = try await dates("ahead")
        let later = HTTPDate.now().secondsSinceEpoch + 364 * 86_400
        #expect(found.date.secondsSinceEpoch > later && found.modified.secondsSinceEpoch > later)
        #expect(found.modified <= found.date)
        #expect(found.decisions == ["L1 GET /packs/small.assetpack from=0 try=1 clock=ahead"])
    }

    @Test func showsTheFirstDayOf1970() async throws {
        let found = try await dates("epoch")
        #expect(found.date.secondsSinceEpoch == 0 && found.modified.secondsSinceEpoch > 1_000_000_000)
        #expect(found.decisions == ["L1 GET /packs/small.assetpack from=0 try=1 clock=epoch"])
    }
}
