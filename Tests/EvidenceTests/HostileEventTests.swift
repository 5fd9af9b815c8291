import Results
import Scenarios
import Testing

@testable import Evidence

/// Client events that attack their reader: absurd numbers, and floods.
@Suite struct HostileEventTests {
    @Test(arguments: [
        #"{"v":1,"t":-1,"event":"progress","id":"r1","fraction":0.5}"#,
        #"{"v":1,"t":-9223372036854775808,"event":"progress","id":"r1","fraction":0.5}"#,
        #"{"v":1,"t":9223372036854775807,"event":"progress","id":"r1","fraction":0.5}"#,
        #"{"v":1,"t":4611686018427387905,"event":"available","id":"r1"}"#,
        #"{"v":1,"t":30,"event":"received","pack":"p","bytes":-1}"#,
        #"{"v":1,"t":30,"event":"received","pack":"p","bytes":9223372036854775807}"#,
        #"{"v":1,"t":30,"event":"progress","id":"r1","fraction":0.5,"total":-5}"#,
        #"{"v":1,"t":30,"event":"progress","id":"r1","fraction":0.5,"completed":9007199254740993}"#,
        #"{"v":1,"t":30,"event":"usage","stored":9223372036854775807}"#,
        #"{"v":1,"t":30,"event":"received","pack":"p","bytes":1.5}"#,
    ])
    func aLineWithAnImpossibleNumberIsNoEvent(line: String) {
        let log = ClientLogTests.log([ClientLogTests.start, ClientLogTests.request, line])
        #expect(log.strayLines == 1)
        #expect(log.events.count == 2)
    }

    /// The ways in which foreign clients write an unknown length.
    @Test(arguments: ["-1", "1.5", "99999999999999999999", "null", "\"none\""])
    func anUnknownLengthIsIgnored(length: String) {
        let log = ClientLogTests.log([
            ClientLogTests.start, #"{"v":1,"t":30,"event":"response","pack":"p","status":200,"length":\#(length)}"#,
        ])
        #expect(log.strayLines == 0 && log.events.count == 2)
        #expect(log.events.last?.status == 200 && log.events.last?.length == nil)
    }

    /// The most extreme numbers that are accepted, through all calculations with them.
    @Test func extremesAreCalculatedWith() {
        let last: Int64 = 1 << 62
        let log = ClientLogTests.log([
            #"{"v":1,"t":\#(last),"event":"request","id":"r1","tags":["a"]}"#,
            #"{"v":1,"t":0,"event":"progress","id":"r1","fraction":0.5,"total":9007199254740992}"#,
            #"{"v":1,"t":\#(last),"event":"progress","id":"r1","fraction":1e300}"#,
            #"{"v":1,"t":0,"event":"available","id":"r1"}"#,
        ])
        #expect(log.strayLines == 0)
        let requests = log.requests.map {
            RequestObservation(
                id: $0.id, beganAt: $0.beganAt, endedAt: $0.endedAt ?? 0, result: .available, progress: $0.progress,
                deliveries: [DeliverySample(at: 5, totalBytes: 10)], totalBytes: $0.total)
        }
        let observations = Observations(requests: requests)
        #expect(observations.samples()[.progressMonotonic] == .value(1))
        #expect(!observations.findings().isEmpty, "it ended before it began")
    }

    @Test func aSumOfBytesThatOverflowsIsTheMaximum() {
        let line = #"{"v":1,"t":30,"event":"received","pack":"p","bytes":9007199254740992}"#
        #expect(ClientLogTests.log(Array(repeating: line, count: 1100)).receivedBytes == .max)
    }

    @Test(arguments: [(10, 1 << 20, 10), (1000, 200, 4)])
    func aFloodIsNotKept(mostEvents: Int, mostBytes: Int, kept: Int) throws {
        let line = Array(#"{"v":1,"t":30,"event":"progress","id":"r","fraction":0}"#.utf8)
        var trace = AttemptTrace()
        trace.client = ClientLog(mostEvents: mostEvents, mostBytes: mostBytes)
        for _ in 0..<100 { _ = trace.client.append(line: line) }
        #expect(trace.client.events.count == kept)
        #expect(trace.client.unreadLines == 100 - kept)
        trace.exit = ClientLogTests.ended
        let setup = try Scratch.setup("workload: {command: 'true'}")
        #expect(TraceCheck(trace: trace, setup: setup).findings().map(\.attribution) == [.clientFlooded])
    }
}
