import ArgumentParser
import Foundation
import Results
import Testing

@testable import headwind

/// A new user's first commands in a shell: the version, the demo, the quick suite, a scenario for a client.
@Suite("The first minute", .sideBySide, .serialized, .timeLimit(.minutes(5)))
struct FirstMinuteTests {
    /// Runs a line next to a folder of packs, and repeats it while the machine is too busy.
    private func check(_ one: ShellCase) async throws {
        let run = try ExecRun()
        defer { run.remove() }
        let answer = try await run.run(
            """
            unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY
            mkdir -p packs game/level-1 && head -c 50000 /dev/urandom > packs/a.bin && cp packs/a.bin game/level-1
            line() (
                \(one.line)
            )
            measured line
            """)
        one.check(answer)
    }

    @Test("headwind --version, and the newest version of CHANGELOG.md") func version() async throws {
        #expect(Headwind.versionText.wholeMatch(of: /headwind \d+\.\d+\.\d+(?: \([0-9a-f]{7,12}\))?/) != nil)
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let changes = try String(contentsOf: root.appending(path: "CHANGELOG.md"), encoding: .utf8)
        let headings = changes.split(separator: "\n").filter { $0.hasPrefix("## [") }
        #expect(headings.first == "## [Unreleased]")
        let newest = try #require(headings.dropFirst().first?.wholeMatch(of: /## \[(.+)\] - \d{4}-\d\d-\d\d/))
        #expect(newest.output.1 == Headwind.version)
        try await check(ShellCase(line: "\"$HW\" --version", output: ["\(Headwind.versionText)\n"]))
    }

    @Test(arguments: ["auto", "proxy"]) func quick(backend: String) async throws {
        try await check(
            ShellCase(
                line: "\"$HW\" run --quick --backend \(backend)", output: ["6 cells: 6 passed", "Exit code 0"],
                errors: ["[1/6] pass", "[6/6] pass"]))
    }

    @Test(arguments: ["auto", "proxy"]) func demo(backend: String) async throws {
        try await check(
            ShellCase(
                line:
                    "\"$HW\" demo --backend \(backend) && ls headwind-demo/report.html && \"$HW\" demo --backend \(backend) >&2",
                output: [
                    "FAILS: 2 checks", "status-404", "body-short", "Exit code 0: the demo found both bugs.",
                    "/headwind-demo/report.html\n",
                    "headwind check -- YOUR CLIENT '{url}' '{output}'\nheadwind-demo/report.html",
                ]))
    }

    @Test(arguments: [
        ShellCase(line: "\"$HW\" demo --output /proc/none", status: 64, errors: ["Could not write"]),
        // The demo with a client that lacks the two bugs does not find them.
        ShellCase(
            line:
                "mkdir -p s/scenarios/demo; own=$(dirname \"$HW\")/../../..; cp -r \"$own/profiles\" s; "
                + "cp -r \"$own/scenarios/error-paths\" s/scenarios; "
                + "echo 'exec curl -fsS -o \"$2\" \"$1\"' > s/scenarios/demo/careless.sh; HEADWIND_SHARE=s \"$HW\" demo",
            status: 1, output: ["Exit code 1: the demo missed a bug."], absent: ["YOUR CLIENT"]),
        ShellCase(line: "HEADWIND_SHARE=none \"$HW\" demo", status: 1, errors: ["HEADWIND_SHARE"]),
        ShellCase(line: "\"$HW\" run --quick packs", status: 64, errors: ["--quick selects Headwind's own scenarios"]),
        ShellCase(line: "\"$HW\" run --quick --suite quick", status: 64, errors: ["--quick means --suite quick"]),
    ])
    func endsWithStatus(_ one: ShellCase) async throws { try await check(one) }

    /// `headwind init` writes a valid scenario that passes a good client and fails one that ignores statuses.
    @Test(arguments: [
        ShellCase(
            line: "\"$HW\" init --command 'curl -fL --retry 3 -o {output} {url}' >&2 && cat scenario.yaml && "
                + "\"$HW\" scenario check scenario.yaml && \"$HW\" run scenario.yaml",
            output: [
                "command: [curl, \"-fL\", \"--retry\", 3, \"-o\", \"{output}\", \"{url}\"]", "pack: red+circle\n",
                "directory: ./\n", "- {pack: red+circle, try: 1, status: 503}", "1 cell: 1 passed",
            ], errors: ["What to do next"]),
        ShellCase(
            line: "\"$HW\" init --command 'curl -o {output} {url}' packs >&2 && cat scenario.yaml && "
                + "\"$HW\" run scenario.yaml", status: 99,
            output: ["packs: ./packs\n", "pack: a.bin\n", "never_reports_error", "1 cell: 1 failed"]),
        // A command with shell quotes and characters that are special in YAML, run from another folder.
        ShellCase(
            line:
                "printf '#!/bin/sh\\n[ \"$3\" = \"it'\"'\"'s: #1\" ] || exit 9\\nexec curl -fsL --retry 3 -o \"$2\" \"$1\"\\n' > get; chmod +x get; mkdir s; "
                + "\"$HW\" init game --output s/x.yaml --command './get \"{url}\" '\"'{output}'\"' \"it'\"'\"'s: #1\"' >&2 && "
                + "sed -i 's/3g/lte/; s/attempts: 5/attempts: 1/; /time_to/d' s/x.yaml && cd / && \"$HW\" run \"$OLDPWD/s/x.yaml\"",
            output: ["1 cell: 1 passed"]),
        ShellCase(
            line: "\"$HW\" init --command './nobody {url} {output}'; s=$?; ls -A; exit $s", status: 65,
            errors: ["Could not write a scenario for --command: there is no program"], absent: ["yaml"]),
    ])
    func client(_ one: ShellCase) async throws { try await check(one) }

    @Test(arguments: [
        (
            "curl -O",
            "--command lacks {url}, the address of the pack, and {output}, the file to write. Write: --command './fetch.py"
        ),
        ("curl {url}", "--command lacks {output}, the file to write."), ("", "it is empty"),
        ("curl '", "a quote is not closed"),
        ("curl {url} {ouput}", "'{ouput}' in the command is not a placeholder; the placeholders are {url}"),
        ("curl {url} > {output}", "--command runs without a shell, and '>' needs one."),
        ("curl {url}>{output}", "and '{url}>{output}' needs one."),
        ("get {url} {output};", "and '{output};' needs one."),
        ("get {url} {output} 2>&1", "and '2>&1' needs one."), ("get {url} {output} && true", "and '&&' needs one."),
    ])
    func anIncompleteCommandIsRefused(command: String, why: String) {
        let error = #expect(throws: (any Error).self) { try InitCommand.parse(["--command", command]) }
        #expect(
            error.map { InitCommand.message(for: $0).contains(why) } == true, "\(error.map(InitCommand.message) ?? "")")
    }

    @Test func aCommandNeedsAFolderOfPacks() {
        let error = #expect(throws: (any Error).self) {
            try InitCommand.parse(["--command", "curl -o {output} {url}", "https://a.example/x"])
        }
        #expect(error.map { InitCommand.message(for: $0).contains("--command takes a folder") } == true)
    }

    /// The answers for ``DemoCommand/bugs`` and the control check, and the exit status of the demo.
    @Test(
        "the demo succeeds only if it finds both bugs and the control holds",
        arguments: [
            ([.fails, .fails], .holds, 0), ([.fails, .holds], .holds, 1), ([.holds, .holds], .holds, 1),
            ([.fails, .notMeasured], .holds, 75), ([.notMeasured, .notMeasured], .notMeasured, 75),
            ([.notObservable, .notObservable], .fails, 1), ([.fails, .fails], .fails, 1), ([.fails], .holds, 1),
            ([], .fails, 1),
        ] as [([ClientReport.Answer], ClientReport.Answer, Int32)])
    func status(answers: [ClientReport.Answer], control: ClientReport.Answer, code: Int32) {
        let rows = zip(DemoCommand.bugs, answers).map { ClientReport.Row(name: $0, says: "", answer: $1) }
        let report = ClientReport(
            toolVersion: "1", command: [], patienceSeconds: 1, durationSeconds: 1,
            rows: rows + [ClientReport.Row(name: "good-link", says: "", answer: control)])
        #expect(DemoCommand.status(of: report).code == code)
    }
}
