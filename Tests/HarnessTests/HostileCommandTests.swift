import Testing

@testable import Harness

/// Commands that leave something else than a file, or write unreadable output, in whole runs.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct HostileCommandTests {
    typealias Case = EndToEndTests.Case

    static func leaving(_ what: String, _ command: String, exitCode: Int32 = 99, _ words: String...) -> Case {
        Case(
            testDescription: what,
            scenario: """
                workload: {command: "curl -fsS -o real {url} && rm -f {output} && \(command)", pack: level.bin}
                expect: {exit: 0, files: {level.bin: level.bin}}
                """,
            exitCode: exitCode, words: words)
    }

    /// The same for a scenario that expects only success.
    static func unasked(
        _ what: String, _ command: String, keys: String = "", exitCode: Int32 = 99, _ words: String...
    ) -> Case {
        Case(
            testDescription: what,
            scenario: """
                workload: {command: "curl -fsS -o real {url} && \(command)", pack: level.bin\(keys)}
                expect: available
                """,
            exitCode: exitCode, words: words)
    }

    static let cases = [
        unasked("a name that was forgotten", "test -n {output}", "'level.bin' does not exist"),
        unasked("an unexpected pipe", "mkfifo {output}", "is a pipe, not a regular file"),
        unasked("an unexpected folder", "mkdir {output}", "is a folder, not a regular file"),
        unasked("an unexpected link", "ln -s /etc/passwd {output}", "leads out of its folder"),
        unasked(
            "a script that has the name from its environment", "true", keys: ", leaves-output: true", "does not exist"),
        unasked("a pack that is stored elsewhere", "true", exitCode: 0),
        unasked("a pack that is told to be elsewhere", "test -n {output}", keys: ", leaves-output: false", exitCode: 0),
        leaving("a pipe for a file", "mkfifo {output}", "is a pipe, not a regular file"),
        leaving("a link to a device", "ln -s /dev/zero {output}", "leads out of its folder"),
        leaving("a link to the host's own file", "ln -s $PWD/../../../../packs/level.bin {output}", "level.bin"),
        leaving("a folder for a file", "mkdir {output}", "is a folder, not a regular file"),
        leaving("a link to itself", "ln -s level.bin {output}", "could not be opened"),
        leaving("a huge file with a hole", "truncate -s 1T {output}", "1099511627776 bytes"),
        leaving("a link to the file within the folder", "ln -s real {output}", exitCode: 0),
        Case(
            testDescription: "an event at an impossible time",
            scenario: """
                workload:
                  command: |
                    curl -fsS -o {output} {url}
                    echo '{{"v":1,"t":-9223372036854775808,"event":"progress","id":"x","fraction":0.5}'
                    echo '{{"v":1,"t":5,"event":"received","pack":"x","bytes":9223372036854775807}'
                  pack: level.bin
                expect: {exit: 0, files: {level.bin: level.bin}}
                """),
        Case(
            testDescription: "a line that is too long for its pattern",
            scenario: """
                workload:
                  command: "head -c 100000 /dev/zero | tr '\\\\0' 7 >&2; curl -f -# -o {output} {url}"
                  pack: level.bin
                  progress: {from: stderr, match: '(\\d+(?:\\.\\d+)?)%'}
                expect: {exit: 0, files: {level.bin: level.bin}}
                budgets: {progress: [monotonic, ends at 1]}
                """),
    ]

    @Test(arguments: cases) func command(_ test: Case) async throws {
        try await EndToEndTests.check(test)
    }
}
