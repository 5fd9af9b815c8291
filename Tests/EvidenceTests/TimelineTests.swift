import LinkModel
import Scenarios
import Testing

@testable import Evidence

/// The events of an attempt in one order.
@Suite struct TimelineTests {
    @Test func killsStartsAndAFullDeviceAreMoments() {
        var trace = AttemptTrace()
        (trace.linkStart, trace.clientStart, trace.clientEnd) = (1, 2, 9)
        trace.starts = [.init(began: 2, ended: 4, exitStatus: nil), .init(began: 5, ended: 9, exitStatus: 0)]
        trace.kills = [(at: 4, savedBytes: 40_960)]
        trace.playedFaults = [
            PlayedFault(at: 7, fault: LinkFault(trigger: .time(.zero), effect: .deviceFull)),
            PlayedFault(at: 3, fault: LinkFault(trigger: .time(.zero), effect: .cut)),
        ]
        let events = trace.timeline(cell: "level", attempt: 1)
        #expect(
            events.map(\.name) == [
                "link-up", "client-start", "client-killed", "client-start", "device-full", "client-end",
            ])
        #expect(events.map(\.nanoseconds) == [1, 2, 4, 5, 7, 9])
        #expect(events.allSatisfy { $0.source == .harness && $0.cell == "level" && $0.attempt == 1 })
    }
}
