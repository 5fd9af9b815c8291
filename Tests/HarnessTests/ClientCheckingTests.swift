import Documents
import Foundation
import Results
import SystemPackage
import Testing

@testable import Harness
@testable import Scenarios

/// The answers of checks of a user's client: what holds, what fails, what cannot be observed.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct ClientCheckingTests {
    static let scenarios = [
        "good": "check: {says: Downloads, pack: level.bin, expect: available, is: control}",
        "missing": """
        faults: [{pack: level.bin, status: 404}]
        check: {says: Ends with an error, pack: level.bin, expect: error}
        """,
        "short": """
        faults: [{pack: level.bin, cut: {at: 40 %}}]
        check: {says: Takes no short body, pack: level.bin, expect: error}
        """,
        "once": """
        faults: [{pack: level.bin, try: 1, cut: {at: 40 %}}]
        check: {says: Goes on, pack: level.bin, expect: available, budgets: {redundant_bytes: max <= 16 KiB}}
        """,
        "range": """
        faults: [{pack: level.bin, try: 1, cut: {at: 40 %}}, {pack: level.bin, try: 2, ignore-range: true}]
        check: {says: Begins anew, pack: level.bin, expect: available}
        """,
        "silent": """
        faults: [{pack: level.bin, stall: {at: 40 %}}]
        check: {says: Ends, pack: level.bin, expect: error, takes: 500 ms}
        """,
        "byte": """
        faults: [{pack: level.bin, corrupt: 40 %}]
        check: {says: Finds a wrong byte, pack: level.bin, expect: error, needs: [digest]}
        """,
        "tls": """
        tls: true
        check: {says: Downloads over TLS, pack: level.bin, expect: available, is: authority}
        """,
        "trust": """
        tls: true
        faults: [{pack: level.bin, status: 404}]
        check: {says: Ends over TLS, pack: level.bin, expect: error, needs: [authority]}
        """,
        "pause": "check: {says: Pauses, not-observable: a command makes no requests}",
        "mute": "expect: available",
    ]

    static func check(
        _ script: String, digest: Bool = false, headers: Bool = false, within: Duration = .seconds(20),
        asking chosen: [String: String]? = nil,
        output: FilePath? = nil
    ) async throws -> ClientReport {
        let bench = try Bench(packs: ["level.bin": 200_000, "heavy.bin": 300_000])
        for (name, text) in chosen ?? scenarios {
            let scenario =
                "scenario: \(name)\npacks: ../packs/\nlink: \(Bench.link)\n"
                + "workload: [{request: {tags: [level.bin]}}]\n\(text)\n"
            try bench.write("asked/\(name).yaml", Array(scenario.utf8))
        }
        let client = CheckedCommand(
            words: ["sh", "-c", script, "client", "{url}", "{output}"] + (digest ? ["{digest}"] : [])
                + (headers ? ["{headers}"] : []),
            directory: bench.folder, patience: .seconds(2), within: within)
        let asked = try ScenarioLoader(profiles: Bench.profiles).checks(
            [bench.folder.appending("asked")], asking: client)
        var run = Run(scenarios: [], programs: Bench.programs, toolVersion: "1", commandLine: [])
        run.dependencies = .quiet
        run.backend = .proxy
        run.output = output
        return try await ClientChecking(asked, command: client, run: run).perform().report
    }

    static func answers(_ report: ClientReport) -> [String: String] {
        let pairs = report.rows.map {
            ($0.name, [$0.answer.rawValue, $0.severity?.rawValue].compactMap { $0 }.joined(separator: " "))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// A check that takes longer than the time given to the client is not observable.
    @Test(arguments: [(20, "holds"), (9, "not_observable")])
    func aCheckThatTakesLongIsLeftOut(_ within: Int, _ answer: String) async throws {
        let report = try await Self.check(
            "exec curl -sSf -o \"$2\" \"$1\"", within: .seconds(within),
            asking: [
                "good": Self.scenarios["good"] ?? "",
                "slow": "check: {says: Waits, pack: level.bin, expect: available, lasts: 10 s}",
            ])
        #expect(Self.answers(report)["slow"] == answer, "\(report)")
    }

    @Test func plainCurlFailsTheChecksThatItDoesNotHandle() async throws {
        let report = try await Self.check("exec curl -sSf -o \"$2\" \"$1\"")
        #expect(
            Self.answers(report) == [
                "good": "holds", "missing": "holds", "short": "holds", "once": "fails gives_up",
                "range": "fails gives_up",
                "silent": "fails hangs", "byte": "not_observable", "tls": "holds", "trust": "holds",
                "pause": "not_observable",
            ], "\(report)")
        #expect(report.exitCode == 99)
        let range = try #require(report.rows.first { $0.name == "range" })
        #expect(range.detail.contains("before all faults had happened: the host's fault"), "\(range)")
        #expect(
            report.rows.map(\.answer).prefix(4) == [.fails, .fails, .fails, .holds] && report.rows[0].name == "silent")
        let once = try #require(report.rows.first { $0.name == "once" })
        #expect(once.detail.contains("ended with status 18") && once.detail.contains("it said: curl: (18)"), "\(once)")
    }

    @Test func aClientThatKeepsAnyBodyHasWrongData() async throws {
        let report = try await Self.check("curl -sS -m 2 -o \"$2\" \"$1\"; true", digest: true)
        #expect(
            Self.answers(report) == [
                "good": "holds", "missing": "fails wrong_data", "short": "fails wrong_data", "once": "fails wrong_data",
                "range": "not_observable", "silent": "fails wrong_data", "byte": "fails wrong_data", "tls": "holds",
                "trust": "fails wrong_data", "pause": "not_observable",
            ], "\(report)")
    }

    @Test(arguments: ["mv part \"$2.new\"", "rm part; mkfifo \"$2\"", "rm part"])
    func aClientThatLeavesNoFileFails(_ end: String) async throws {
        let report = try await Self.check("cd \"$TMPDIR\" && curl -sSf -o part \"$1\" && \(end)")
        let row = report.rows[0]
        #expect(row.name == "good" && row.answer == .fails && row.severity == .wrongData, "\(report)")
        #expect(row.detail.contains("'level.bin' "), "\(row)")
    }

    @Test func aClientThatBeginsAnewIsWastefulAndRequestsNoRange() async throws {
        let report = try await Self.check(
            "for try in 1 2 3; do curl -sSf -m 1 -o \"$2\" \"$1\" && exit; done; exit 1")
        let answers = Self.answers(report)
        #expect(answers["once"] == "fails wasteful" && answers["range"] == "not_observable", "\(report)")
        // Each try ends by its own limit, and all of them within the time given.
        #expect(answers["silent"] == "holds", "\(report)")
    }

    /// Repeated tries are signs of life, but the time for all of them has its own limit.
    @Test(arguments: [(20, "holds"), (4, "fails hangs")])
    func repeatedTriesEndByTheTimeForAllOfThem(_ within: Int, _ answer: String) async throws {
        let report = try await Self.check(
            "for try in 1 2 3 4 5 6; do curl -sSf -m 1 -o \"$2\" \"$1\" && exit; done; exit 1",
            within: .seconds(within),
            asking: ["good": Self.heavy["good"] ?? "", "silent": Self.scenarios["silent"] ?? ""])
        #expect(Self.answers(report)["silent"] == answer, "\(report)")
        let row = try #require(report.rows.first { $0.name == "silent" })
        #expect(row.bug == nil && row.detail.contains("'--within 15min'") == (answer != "holds"), "\(row)")
    }

    /// Output is no sign of life.
    ///
    /// The report quotes it, unless it is a progress bar.
    @Test(arguments: [("40 %", false), ("connect: Network is unreachable", true)])
    func aSilentClientIsEndedWhateverItWrites(_ words: String, _ isTold: Bool) async throws {
        let report = try await Self.check(
            "(while sleep 0.1; do echo '\(words)' >&2; done) & curl -sSf -o \"$2\" \"$1\"; kill $!",
            asking: ["good": Self.heavy["good"] ?? "", "silent": Self.scenarios["silent"] ?? ""])
        let row = try #require(report.rows.first { $0.name == "silent" })
        #expect(row.severity == .hangs && row.bug == nil, "\(row)")
        #expect(
            row.detail.contains("longer than the patience of 2 s") && row.detail.contains("'--patience 15min'"),
            "\(row)")
        #expect(row.detail.contains("it said: \(words)") == isTold, "\(row)")
    }

    @Test func aClientThatTrustsNoAuthorityIsNotObservable() async throws {
        let report = try await Self.check("unset CURL_CA_BUNDLE SSL_CERT_FILE; exec curl -sSf -o \"$2\" \"$1\"")
        let answers = Self.answers(report)
        #expect(answers["tls"] == "not_observable" && answers["trust"] == "not_observable", "\(report)")
    }

    /// A shell whose program crashed ends with a status, which is no honest error of the client.
    @Test(arguments: [("exit 138", "holds", ""), ("sh -c 'kill -SEGV $$'; exit $?", "fails crashes", "139: signal 11")])
    func aCrashInAShellIsACrash(_ end: String, _ answer: String, _ detail: String) async throws {
        let report = try await Self.check(
            "curl -sSf -o \"$2\" \"$1\" && exit; \(end)",
            asking: ["good": Self.scenarios["good"] ?? "", "missing": Self.scenarios["missing"] ?? ""])
        #expect(Self.answers(report) == ["good": "holds", "missing": answer], "\(report)")
        let row = try #require(report.rows.first { $0.name == "missing" })
        #expect(detail.isEmpty || row.detail.contains("with status \(detail) ended the program in it"), "\(row)")
    }

    /// A control that this client does not reach says nothing, and neither does any other check.
    @Test func aControlThatIsNotObservableLeavesNothingToJudge() async throws {
        let control = """
            faults: [{pack: level.bin, try: 2, status: 503}]
            check: {says: Downloads, pack: level.bin, expect: available, is: control}
            """
        let report = try await Self.check(
            "exec curl -sSf -o \"$2\" \"$1\"", asking: ["good": control, "missing": Self.scenarios["missing"] ?? ""])
        #expect(Self.answers(report) == ["good": "not_observable", "missing": "not_observable"], "\(report)")
        let missing = report.rows.first { $0.name == "missing" }
        #expect(missing?.detail.hasPrefix("the control is not observable: ") == true, "\(report)")
        #expect(report.exitCode == 75)
    }

    @Test func aCrashOverTLSIsNotTakenForMissingTrust() async throws {
        let report = try await Self.check(
            "case $1 in https*) kill -SEGV $$;; esac; exec curl -sSf -o \"$2\" \"$1\"")
        let answers = Self.answers(report)
        #expect(answers["tls"] == "fails crashes" && answers["trust"] == "fails crashes", "\(report)")
    }

    @Test func noOtherCheckIsObservableIfTheControlFails() async throws {
        let report = try await Self.check("exit 1")
        #expect(report.exitCode == 99 && report.rows[0].name == "good" && report.rows[0].answer == .fails)
        #expect(report.rows.dropFirst().allSatisfy { $0.answer == .notObservable && $0.detail.contains("good link") })
    }

    /// A client's own size is in the control, too; memory that grows with the pack is not.
    @Test(arguments: [("", "holds"), ("case $1 in *heavy*) hold=60000000;; esac;", "fails wasteful")])
    func memoryIsComparedWithTheControl(_ script: String, _ answer: String) async throws {
        let report = try await Self.check(
            "hold=40000000; \(script) python3 -c \"import sys; x = bytearray($hold); x[::4096] = b'x' * len(x[::4096])\"; "
                + "exec curl -sSf -o \"$2\" \"$1\"", asking: Self.heavy)
        #expect(Self.answers(report)["heavy"] == answer, "\(report)")
        let bug = report.rows.first { $0.name == "heavy" }?.bug
        #expect(bug == (answer == "holds" ? nil : .memoryGrows), "\(report)")
    }

    /// A client may give up if its patience ends while the host is silent on purpose.
    ///
    /// The check is then not observable.
    @Test func aClientIsNotBlamedForItsPatience() async throws {
        let get = "exec curl -sSf -m 30 -o \"$2\" \"$1\""
        let asked = [
            "good": Self.heavy["good"] ?? "",
            "late":
                "faults: [{pack: level.bin, late-head: 2 s}]\ncheck: {says: Waits, pack: level.bin, expect: available}",
            "soon":
                "faults: [{pack: level.bin, late-head: 1 s}]\ncheck: {says: Waits, pack: level.bin, expect: available}",
            "long":
                "faults: [{pack: level.bin, late-head: 5 s}]\ncheck: {says: Waits, pack: level.bin, expect: either}",
        ]
        let report = try await Self.check(get, within: .seconds(5), asking: asked)
        let answers = Self.answers(report)
        #expect(answers["late"] == "not_observable" && answers["long"] == "not_observable", "\(report)")
        #expect(answers["soon"] == "holds", "\(report)")
        #expect(
            report.rows.first { $0.name == "late" }?.detail
                == "the host is silent for 2 s here, and the patience is 2 s")
    }

    /// The refusal names the option that was given, and not a key that is in no file.
    @Test func theRefusalOfAShortTimeNamesItsOption() async throws {
        do {
            _ = try await Self.check("exit 1", within: .milliseconds(50))
            Issue.record("a time that nobody can keep was not refused")
        } catch {
            #expect("\(error)".contains("and --within is 50 ms; give '--within 2min', or leave it out"), "\(error)")
        }
    }

    /// A client that polls for its file in a busy loop uses the processor for as long as it waits.
    @Test(arguments: [
        ("exec curl -sSf -o \"$2\" \"$1\"", "holds"),
        (
            "(curl -sSf -o \"$2\" \"$1\"; echo $? > \"$2.end\") & until test -s \"$2.end\"; do :; done; exit $(cat \"$2.end\")",
            "fails wasteful"
        ),
    ])
    func processorTimeIsComparedWithTheControl(_ script: String, _ answer: String) async throws {
        let late = """
            faults: [{pack: level.bin, late-head: 6 s}]
            check: {says: Waits, pack: level.bin, expect: either, cpu-over-control: 1 s}
            """
        let report = try await Self.check(script, asking: ["good": Self.heavy["good"] ?? "", "late": late])
        #expect(Self.answers(report)["late"] == answer, "\(report)")
    }

    /// A client that retries earlier than the host says fails; a pause that the host does not ask for may be short.
    @Test(arguments: [("", "fails wasteful"), ("sleep 1.1;", "holds")])
    func clientsRetryNoEarlierThanTheHostSays(_ pause: String, _ answer: String) async throws {
        let get = "curl -sSf -o \"$2\" \"$1\""
        let busy = """
            faults: [{pack: level.bin, try: 1, status: 503, retry-after: 1 s}]
            check: {says: Comes back, pack: level.bin, expect: {exit: 0, back-off: 50 ms}}
            """
        let report = try await Self.check(
            "\(get) || { \(pause) \(get); }", asking: ["good": Self.heavy["good"] ?? "", "busy": busy])
        #expect(Self.answers(report)["busy"] == answer, "\(report)")
        let row = try #require(report.rows.first { $0.name == "busy" })
        #expect(row.detail.contains("after try 1, instead of at least 1 s") == (answer != "holds"), "\(row)")
    }

    @Test func filesOfAnotherAttemptAreGone() async throws {
        let report = try await Self.check(
            """
            test -z "$(ls -A "$TMPDIR")$(ls -A "$XDG_CACHE_HOME")" && touch "$XDG_CACHE_HOME/part" || exit 9
            curl -sSf -o "$TMPDIR/part" "$1" && mv "$TMPDIR/part" "$2"
            """)
        #expect(Self.answers(report)["good"] == "holds", "\(report)")
        #expect(!report.rows.contains { $0.severity == .wrongData || $0.detail.contains("status 9") }, "\(report)")
    }

    private static let heavy = [
        "good": "check: {says: Downloads, pack: level.bin, is: control}",
        "heavy": "check: {says: Holds nothing, pack: heavy.bin, expect: available, memory-over-control: 8 MB}",
    ]

    @Test func resultsHaveTheControlToo() async throws {
        let bench = try Bench()
        let folder = bench.folder.appending("results")
        _ = try await Self.check("exec curl -sSf -o \"$2\" \"$1\"", output: folder)
        let events = try String(contentsOfFile: folder.appending("events.jsonl").string, encoding: .utf8)
        let result = try RunResult(json: Data(contentsOf: URL(filePath: folder.appending("result.json").string)))
        #expect(result.cells.first?.scenario == "good" && result.cells.count == 8, "\(result.cells.map(\.scenario))")
        for cell in result.cells { #expect(events.contains("\"cell\":\"\(cell.name)\""), "\(cell.name)") }
        #expect(result.isWhole)
    }

    /// A client that resumes without checking that the file is the same joins two editions, which is found at any block
    /// size.
    ///
    /// A client that had saved nothing, and began anew, shows nothing of this.
    @Test(arguments: [
        (8 << 10, "fails wrong_data"), (64 << 10, "fails wrong_data"), (1 << 20, "fails wrong_data"),
        (8 << 20, "not_observable"),
    ])
    func joinedEditionsAreFoundAtAnyBlockSize(_ block: Int, _ answer: String) async throws {
        let names = ["good-link", "pack-changed", "etag-changed"]
        let suite = names.map { Bench.root.appending("scenarios/error-paths/\($0).yaml") }
        let client = CheckedCommand(
            words: [
                "python3", Bench.root.appending("Tests/BrokenClients/resume.py").string, "{url}", "{output}",
                "\(block)",
            ],
            directory: Bench.root, patience: .seconds(10), within: .seconds(60))
        let asked = try ScenarioLoader(profiles: Bench.profiles).checks(suite, asking: client)
        var run = Run(scenarios: [], programs: Bench.programs, toolVersion: "1", commandLine: [])
        run.dependencies = .quiet
        run.backend = .proxy
        let report = try await ClientChecking(asked, command: client, run: run).perform().report
        #expect(
            Self.answers(report) == ["good-link": "holds", "pack-changed": answer, "etag-changed": answer], "\(report)")
        for row in report.rows where row.name != "good-link" {
            #expect(row.bug == (answer == "not_observable" ? nil : ClientBug.keepsStaleBytes), "\(row)")
            #expect(row.detail.contains("it never requested the rest of a pack") == (row.bug == nil), "\(row)")
        }
    }

    /// A report as text, JUnit and JSON.
    @Test func reportsAreReadable() async throws {
        let report = try await Self.check("exec curl -sSf -o \"$2\" \"$1\"")
        let text = report.text()
        for part in ["FAILS: 3 checks by", "HOLDS (5)", "NOT OBSERVABLE for this client", "Exit code 99"] {
            #expect(text.contains(part), "\(text)")
        }
        #expect(report.junit.contains("tests=\"10\" failures=\"3\" errors=\"0\" skipped=\"2\""), "\(report.junit)")
        #expect(try JSONDecoder().decode(ClientReport.self, from: Data(report.jsonText().utf8)) == report)
    }
}
