import Results
import Testing

@testable import Evidence

/// Answers to conditional requests, and the fetches that they caused.
@Suite struct RequestAnswerTests {
    private static let scenario = """
        workload:
          - request: {id: a, tags: [level.bin], conditional: true}
          - begin: a
        expect: {a: not-here}
        """

    /// The host gets a request for the pack at 1.2 s; the client sends a line each 0.1 s from 1 s on.
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
        // The conditional request itself begins the download, for which it is no reason.
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

    @Test func withoutConditionalRequestsThereAreNoAnswers() throws {
        let record = AttemptJudge(AttemptJudgeTests.Attempt().trace, try Scratch.setup()).record(from: 0, to: 3)
        #expect(record.answers == nil)
    }
}
