import LinuxSupport
import Results
import Testing

@testable import Harness
@testable import Scenarios

/// What a client writes to bring down whoever reads it: absurd numbers, floods, and lines for a pattern to choke on.
@Suite(.timeLimit(.minutes(1)))
struct HostileOutputTests {
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
    func aNumberThatCannotBeMakesNoEvent(line: String) {
        let log = ClientLogTests.log([ClientLogTests.start, ClientLogTests.request, line])
        #expect(log.strayLines == 1)
        #expect(log.events.count == 2)
    }

    /// Others' words for a length that is not known.
    @Test(arguments: ["-1", "1.5", "99999999999999999999", "null", "\"none\""])
    func aLengthThatIsNotKnownIsPassedOver(length: String) {
        let log = ClientLogTests.log([
            ClientLogTests.start, #"{"v":1,"t":30,"event":"response","pack":"p","status":200,"length":\#(length)}"#,
        ])
        #expect(log.strayLines == 0 && log.events.count == 2)
        #expect(log.events.last?.status == 200 && log.events.last?.length == nil)
    }

    /// The most extreme numbers that are taken, through everything that calculates with them.
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

    @Test func moreBytesThanCanBeCountedAreTheMostThatCan() {
        let line = #"{"v":1,"t":30,"event":"received","pack":"p","bytes":9007199254740992}"#
        #expect(ClientLogTests.log(Array(repeating: line, count: 1100)).receivedBytes == .max)
    }

    @Test(arguments: [(10, 1 << 20, 10), (1000, 200, 4)])
    func aFloodIsNotKept(mostEvents: Int, mostBytes: Int, kept: Int) {
        let line = Array(#"{"v":1,"t":30,"event":"progress","id":"r","fraction":0}"#.utf8)
        var trace = AttemptTrace()
        trace.client = ClientLog(mostEvents: mostEvents, mostBytes: mostBytes)
        for _ in 0..<100 { _ = trace.client.append(line: line) }
        #expect(trace.client.events.count == kept)
        #expect(trace.client.unreadLines == 100 - kept)
        trace.exit = ClientLogTests.ended
        let command = Command(call: .arguments([]), progress: nil, pack: nil)
        let found = trace.findings(.command(command), program: "client").map(\.attribution)
        #expect(found == [.clientFlooded])
    }

    // Patterns.

    private static func pattern(_ text: String) throws -> ProgressPattern {
        let command = Command(call: .arguments([]), progress: .init(stream: .stderr, pattern: text), pack: nil)
        return try #require(try ProgressPattern(.command(command)))
    }

    @Test(arguments: [
        (String(repeating: "7", count: 60_000), []),
        (String(repeating: "7", count: 60_000) + "%", []),
        (String(repeating: "7", count: 60_000) + " 42%", [0.42]),
        ("13% " + String(repeating: "#", count: 60_000) + " 42%", [0.42]),
    ])
    func onlyTheEndOfALongLineIsLookedAt(line: String, fractions: [Double]) throws {
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try Self.pattern(#"(\d+)%"#).fractions(in: Array(line.utf8)) == fractions)
        // The whole line takes half a minute.
        #expect(start.duration(to: clock.now) < .seconds(5))
    }

    @Test func matchesComeWithTheMomentsOfTheirLines() async throws {
        let matcher = ProgressMatcher(try Self.pattern(#"(\d+)%"#))
        for index in 1...100 { #expect(matcher.take(Array("at \(index)%".utf8), at: Int64(index))) }
        #expect(matcher.take(Array("a complaint".utf8), at: 101))
        let matches = await matcher.finish()
        #expect(matches.samples == (1...100).map { ProgressSample(at: Int64($0), fraction: Double($0) / 100) })
        #expect(matches.others.map { String(decoding: $0, as: UTF8.self) } == ["a complaint"])
        #expect(matches.trouble == nil)
        #expect(!matcher.take([65], at: 102), "it is over")
    }

    /// A pattern that takes more than its time over a line is not waited for; nor is it begun a second time.
    @Test func aPatternWithoutEndIsLeftAlone() async throws {
        // Each further x takes two and a half times as long; this many take about half a second.
        let line = Array(String(repeating: "x", count: 15).utf8)
        let pattern = try Self.pattern(#"(x+x+)+y"#)
        let matcher = ProgressMatcher(pattern)
        #expect(matcher.take(line, at: 1))
        #expect(matcher.take(Array("a complaint".utf8), at: 2))
        let matches = await matcher.finish(within: .milliseconds(1))
        #expect(matches.trouble?.contains("still at work") == true)
        #expect(matches.others.last.map { String(decoding: $0, as: UTF8.self) } == "a complaint")
        let second = ProgressMatcher(pattern)
        #expect(!second.take(line, at: 3))
        #expect(await second.finish().trouble?.contains("earlier") == true)
        var trace = AttemptTrace()
        (trace.exit, trace.patternTrouble) = (ClientLogTests.ended, matches.trouble)
        let command = Command(call: .arguments([]), progress: nil, pack: nil)
        #expect(trace.findings(.command(command), program: "client").map(\.attribution) == [.metricMissing])
    }

    @Test func aBarThatComplainsIsHeard() async throws {
        let recorder = ClientRecorder(isBuiltIn: false, progress: try Self.pattern(#"(\d+)%"#))
        let moment = MonotonicClock.now
        for line in ["10%", "no such host", "  ", "20%"] { recorder.take(Array(line.utf8), from: .stderr) }
        recorder.take(Array(#"{"v":1,"t":\#(moment),"event":"progress","fraction":0.3}"#.utf8), from: .stdout)
        let told = await recorder.finish()
        #expect(told.complaints == ["no such host"])
        #expect(told.progress.map(\.fraction).sorted() == [0.1, 0.2, 0.3])
        #expect(told.progress.first?.at == moment)
    }
}
