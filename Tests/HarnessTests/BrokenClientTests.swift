import Foundation
import Results
import Scenarios
import Testing

@testable import Harness

/// Clients that claim content that never reached them, each with and without files that the scenario names.
///
/// None may pass, and none may be taken for trouble with the link.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct BrokenClientTests {
    /// A script that replaces the client, and what goes wrong.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var script: String
        var faults = ""
        /// Bytes of the pack that cross the link; nil if the number varies.
        var delivered: Int?
        /// Whether it leaves a file where the pack should be.
        var leavesOutput = true
    }

    static let cut = "faults: [{pack: level.bin, cut: {at: 40 %}}]"

    static let broken = [
        Case(
            testDescription: "takes a short body for whole", script: "curl -sS -o {output} {url}; true", faults: cut,
            delivered: 400_000),
        Case(
            testDescription: "takes a body without its last byte for whole",
            script: "curl -sS -o {output} {url}; true",
            faults: "faults: [{pack: level.bin, cut: {at: 999999 B}}]", delivered: 999_999),
        Case(
            testDescription: "takes a reset for an end", script: "curl -sS -o {output} {url}; true",
            faults: "faults: [{pack: level.bin, cut: {at: 40 %, how: rst}}]"),
        Case(
            testDescription: "takes a short body over TLS for whole", script: "curl -sS -o {output} {url}; true",
            faults: "tls: true\n" + cut, delivered: 400_000),
        Case(
            testDescription: "resumes at the wrong place",
            script: "curl -sS -o {output} {url}; curl -sS -r 500000- {url} >> {output}; true", faults: cut,
            delivered: 900_000),
        Case(
            testDescription: "fetches half", script: "curl -sSf -r 0-499999 -o {output} {url}", delivered: 500_000),
        Case(testDescription: "leaves in the middle", script: "curl -sSf {url} | head -c 500000 > {output}"),
        Case(
            testDescription: "fetches the same half twice",
            script: "for i in 1 2; do curl -sSf -r 0-499999 {url}; done > {output}", delivered: 500_000),
        Case(
            testDescription: "fetches another pack",
            script: "curl -sSf -o {output} {url}/../other.bin --path-as-is; true",
            delivered: 0, leavesOutput: false),
        Case(testDescription: "asks for the head alone", script: "curl -sSfI -o {output} {url}", delivered: 0),
        Case(testDescription: "fetches the manifest alone", script: "curl -sSf -o {output} {manifest}", delivered: 0),
        Case(
            testDescription: "takes an error's body for the pack", script: "curl -sS -o {output} {url}",
            faults: "faults: [{pack: level.bin, status: 503}]", delivered: 0),
        Case(
            testDescription: "takes a redirection for the pack", script: "curl -sS -o {output} {url}",
            faults: "faults: [{pack: level.bin, redirect: /other.bin}]", delivered: 0),
        Case(
            testDescription: "takes a captive portal for the pack", script: "curl -sSf -o {output} {url}",
            faults: "faults: [{pack: level.bin, body: {text: '<html>Log in</html>', type: text/html}}]"),
        Case(testDescription: "does nothing", script: "true", delivered: 0, leavesOutput: false),
        Case(
            testDescription: "makes the file up", script: "head -c 1000000 /dev/zero > {output}", delivered: 0),
    ]

    /// Clients that receive every byte, and still store something else than the pack.
    static let spoilt = [
        Case(
            testDescription: "resumes one byte before where it was cut",
            script: "curl -sS -o {output} {url}; curl -sSf -r 399999- {url} >> {output}",
            faults: "faults: [{pack: level.bin, try: 1, cut: {at: 40 %}}]"),
        Case(
            testDescription: "appends the whole pack to what it has",
            script: "curl -sS -o {output} {url}; curl -sSf {url} >> {output}",
            faults: "faults: [{pack: level.bin, try: 1, cut: {at: 40 %}}]"),
        Case(
            testDescription: "keeps half of what came", script: "curl -sSf {url} > all; head -c 500000 all > {output}"),
        Case(
            testDescription: "believes a length that is wrong", script: "curl -sSf -o {output} {url}",
            faults: "faults: [{pack: level.bin, wrong-length: -10}]"),
        Case(testDescription: "leaves an empty file", script: "curl -sSf -o all {url}; : > {output}"),
    ]

    @Test(arguments: spoilt) func aWrongFileIsFound(_ test: Case) async throws {
        for files in ["", "expect: {exit: 0, files: {level.bin: level.bin}}\n"] {
            let result = try await Self.run(test.script, test.faults + "\n" + files)
            #expect(result.exitCode == 99, "\(files)\(result.text)")
            #expect(result.attributions.contains(.contentWrong), "\(result.text)")
        }
    }

    /// A pack may be stored elsewhere, or unpacked, and a client that gives up may leave half of it.
    @Test(arguments: [
        ("curl -sSf -o elsewhere {url}", "", ""),
        ("curl -sSf -o all {url}; mkdir -p {output}; mv all {output}/", "", ", leaves-output: false"),
        ("curl -sSf -o {output} {url}", cut, ""),
    ])
    func isNotAccusedOfWrongContent(script: String, faults: String, more: String) async throws {
        let result = try await Self.run(script, faults, more: more)
        #expect(!result.attributions.contains(.contentWrong), "\(result.text)")
        #expect(result.exitCode == (faults.isEmpty ? 0 : 99), "\(result.text)")
    }

    static let good = [
        Case(testDescription: "curl", script: "curl -sSf -o {output} {url}"),
        Case(testDescription: "curl over TLS", script: "curl -sSf -o {output} {url}", faults: "tls: true"),
        Case(
            testDescription: "resumes where it was cut",
            script: "until curl -sSf -C - -o {output} {url}; do :; done",
            faults: "faults: [{pack: level.bin, try: 1-2, cut: {at: 40 %}}]"),
        Case(
            testDescription: "begins anew after a reset", script: "until curl -sSf -o {output} {url}; do :; done",
            faults: "faults: [{pack: level.bin, try: 1, cut: {at: 40 %, how: rst}}]"),
        Case(
            testDescription: "fetches two halves at once, and a little twice",
            script: """
                curl -sSf -r 0-500099 -o a {url} & curl -sSf -r 500000- -o b {url}; wait; \
                (head -c 500000 a; cat b) > {output}
                """),
        Case(
            testDescription: "begins with everything, and leaves when others bring the rest",
            script: """
                curl -sSf -r 250000- -o b {url} & curl -sSf --limit-rate 200k {url} | head -c 250000 > a; wait; \
                cat a b > {output}
                """),
        Case(
            testDescription: "goes by the proxy",
            script: "curl -sSf --noproxy '' --proxy {proxy} -o {output} "
                + "http://packs.headwind.internal/level.bin"),
        Case(
            testDescription: "follows a redirection to the same content",
            script: "curl -sSfL -o {output} {url}",
            faults: "faults: [{pack: level.bin, redirect: /twin.bin}]"),
    ]

    @Test(arguments: good) func isNotAccused(_ test: Case) async throws {
        for files in ["", "expect: {exit: 0, files: {level.bin: level.bin}}\n"] {
            let result = try await Self.run(test.script, test.faults + "\n" + files)
            #expect(result.exitCode == 0, "\(files)\(result.text)")
        }
    }

    /// Fetches parallel ranges, some of which are given up where another one begins.
    @Test(.enabled(if: CommandTests.isInstalled("aria2c"))) func parallelRangesAreNotAccused() async throws {
        let bench = try Bench(packs: ["level.bin": 4_000_000])
        let script = "aria2c --quiet --no-conf -x4 -s4 --min-split-size=1M --dir=. --out=level.bin {url}"
        for files in ["", "expect: {exit: 0, files: {level.bin: level.bin}}\n"] {
            let result = try await Self.run(script, files, bench)
            #expect(result.exitCode == 0, "\(result.text)")
        }
    }

    /// Content that did not cross the link says nothing about the client.
    @Test(arguments: [
        "cp PACK {output}", "cp PACK elsewhere.bin",
        "curl -sSf -r 0-99 -o /dev/null {url}; cp PACK {output}",
        "tag=$(curl -sSfI {url} | grep -i ^etag | cut -c 7- | tr -d '[:cntrl:]'); curl -sSf -H \"If-None-Match: $tag\" {url}",
    ]) func contentFromElsewhereBypassesTheLink(script: String) async throws {
        let bench = try Bench(packs: ["level.bin": 1_000_000])
        let script = script.replacing("PACK", with: "'\(bench.folder.appending("packs/level.bin"))'")
        let files = script.contains("elsewhere") ? "expect: {exit: 0, files: {elsewhere.bin: level.bin}}\n" : ""
        let result = try await Self.run(script, files, bench)
        SabotageTests.expect(result, .linkBypassed)
    }

    /// A command that requests no pack need not leave one.
    @Test func noPackIsAskedFor() async throws {
        let bench = try Bench()
        let result = try await bench.run("workload: {command: 'curl -sSf -o manifest {manifest}'}")
        #expect(result.exitCode == 0, "\(result.text)")
    }

    /// A built-in client that reports a success that it did not have.
    @Test func builtInClientThatLies() async throws {
        let bench = try Bench()
        var programs = Bench.programs
        let script = #""\#(programs.client)" "$@" | sed -e '/"error"/s/"event":"error"/"event":"available"/' "#
        programs.client = try bench.script("client", script + #"-e 's/"status":1/"status":0/'; exit 0"#)
        let result = try await bench.run(
            "faults: [{pack: level.bin, cut: {at: 40 %}}]\npatience: 1 s", programs: programs)
        #expect(result.exitCode == 99, "\(result.text)")
        #expect(result.attributions.contains(.contentIncomplete), "\(result.text)")
    }

    /// A built-in client that reports no progress.
    @Test func builtInClientThatReportsNoProgress() async throws {
        let bench = try Bench()
        var programs = Bench.programs
        let numbered = #"sed -e 's/,"n":[0-9]*//'"#
        programs.client = try bench.script(
            "client", "'\(programs.client)' \"$@\" | grep -v '\"progress\"' | \(numbered)")
        let result = try await bench.run(
            "budgets: {progress: [monotonic, ends at 1, honest within 2 %]}", programs: programs)
        #expect(result.exitCode == 99, "\(result.text)")
        #expect(result.cells[0].checks.filter { $0.verdict == .fail }.count == 3, "\(result.text)")
    }

    private static func run(_ script: String, _ rest: String, _ bench: Bench? = nil, more: String = "") async throws
        -> RunResult
    {
        // The pack takes half a second, so that a short fetch is much faster than ideal.
        let bench = try bench ?? Bench(packs: ["level.bin": 1_000_000, "other.bin": 1_000, "twin.bin": 1_000_000])
        let text = script.replacing("\"", with: "\\\"")
        return try await bench.run(
            """
            workload: {command: "\(text.replacing("\\n", with: "\\\\n"))", pack: level.bin\(more)}
            budgets: {time_to_available: max <= 30 s}
            \(rest)
            """)
    }
}
