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
}
