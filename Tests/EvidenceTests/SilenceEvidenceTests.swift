import LinkModel
import PackHost
import ProcessGuard
import Results
import Testing

@testable import Evidence

/// When a client waited for a silent host, and how much processor time it used meanwhile.
@Suite struct SilenceEvidenceTests {
    /// The silences of an answer from 1 s to 11 s; times count from the client's start, at 1 s of the clock.
    private func silences(
        arrivals: [Double], stretches: [(Double, Double, ran: Double, waited: Double)]? = [], fault: String? = nil
    ) throws -> [ConductRecord.Silence]? {
        func nanoseconds(_ seconds: Double) -> Int64 { Int64((1 + seconds) * 1e9) }
        var trace = AttemptTrace()
        (trace.clientStart, trace.clientEnd) = (nanoseconds(0), nanoseconds(12))
        trace.exit = GuardedExit(status: .exited(0), timedOut: false, endedNanoseconds: nanoseconds(12))
        trace.exit?.stretches = stretches?.map { from, until, ran, waited in
            .init(
                from: nanoseconds(from), until: nanoseconds(until), ran: .seconds(ran), waited: .seconds(waited))
        }
        for (index, time) in arrivals.enumerated() {
            let kind = LinkEvent.Kind.delivered(direction: .downlink, total: Int64(index + 1) * 1000)
            trace.link.append(LinkEvent(at: Instant(nanoseconds: nanoseconds(time)), connection: 1, kind: kind))
        }
        let fetch = ConductRecord.Fetch(
            "p", number: 1, began: 1, ended: 11, bytes: 9, faults: fault.map { [$0] } ?? [])
        return Conduct(trace: trace, setup: try Scratch.setup()).silences([fetch])
    }

    @Test func aSilenceLiesBetweenBytesOfAnAnswer() throws {
        #expect(try silences(arrivals: [6, 6.1, 7, 8.5, 10.9]) == [.init(from: 1.5, until: 5.5)])
        #expect(try silences(arrivals: [2, 6, 10.5]) == [.init(from: 2.5, until: 5.5), .init(from: 6.5, until: 10)])
        // After the answer the client waits for nothing.
        #expect(try silences(arrivals: [2, 4, 6, 8, 10, 11]) == [])
    }

    @Test func processorTimeInASilenceCounts() throws {
        let found = try silences(
            arrivals: [6, 8, 10],
            stretches: [(0, 2, ran: 2, waited: 0), (3, 7, ran: 3, waited: 1), (9, 10, ran: 1, waited: 0)])
        // Half a second of the first stretch, and 2.5 s of the second.
        #expect(found == [.init(from: 1.5, until: 5.5, ran: 0.5 + 2.5 * 3 / 4, waited: 2.5 / 4)])
    }

    @Test func unmeasuredProcessorTimeIsUnknown() throws {
        #expect(try silences(arrivals: [6, 10], stretches: nil) == nil)
    }

    @Test func aLateHeadIsASilenceIfTheLinkReportsNoBytes() throws {
        #expect(try silences(arrivals: [], fault: "late-head=5s") == [.init(from: 1.5, until: 5.5)])
        #expect(try silences(arrivals: [], fault: "late-head=60s") == [.init(from: 1.5, until: 10.5)])
        #expect(try silences(arrivals: [], fault: "late-head=2s") == [])
        #expect(try silences(arrivals: [], fault: "stall@9 for=5s") == [])
    }
}
