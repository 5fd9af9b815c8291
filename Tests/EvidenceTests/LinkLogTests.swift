import LinkModel
import Testing

@testable import Evidence

/// The log of a link's events.
@Suite struct LinkLogTests {
    /// Changes over time count from this moment; a caller that waits for the link learns of it later.
    @Test func aLinkKnowsWhenItBegan() {
        func event(_ seconds: Int64, generation: Int) -> LinkEvent {
            LinkEvent(
                at: Instant(nanoseconds: seconds * 1_000_000_000), connection: 0,
                kind: .conditions(conditions: LinkConditions(), generation: generation))
        }
        var log = LinkLog()
        var trace = AttemptTrace()
        trace.linkStart = 7_000_000_000
        trace.take(log)
        #expect(log.startedAt == nil && trace.linkStart == 7_000_000_000)
        for seconds in [5, 6] as [Int64] { log.append(event(seconds, generation: Int(seconds) - 5)) }
        trace.take(log)
        #expect(log.startedAt == 5_000_000_000 && trace.linkStart == 5_000_000_000)
    }

    /// The proxy reports a connection up to a second after the host has accepted it.
    @Test(arguments: [(0.5, 1), (1, 1), (3.9, 1), (4, 2), (5, 2), (60, 2)])
    func aPortIsUsedAgain(seconds: Double, connection: Int) {
        var log = LinkLog()
        for (number, second) in [(1, 1), (2, 5)] as [(Int, Int64)] {
            log.append(
                LinkEvent(
                    at: Instant(nanoseconds: second * 1_000_000_000), connection: number, kind: .hostSide(port: 4000)))
        }
        #expect(log.connection(fromPort: 4000, at: Int64(seconds * 1e9)) == connection)
        #expect(log.connection(fromPort: 4001, at: Int64(seconds * 1e9)) == nil)
    }
}
