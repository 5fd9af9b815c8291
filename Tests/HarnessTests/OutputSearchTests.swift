import Results
import Scenarios
import Testing

@testable import Harness

/// Searches for a line in a command's output.
@Suite("Search of a command's output", .timeLimit(.minutes(1)))
struct OutputSearchTests {
    @Test(
        arguments: [
            ("timed? out", ["a", "it time out now"], true), ("timed? out", ["a", "b"], false), ("^$", ["a", ""], true),
            ("x", [], false), ("(?i)ERROR", ["An error."], true),
        ] as [(String, [String], Bool)])
    func finds(_ pattern: String, _ lines: [String], _ expected: Bool) async throws {
        let search = try OutputSearch(pattern: pattern)
        for line in lines { search.take(Array(line.utf8)) }
        #expect(await search.finish() == .init(pattern: pattern, isFound: expected))
    }

    @Test func tooMuchOutputIsUnknown() async throws {
        let long = try OutputSearch(pattern: "end")
        long.take([UInt8](repeating: 0x61, count: OutputSearch.lineBytes) + Array("end".utf8))
        #expect(await long.finish().isFound == nil)
        let many = try OutputSearch(pattern: "never")
        for _ in 0...(OutputSearch.mostBytes / OutputSearch.lineBytes) {
            many.take([UInt8](repeating: 0x61, count: OutputSearch.lineBytes))
        }
        #expect(await many.finish(within: .seconds(30)).isFound == nil)
        let found = try OutputSearch(pattern: "begin")
        found.take(Array("begin".utf8) + [UInt8](repeating: 0x61, count: OutputSearch.lineBytes))
        #expect(await found.finish().isFound == true)
    }

    @Test func aPatternThatTakesTooLongIsNotWaitedFor() async throws {
        // The search takes some seconds of a processor, and ends during a run of all tests.
        let pattern = "(a+)+b"
        let search = try OutputSearch(pattern: pattern)
        search.take([UInt8](repeating: 0x61, count: 16))
        let output = await search.finish(within: .milliseconds(50))
        #expect(output.isFound == nil && output.trouble?.contains("still matching") == true)
        // A second search would take a further processor.
        let again = try OutputSearch(pattern: pattern)
        again.take(Array("aab".utf8))
        #expect(await again.finish().isFound == nil)
    }

    @Test func aCommandIsJudgedByItsOutput() async throws {
        let bench = try Bench()
        for (pattern, code) in [("no such thing", 99), ("^saved [0-9]+$", 0), ("^told$", 0)] as [(String, Int32)] {
            let result = try await bench.run(
                """
                workload: {command: 'curl -sS -o {output} {url}; echo saved 1; echo told >&2', pack: level.bin}
                expect: {exit: 0, output: '\(pattern)', retries: 0, refetched: 0 B}
                """)
            #expect(result.exitCode == code, "\(result.text)")
        }
    }
}
