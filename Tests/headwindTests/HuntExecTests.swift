import Foundation
import Testing

/// The built program: the bugs and files that `hunt --exec` reports for any program.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(8)))
struct HuntExecTests {
    private struct Report: Decodable {
        struct Bug: Decodable {
            let severity: String
            let conclusion: String
            let schedule: [String]
            let scenario: String?
        }
        let attempts: Int
        let bugs: [Bug]
    }

    /// Hunts bugs of a shell program that may ask `$PORT` of this machine, a server with `a.bin` of 300,000 bytes.
    ///
    /// The server takes any number of clients at once. The program also gets `words`. Returns the exit status, those
    /// of the further commands, and the report.
    private static func hunt(
        _ options: String, _ program: String, words: String = "", then further: [String] = []
    ) async throws -> (statuses: [String], report: Report, errors: String) {
        // With 75 the machine was too busy to tell: try again.
        let more = further.map { command in
            "for turn in 1 2 3; do \(command) >more 2>&1; status=$?; [ $status = 75 ] || break; done; echo $status"
        }.joined(separator: "\n")
        let answer = try await ExecRun.line(
            """
            mkdir served; head -c 300000 /dev/zero | tr '\\0' x > served/a.bin
            python3 - <<'END' &
            import functools, http.server, os
            class Handler(http.server.SimpleHTTPRequestHandler):
                def log_message(self, *arguments): pass
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory="served"))
            open("new", "w").write(str(server.server_port)); os.rename("new", "port")
            server.serve_forever()
            END
            served=$!
            while [ ! -e port ]; do sleep 0.02; done
            PORT=$(cat port)
            cat > get.sh <<'END'
            #!/bin/sh
            [ -e seen ] && exit 9
            touch seen
            PORT=$1
            \(program)
            END
            chmod +x get.sh
            "$HW" hunt --exec --backend packet --output found --format json \(options) -- ./get.sh $PORT \(words) > report.json
            echo $?
            \(more)
            kill $served
            cat report.json
            """)
        let lines = answer.output.split(separator: "\n", maxSplits: further.count + 1).map(String.init)
        let report = try JSONDecoder().decode(Report.self, from: Data((lines.last ?? "").utf8))
        return (Array(lines.dropLast()), report, answer.errors)
    }

    @Test("a program that hangs is found, and its scenario and its bundle reproduce it")
    func findsHang() async throws {
        let hunted = try await Self.hunt(
            "--for 60s --until-found 1 --only link --within 3s --forward $PORT",
            "exec curl -fsS --retry 3 --retry-all-errors -o a.bin http://127.0.0.1:$PORT/a.bin",
            then: [
                "\"$HW\" run found/bug-1-hangs/fails.yaml",
                "\"$HW\" replay found/bug-1-hangs/results/bundles/fails-* --times 2",
            ])
        #expect(hunted.statuses == ["99", "99", "99"], "\(hunted.errors)")
        let bug = try #require(hunted.report.bugs.first)
        #expect(bug.severity == "hangs" && bug.schedule.count == 1, "\(bug)")
        #expect(bug.conclusion == "It does not end in time")
    }

    @Test("a scenario that lacks a query of the client's URL is not offered, and what it lacks is said")
    func offersNoScenarioWithGaps() async throws {
        let hunted = try await Self.hunt(
            "--for 60s --until-found 1 --only link --within 3s --forward $PORT",
            """
            case $2 in *v=3) ;; *) exit 8 ;; esac
            exec curl -fsS --retry 3 --retry-all-errors -o a.bin http://127.0.0.1:$PORT/a.bin
            """, words: "'http://127.0.0.1/a.bin?v=3'")
        #expect(hunted.statuses == ["99"], "\(hunted.errors)")
        let bug = try #require(hunted.report.bugs.first)
        #expect(bug.severity == "hangs" && bug.scenario == nil, "\(bug)")
        #expect(hunted.errors.contains("lacks secrets or URL queries in: workload"), "\(hunted.errors)")
    }

    @Test("a failure of the oracle is found, though the program ends with 0, and each attempt has an empty folder")
    func asksOracle() async throws {
        let hunted = try await Self.hunt(
            """
            --for 60s --until-found 1 --only packet --within 20s --oracle 'test $HEADWIND_STATUS = 0 && \
            grep -q done $HEADWIND_STDOUT && test $(stat -c %s $HEADWIND_DIRECTORY/a.bin) = 300000'
            """,
            "curl -sS -m 5 -o a.bin http://host.headwind.internal:$PORT/a.bin; echo done; exit 0",
            then: ["\"$HW\" run found/bug-1-wrong-data/fails.yaml"])
        #expect(hunted.statuses == ["99", "99"], "\(hunted.errors)")
        let bug = try #require(hunted.report.bugs.first)
        #expect(bug.severity == "wrong_data" && bug.schedule.count == 1, "\(bug)")
        #expect(bug.conclusion == "The oracle rejects its result")
    }

    @Test("a hunt reports no bug of a program that handles its faults")
    func accusesNoGoodProgram() async throws {
        let hunted = try await Self.hunt(
            "--for 300s --attempts 25 --only packet,link --forward $PORT --oracle 'test -s a.bin || test $HEADWIND_STATUS != 0'",
            """
            exec curl -fsS -m 30 --retry 4 --retry-all-errors --speed-time 5 --speed-limit 1 -o a.bin \
            http://localhost:$PORT/a.bin
            """)
        #expect(hunted.statuses == ["0"], "\(hunted.report.bugs) \(hunted.errors)")
        #expect(hunted.report.attempts == 25 && hunted.report.bugs.isEmpty)
    }
}
