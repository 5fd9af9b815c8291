import Results
import Testing

@testable import Evidence

/// Answers to requests that were asked conditionally, and what crossed the link for them.
@Suite struct RequestAnswerTests {
    private static let scenario = """
        workload:
          - request: {id: a, tags: [level.bin], conditional: true}
          - begin: a
        expect: {a: not-here}
        """

    /// The host has a request for the pack at 1.2 s; lines of the client come from 1 s on, a line each 0.1 s.
    @Test(arguments: [
        // Begun first, and then fetched.
        (
            [
                #""event":"start""#, #""event":"conditional","id":"a","tags":["level.bin"],"available":false"#,
                #""event":"request","id":"a","tags":["level.bin"]"#, #""event":"available","id":"a""#,
                #""event":"exit","status":0"#,
            ], RequestAnswer(id: "a", isHere: false)
        ),
        // Fetched, and then answered.
        (
            [
                #""event":"start""#, #""event":"progress""#, #""event":"progress""#,
                #""event":"conditional","id":"a","tags":["level.bin"],"available":false"#,
                #""event":"request","id":"a","tags":["level.bin"]"#, #""event":"available","id":"a""#,
                #""event":"exit","status":0"#,
            ], RequestAnswer(id: "a", isHere: false, fetches: 1)
        ),
        // Begun by the question itself, which is no reason to fetch.
        (
            [
                #""event":"start""#, #""event":"request","id":"a","tags":["level.bin"]"#,
                #""event":"conditional","id":"a","tags":["level.bin"],"available":true"#,
                #""event":"available","id":"a""#, #""event":"exit","status":0"#,
            ], RequestAnswer(id: "a", isHere: true, fetches: 1)
        ),
        // Never begun.
        (
            [
                #""event":"start""#, #""event":"conditional","id":"a","tags":["level.bin"],"available":false"#,
                #""event":"exit","status":0"#,
            ], RequestAnswer(id: "a", isHere: false, fetches: 1)
        ),
    ])
    func isRead(lines: [String], answer: RequestAnswer) throws {
        var attempt = AttemptJudgeTests.Attempt()
        attempt.lines = lines
        let record = AttemptJudge(attempt.trace, try Scratch.setup(Self.scenario))
            .record(from: 0, to: 3 * AttemptJudgeTests.Attempt.second)
        #expect(record.answers == [answer])
    }

    @Test func nobodyAsked() throws {
        let record = AttemptJudge(AttemptJudgeTests.Attempt().trace, try Scratch.setup()).record(from: 0, to: 3)
        #expect(record.answers == nil)
    }
}
