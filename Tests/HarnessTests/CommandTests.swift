import Foundation
import Results
import Scenarios
import Testing

@testable import Harness

/// Foreign programs that replace the built-in client.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct CommandTests {
    typealias Case = EndToEndTests.Case

    static let curl = [
        Case(
            testDescription: "curl through the reverse listener",
            scenario: """
                workload: {command: [curl, --fail, --silent, --output, "{output}", "{url}"], pack: level.bin}
                expect: {exit: 0, files: {level.bin: level.bin}}
                budgets: {time_to_available: max <= 10 s, redundant_bytes: max <= 0, requests: each == 1}
                """),
        Case(
            testDescription: "curl with a bar",
            scenario: """
                workload:
                  command: [curl, --fail, --progress-bar, --output, "{output}", "{url}"]
                  pack: level.bin
                  progress: {from: stderr, match: '(\\d+\\.\\d)%'}
                expect: {exit: 0, files: {level.bin: level.bin}}
                budgets: {progress: [monotonic, ends at 1]}
                """),
        Case(
            testDescription: "a bar that goes back",
            scenario: """
                workload:
                  command: "curl -f -s -o {output} {url}; printf '10%%\\\\r60%%\\\\r50%%\\\\r100%%\\\\n' >&2"
                  pack: level.bin
                  progress: {from: stderr, match: '(\\d+)%'}
                budgets: {progress: [monotonic]}
                """,
            exitCode: 99, words: ["progress"]),
        Case(
            testDescription: "a script with its environment",
            scenario: """
                workload:
                  command: 'test {url} = "$HEADWIND_URL" && curl -fsS -o "$HEADWIND_OUTPUT" "$HEADWIND_URL"'
                  pack: level.bin
                expect: {exit: 0, files: {level.bin: level.bin}}
                """),
        Case(
            testDescription: "a script that fetches the manifest through the proxy",
            scenario: """
                workload:
                  command: 'curl -fsS -o manifest {manifest} && curl -fsS --proxy {proxy} -o {output} {url}'
                  pack: level.bin
                expect: {exit: 0}
                """),
        Case(
            testDescription: "a program that uses the proxy for every address",
            scenario: """
                workload: {command: 'curl -fsS --noproxy "" --proxy {proxy} -o {output} {url}', pack: level.bin}
                expect: {exit: 0, files: {level.bin: level.bin}}
                budgets: {requests: each == 1}
                """),
        Case(
            testDescription: "the same with TLS",
            scenario: """
                tls: true
                workload:
                  command: 'curl -fsS --noproxy "" --proxy {proxy} --cacert {ca} -o {output} {url}'
                  pack: level.bin
                expect: {exit: 0, files: {level.bin: level.bin}}
                """),
        Case(
            testDescription: "one pack of many, by its tags",
            scenario: """
                catalog: shapes
                # A start of curl on a busy machine is a small part of these times.
                link: {downlink: {rate: 2 Mbit/s, delay: 150 ms}, uplink: {rate: 2 Mbit/s, delay: 150 ms}}
                workload: {command: [curl, -fsS, --output, "{output}", "{url}"], pack: circle+red}
                expect: {exit: 0, files: {circle+red: red+circle}}
                budgets: {time_to_available: max <= 1.5 x ideal, redundant_bytes: max <= 0}
                """, measuresTime: true),
        Case(
            testDescription: "a status that is expected",
            scenario: """
                workload: {command: [curl, --fail, --silent, --output, "{output}", "{url}"], pack: level.bin}
                faults: [{pack: level.bin, status: 404}]
                expect: {exit: 22}
                """),
        Case(
            testDescription: "a fault of the manifest is the client's to meet",
            scenario: """
                workload: {command: [curl, --fail, --silent, "{manifest}"]}
                faults: [{pack: manifest, try: 1, status: 503}]
                expect: {exit: 22}
                """),
        Case(
            testDescription: "events out of order and out of time decide nothing",
            scenario: """
                workload:
                  command: |
                    now=$(awk '{printf "%d000000", $1 * 1000 + 5}' /proc/uptime)
                    curl -fsS -o {output} {url}
                    echo '{"v":1,"t":1,"event":"progress","id":"x","fraction":0.5}'
                    echo '{"v":1,"t":'$now',"event":"progress","id":"x","fraction":0.1}'
                  pack: level.bin
                budgets: {time_to_available: max <= 10 s}
                """),
        Case(
            testDescription: "a status that is not",
            scenario: """
                workload: {command: [curl, --fail, --silent, --show-error, "{url}"], pack: level.bin}
                faults: [{pack: level.bin, status: 404}]
                """,
            exitCode: 99, words: ["22", "said    curl: (22) The requested URL returned error: 404"]),
        Case(
            testDescription: "a cut by a reset is at its byte for the client too",
            scenario: """
                link: {rtt: 40 ms, downlink: {rate: 2 Mbit/s}}
                workload:
                  command: |
                    curl -sS -o {output} {url}
                    test $? = 56 -a "$(stat -c %s {output})" = 80000 && curl -sS -C - -o {output} {url}
                  pack: level.bin
                faults: [{pack: level.bin, try: 1, cut: {at: 40 %, how: rst}}]
                expect: {files: {level.bin: level.bin}}
                budgets: {redundant_bytes: max <= 0}
                """),
        Case(
            testDescription: "other content than the host's",
            scenario: """
                workload: {command: "curl -fsS {url} | tr a b > {output}", pack: level.bin}
                expect: {exit: 0, files: {level.bin: level.bin}}
                """,
            exitCode: 99, words: ["level.bin", "different content"]),
        Case(
            testDescription: "no content at all",
            scenario: """
                workload: {command: "curl -fsS {url} > /dev/null", pack: level.bin}
                expect: {exit: 0, files: {level.bin: level.bin}}
                """,
            exitCode: 99, words: ["level.bin"]),
        Case(
            testDescription: "the run's own authority",
            scenario: """
                tls: true
                workload: {command: [curl, -fsS, --cacert, "{ca}", --output, "{output}", "{url}"], pack: level.bin}
                expect: {exit: 0, files: {level.bin: level.bin}}
                """),
        Case(
            testDescription: "an authority that is not needed",
            scenario: """
                workload: {command: 'grep -q BEGIN {ca} && test "$CURL_CA_BUNDLE" != {ca} && curl -fsS --output {output} {url}', pack: level.bin}
                expect: {exit: 0, files: {level.bin: level.bin}}
                """),
        Case(
            testDescription: "no authority but the run's",
            scenario: """
                tls: true
                workload: {command: 'env -u CURL_CA_BUNDLE -u SSL_CERT_FILE curl -fsS -o {output} {url}', pack: level.bin}
                expect: {exit: 60}
                """),
        Case(
            testDescription: "a program that corrupts what it says it has",
            scenario: """
                workload: {command: [curl, --fail, --silent, --output, "{output}", "{url}"], pack: level.bin}
                faults: [{pack: level.bin, corrupt: 50 %}]
                """, exitCode: 99, words: ["different content"]),
        Case(
            testDescription: "a fault of the host that nobody met",
            scenario: """
                workload: {command: [curl, --fail, --silent, --output, "{output}", "{url}"], pack: level.bin}
                faults: [{pack: level.bin, try: 7, status: 503}, {pack: level.bin, cut: {at: 500 MiB}}]
                """, exitCode: 65, words: ["affected no answer", "try=7 status=503", "cut@"]),
        Case(
            testDescription: "a program that crashes",
            scenario: "workload: {command: 'kill -SEGV $$'}", exitCode: 99, words: ["signal 11"]),
    ]

    @Test(arguments: curl) func command(_ test: Case) async throws {
        try await EndToEndTests.check(test)
    }

    /// The last lines of a failed program's output are kept, without secrets; those of an expected end are not.
    @Test func lastWords() async throws {
        let bench = try Bench()
        var run = try bench.prepare(
            """
            workload: {command: 'for i in $(seq 30); do echo "line $i" >&2; done; echo "token=s3""cret" >&2; exit 3'}
            """)
        run.output = bench.folder.appending("results")
        let result = try await run.perform()
        #expect(result.exitCode == 99)
        #expect(result.attributions == [.clientFailed])
        let said = try #require(result.cells[0].attempts[0].clientOutput)
        #expect(said == (12...30).map { "line \($0)" } + ["token=[redacted]"])
        for name in ["result.json", "junit.xml", "summary.md"] {
            let text = try String(contentsOfFile: bench.folder.appending("results/\(name)").string, encoding: .utf8)
            #expect(text.contains("line 30") && !text.contains("s3cret"), "\(name)")
        }
        let asExpected = try await bench.run("workload: {command: 'echo x >&2; exit 3'}\nexpect: {exit: 3}")
        #expect(asExpected.exitCode == 0, "\(asExpected.text)")
        #expect(asExpected.cells[0].attempts[0].clientOutput == nil)
    }

    /// The time to end processes that a program leaves behind is not part of the program's time.
    @Test func survivors() async throws {
        let result = try await Bench().run(
            """
            workload:
              command: "curl -fsS -o {output} {url}; (trap '' TERM; sleep 600 & sleep 600) >/dev/null 2>&1 & exit 0"
              pack: level.bin
            budgets: {time_to_available: max <= 1.9 s}
            """)
        #expect(result.exitCode == 0, "\(result.text)")
        let attempt = try #require(result.cells.first?.attempts.first)
        #expect(attempt.notes.contains("2 processes outlived the client and were ended"), "\(attempt.notes)")
    }

    static func isInstalled(_ program: String) -> Bool {
        ["/usr/bin/", "/usr/local/bin/", "/bin/"].contains {
            FileManager.default.isExecutableFile(atPath: $0 + program)
        }
    }

    @Test(.enabled(if: isInstalled("wget"))) func wgetResumes() async throws {
        try await EndToEndTests.check(
            Case(
                testDescription: "wget -c",
                scenario: """
                    workload: {command: [wget, -c, -q, --tries=3, --waitretry=0, -O, "{output}", "{url}"], pack: level.bin}
                    faults: [{pack: level.bin, try: 1, cut: {at: 50 %, how: fin}}]
                    expect: {exit: 0, files: {level.bin: level.bin}}
                    budgets: {requests: each == 2, redundant_bytes: max <= 0}
                    """))
    }

    @Test(.enabled(if: isInstalled("aria2c"))) func aria2() async throws {
        try await EndToEndTests.check(
            Case(
                testDescription: "aria2c",
                scenario: """
                    workload:
                      command: [aria2c, --quiet, --no-conf, --dir=., "--out=level.bin", --split=2, --min-split-size=1M, "{url}"]
                      pack: level.bin
                    expect: {exit: 0, files: {level.bin: level.bin}}
                    budgets: {redundant_bytes: max <= 0}
                    """))
    }
}
