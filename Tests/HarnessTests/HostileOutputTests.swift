import Evidence
import LinuxSupport
import Results
import Testing

@testable import Harness
@testable import Scenarios

/// Client output that attacks its reader: lines that take a pattern very long.
@Suite(.timeLimit(.minutes(1)))
struct HostileOutputTests {
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
    func onlyTheEndOfALongLineIsSearched(line: String, fractions: [Double]) throws {
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try Self.pattern(#"(\d+)%"#).fractions(in: Array(line.utf8)) == fractions)
        // The whole line takes half a minute.
        #expect(start.duration(to: clock.now) < .seconds(5))
    }

    @Test func matchesHaveTheTimesOfTheirLines() async throws {
        let matcher = ProgressMatcher(try Self.pattern(#"(\d+)%"#))
        for index in 1...100 { #expect(matcher.take(Array("at \(index)%".utf8), at: Int64(index))) }
        #expect(matcher.take(Array("a complaint".utf8), at: 101))
        let matches = await matcher.finish()
        #expect(matches.samples == (1...100).map { ProgressSample(at: Int64($0), fraction: Double($0) / 100) })
        #expect(matches.others.lines.map { String(decoding: $0, as: UTF8.self) } == ["a complaint"])
        #expect(matches.trouble == nil)
        #expect(!matcher.take([65], at: 102), "it is over")
    }

    /// A pattern that takes too long over a line is not waited for, and is not started again.
    @Test func aPatternWithoutEndIsAbandoned() async throws {
        // Each further x takes two and a half times as long; 16 take more than a second.
        let line = Array(String(repeating: "x", count: 16).utf8)
        let pattern = try Self.pattern(#"(x+x+)+y"#)
        let matcher = ProgressMatcher(pattern)
        #expect(matcher.take(line, at: 1))
        #expect(matcher.take(Array("a complaint".utf8), at: 2))
        let matches = await matcher.finish(within: .milliseconds(1))
        #expect(matches.trouble?.contains("still matching") == true)
        #expect(matches.others.lines.last.map { String(decoding: $0, as: UTF8.self) } == "a complaint")
        let second = ProgressMatcher(pattern)
        #expect(!second.take(line, at: 3))
        #expect(await second.finish().trouble?.contains("earlier") == true)
    }

    @Test func complaintsAmongProgressAreKept() async throws {
        let recorder = ClientRecorder(ClientLog(), progress: try Self.pattern(#"(\d+)%"#))
        let moment = MonotonicClock.now
        for line in ["10%", "no such host", "  ", "20%"] { recorder.take(Array(line.utf8), from: .stderr) }
        recorder.take(Array(#"{"v":1,"t":\#(moment),"event":"progress","fraction":0.3}"#.utf8), from: .stdout)
        let told = await recorder.finish()
        #expect(told.complaints == ["no such host"])
        #expect(told.progress.map(\.fraction).sorted() == [0.1, 0.2, 0.3])
        #expect(told.progress.first?.at == moment)
    }
}
