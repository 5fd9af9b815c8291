import LinkModel
import Links
import Testing

@testable import Execution

struct LinkSummaryTests {
    private func summary(down: Int64, up: Int64, connections: Int, refused: Int = 0, seconds: Int64 = 0) -> LinkSummary
    {
        var use = LinkUse()
        use.payload = PerDirection(downlink: down, uplink: up)
        use.connections = connections
        use.refusedConnections = refused
        use.meter = [
            MeterSample(at: Instant(nanoseconds: 0), totals: PerDirection(both: 0)),
            MeterSample(at: Instant(nanoseconds: seconds * 1_000_000_000), totals: use.payload),
        ]
        return LinkSummary(profile: "3g", use: use)
    }

    @Test(
        arguments: [
            (
                1_250_000, 4100, 3, 0, 10,
                "3g: 1.3 MB down, 4.1 kB up, 3 connections, 1.0 Mbit/s down on average over 10.0 s"
            ),
            (10, 2_000_000, 1, 0, 4, "3g: 10 B down, 2.0 MB up, 1 connection, 4.0 Mbit/s up on average over 4.0 s"),
            (0, 0, 2, 2, 0, "3g: 0 B down, 0 B up, 2 connections, 2 turned away"),
        ] as [(Int64, Int64, Int, Int, Int64, String)])
    func oneLineSaysWhatCrossed(down: Int64, up: Int64, connections: Int, refused: Int, seconds: Int64, line: String) {
        let summary = summary(down: down, up: up, connections: connections, refused: refused, seconds: seconds)
        #expect(summary.line() == line)
        #expect(summary.warning == nil)
    }

    @Test func aLinkThatNothingCrossedGivesAWarning() {
        #expect(summary(down: 0, up: 0, connections: 0).warning?.hasPrefix("WARNING: nothing crossed the link") == true)
    }
}
