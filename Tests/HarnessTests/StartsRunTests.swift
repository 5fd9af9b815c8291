import Results
import Testing

@testable import Harness

/// Commands that are started twice, and files at their output before they start.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct StartsRunTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var script: String
        /// Keys of the workload.
        var keys = ""
        var scenario: String
        /// The bug that is found; nil if there is none.
        var bug: ClientBug?
        /// Whether it fails without a named bug.
        var fails = false
        var statuses: [Int?]?
    }

    private static let missing = """
        faults:
          - {pack: level.bin, try: 1, cache-control: max-age=1}
          - {pack: level.bin, try: 1, status: 404}
        """
    private static let slow = """
        link: {downlink: {rate: 4 Mbit/s, delay: 10 ms}, uplink: {rate: 4 Mbit/s}}
        expect: either
        """
    private static let cut = """
        faults: [{pack: level.bin, cut: {at: 40 %}}]
        expect: {error: any, keeps: [linked-file]}
        """
    private static let privately = "expect: {keeps: [private-edition]}"
    private static let linked = "expect: {keeps: [linked-file]}"

    private static let cases = [
        Case(
            testDescription: "asks again", script: "curl -sSf -o {output} {url}", keys: ", starts: again",
            scenario: missing, statuses: [22, 0]),
        Case(
            testDescription: "keeps that there was none",
            script: "[ ! -e none ] && curl -sf -o {output} {url} || { touch none; echo none >&2; exit 9; }",
            keys: ", starts: again", scenario: missing, bug: .cachesErrors, statuses: [9, 9]),
        Case(
            testDescription: "is in its own way",
            script: "set -C; echo > part || exit 1; curl -sSf -o {output} {url} || exit 1", keys: ", starts: again",
            scenario: missing, fails: true, statuses: [1, 1]),
        Case(
            testDescription: "appends to what another one writes", script: "curl -sSf -C - -o {output} {url}",
            keys: ", starts: side-by-side", scenario: slow, bug: .mixesDownloads),
        Case(
            testDescription: "has a file of its own",
            script: "curl -sSf -o {output}.$$ {url} && mv {output}.$$ {output}", keys: ", starts: side-by-side",
            scenario: slow, statuses: [0, 0]),
        Case(
            testDescription: "takes what another one has so far",
            script: "[ -e {output} ] || curl -sSf -o {output} {url}", keys: ", starts: side-by-side", scenario: slow,
            fails: true, statuses: [0, 0]),
        Case(
            testDescription: "says each time that all is well", script: "curl -sSf -o {output} {url} || true",
            keys: ", starts: again", scenario: missing, fails: true, statuses: [0, 0]),
        Case(
            testDescription: "waits for the other one", script: "flock lock curl -sSf -o {output} {url}",
            keys: ", starts: side-by-side", scenario: slow, statuses: [0, 0]),
        Case(
            testDescription: "locks the other one out",
            script: "exec 9> lock; flock -n 9 && curl -sSf -o {output} {url}",
            keys: ", starts: side-by-side", scenario: slow, statuses: [0, 1]),
        Case(testDescription: "writes over it", script: "curl -sSf -o {output} {url}", scenario: privately),
        Case(
            testDescription: "renames another file over it",
            script: "umask 022; curl -sSf -o new {url} && mv new {output}", scenario: privately),
        Case(
            testDescription: "gives it to everybody",
            script: "curl -sSf -o new {url} && chmod 666 new && mv new {output}", scenario: privately,
            bug: .widensPermissions),
        Case(
            testDescription: "gives the new one its permissions",
            script: "curl -sSf -o new {url} && chmod --reference={output} new && mv new {output}", scenario: privately),
        Case(testDescription: "writes through a link", script: "curl -sSf -o {output} {url}", scenario: linked),
        Case(
            testDescription: "replaces a link", script: "curl -sSf -o new {url} && mv new {output}", scenario: linked),
        Case(
            testDescription: "empties what a link leads to, and replaces the link",
            script: ": > {output}; curl -sSf -o new {url} && mv new {output}", scenario: linked, bug: .harmsOtherFiles),
        Case(
            testDescription: "writes a part through a link", script: "curl -sSf -o {output} {url}", scenario: cut,
            bug: .harmsOtherFiles),
        Case(
            testDescription: "leaves a link until all is there",
            script: "curl -sSf -o new {url} && mv new {output}", scenario: cut),
    ]

    @Test(arguments: cases)
    func isSeen(_ test: Case) async throws {
        let bench = try Bench(packs: ["level.bin": 1_000_000])
        let result = try await bench.run(
            "workload: {command: '\(test.script)', pack: level.bin\(test.keys)}\n" + test.scenario)
        #expect(result.exitCode == (test.bug == nil && !test.fails ? 0 : 99), "\(result.text)")
        #expect(result.cells[0].diagnoses?.first?.bug == test.bug, "\(result.text)")
        let conduct = try #require(result.cells[0].attempts.first?.conduct)
        #expect((conduct.starts == nil) == test.keys.isEmpty)
        if let statuses = test.statuses { #expect(conduct.starts?.map(\.exitStatus) == statuses) }
    }
}
