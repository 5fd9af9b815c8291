import Results
import Testing

@testable import Harness

/// Commands that report events of their own, rightly and wrongly.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct CommandEventTests {
    /// What a script reports and does, and the outcome that must follow.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// `tell` writes an event, `fetch` downloads the pack.
        var script: String
        var rest = ""
        var exitCode: Int32 = 0
        var found: Attribution?
        var note: String?
    }

    static let offline = #"tell '"event":"error","id":"r","domain":"NSURLErrorDomain","code":-1009,"class":"network"'"#
    static let request = #"tell '"event":"request","id":"r","tags":["a"]'"#
    static let available = #"tell '"event":"available","id":"r"'"#
    static let expectOffline = "expect: {error: {domain: NSURLErrorDomain, code: -1009, class: network}}"

    static let outcomes = [
        Case(
            testDescription: "an error is the one that was told", script: "\(request); \(offline); exit 1",
            rest: expectOffline),
        Case(
            testDescription: "so it is without its request, and by status 0", script: "\(offline)", rest: expectOffline),
        Case(
            testDescription: "another error than expected", script: "\(request); \(offline); exit 1",
            rest: "expect: {error: {code: -1001}}", exitCode: 99),
        Case(
            testDescription: "a status that is expected is looked at all the same",
            script: "\(request); \(offline); exit 4", rest: "expect: {exit: 4}"),
        Case(
            testDescription: "an error is not a success, whatever the status is",
            script: "fetch; \(request); \(offline); exit 0", exitCode: 99),
        Case(testDescription: "a success", script: "\(request); fetch; \(available)"),
        Case(
            testDescription: "a success by another status", script: "\(request); fetch; \(available); exit 3",
            exitCode: 99, found: .clientFailed),
        Case(
            testDescription: "a second try is what counts",
            script: "\(request); \(offline); \(request); fetch; \(available)"),
        Case(
            testDescription: "one request of two was called back",
            script: "tell '\"event\":\"request\",\"id\":\"q\"'; \(request); fetch; \(available)", exitCode: 99),
        Case(testDescription: "a request alone says nothing of its end", script: "\(request); fetch"),
        Case(
            testDescription: "called back twice", script: "\(request); fetch; \(available); \(available)", exitCode: 99,
            found: .callbackRepeated),
    ]

    static let times = [
        Case(
            testDescription: "a line of another time decides nothing", script: "now=1; tell '\"event\":\"x\"'; fetch",
            note: "1 of the client's event lines has a time outside its run"),
        Case(
            testDescription: "nor does an error of the wall clock",
            script: "fetch; now=$(date +%s%N); \(request); \(offline)",
            note: "2 of the client's event lines have times outside its run"),
        Case(
            testDescription: "nor does it hide a status", script: "now=5; \(request); exit 7", exitCode: 99,
            found: .clientFailed, note: "1 of the client's event lines has"),
        Case(
            testDescription: "nor a hang", script: "now=5; \(request); exec sleep 60", rest: "deadline: 1 s",
            exitCode: 99, found: .clientHung, note: "1 of the client's event lines has"),
    ]

    static let shells = [
        Case(
            testDescription: "a program that there is not", script: "no-such-program {url}", rest: "expect: error",
            exitCode: 65, found: .clientNotStarted),
        Case(
            testDescription: "one that may not be executed", script: "/dev/null {url}", exitCode: 65,
            found: .clientNotStarted),
        Case(
            testDescription: "one that is expected not to be there", script: "no-such-program {url}",
            rest: "expect: {exit: 127}"),
    ]

    @Test(arguments: outcomes + times + shells) func isJudged(_ test: Case) async throws {
        // /proc/uptime counts hundredths of a second, of which one must have begun since the client started.
        let prologue = """
            fetch() { curl -fsS -o {output} {url}; }
            tell() { printf '{"v":1,"t":%s,%s}\\n' "$now" "$1"; }
            sleep 0.05
            now=$(awk '{printf "%.0f", $1 * 1000000000}' /proc/uptime)
            """
        let script = prologue + "\n" + test.script
        let lines = script.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
        let result = try await Bench().run(
            "workload:\n  pack: level.bin\n  command: |\n\(lines)\n\(test.rest)")
        #expect(result.exitCode == test.exitCode, "\(result.text)")
        if let found = test.found { #expect(result.attributions == [found], "\(result.text)") }
        #expect(!result.attributions.contains(.clockStepped))
        let notes = result.cells[0].attempts[0].notes
        #expect(notes.contains { $0.hasPrefix(test.note ?? "none") } == (test.note != nil), "\(notes)")
    }

    /// A program with its arguments is no shell script: its statuses are its own.
    @Test func statusOfAProgram() async throws {
        let result = try await Bench().run("workload: {command: [sh, -c, 'exit 127']}\nexpect: error")
        #expect(result.exitCode == 0, "\(result.text)")
    }
}
