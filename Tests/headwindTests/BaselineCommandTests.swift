import Foundation
import Testing

/// `headwind run` with baselines and histories, and `headwind report` of their results.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(3)))
struct BaselineCommandTests {
    /// Runs `script` with scenarios to compare.
    ///
    /// Its `again` repeats a command while the machine is too busy to measure.
    private func run(_ script: String) async throws -> ExecRun.Answer {
        let run = try ExecRun()
        defer { run.remove() }
        return try await run.run(
            """
            mkdir packs tmp && chmod 0777 . tmp && printf abc > packs/a.bin && export TMPDIR=$PWD/tmp
            unset HEADWIND_HISTORY; export XDG_STATE_HOME=$PWD/state
            cat > quick.yaml <<'END'
            scenario: Quick
            packs: ./packs/
            link: {downlink: {delay: 5 ms}, uplink: {delay: 5 ms}}
            workload: [{request: {tags: [a.bin]}}]
            budgets: {requests: each <= 1 x baseline, time_to_available: median <= 1 x baseline + 2 s}
            attempts: {min: 5, max: 12}
            END
            sed 's/1 x baseline + 2 s/9 s/; s/1 x baseline/1/' quick.yaml > plain.yaml
            again() {
                measured "$@" > said 2> complained
                echo "$? $(tail -n 1 complained)"
            }
            RUN="$HW run --backend proxy"
            """ + "\n" + script)
    }

    @Test func wrongOptionsAreReportedBeforeAnythingRuns() async throws {
        let answer = try await run(
            """
            again $RUN quick.yaml; grep -c 'there is no baseline in this run' complained
            again $RUN quick.yaml --baseline nothere.json --output untouched; test -s said || echo nothing was run
            again $RUN plain.yaml --baseline b.json
            again $RUN quick.yaml --baseline b.json --against-host http://a.example/
            echo '{}' > b.json; again $RUN quick.yaml --baseline b.json
            again $RUN quick.yaml --against-command 'curl {url}'
            again $RUN quick.yaml --against-client ./none
            again $RUN quick.yaml --against-host example
            echo text > h.sqlite; again $RUN plain.yaml --history h.sqlite
            again $RUN plain.yaml --history h.sqlite --no-history
            again $HW report compare b.json b.json
            again $HW report history
            again $HW report history --history h.sqlite
            again $HW report history --prune-older 3x
            again $RUN plain.yaml --junit /proc/none/x.xml; again $RUN plain.yaml --junit packs
            again $RUN plain.yaml --save-baseline none/b.json; again $HW report html . --output packs
            ls
            """)
        let lines = answer.output.split(separator: "\n").map(String.init)
        let statuses = lines.compactMap { Int($0.prefix { $0 != " " }) }
        #expect(
            statuses == [65, 2, 69, 64, 64, 65, 64, 64, 64, 65, 64, 65, 65, 65, 64, 64, 64, 64, 64],
            "\(answer.output)\(answer.errors)")
        #expect(lines.contains { $0.contains("Could not write '--junit packs': it is a folder.") })
        #expect(lines.contains { $0.contains("it is a file of another kind, and stays unchanged") })
        #expect(lines.contains { $0.contains("There is no history at '") })
        #expect(lines.contains { $0.contains("There is no baseline 'nothere.json'") })
        #expect(lines.contains("nothing was run"))
        #expect(!lines.contains("state") && !lines.contains("untouched"))
    }

    @Test func savedBaselinesAreComparedAndHistoriesShown() async throws {
        let answer = try await run(
            """
            again $RUN quick.yaml --save-baseline base.json --history on
            again $RUN quick.yaml --baseline base.json --output results
            grep -c '"kind" : "stored"' results/result.json
            sed 's/"name" : "quick"/"name" : "other"/' base.json > other.json
            again $RUN quick.yaml --baseline other.json
            grep -o 'The baseline has no data for this cell' said | head -n 1
            again $HW report compare base.json results --metric requests
            grep -c '^quick  requests .* same$' said
            sed -i 's/"kernel" : "[^"]*"/"kernel" : "2.6.32"/' base.json
            again $HW report compare base.json results --format json
            again $HW report history --metric requests --format csv; cut -d , -f 1-3 said | tail -n 1
            again $HW report history --prune-older 1d; grep -c "^0 runs were removed" said
            again $HW report history --prune-to 1kB; grep "removed from" said | cut -d " " -f 3-
            """)
        let lines = answer.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "0 The baseline is in base.json.", "\(answer.output)\(answer.errors)")
        let statuses = lines.compactMap { Int($0.prefix { $0 != " " }) }
        #expect(statuses == [0, 0, 1, 69, 0, 1, 69, 0, 0, 1, 0], "\(answer.output)\(answer.errors)")
        #expect(lines.contains("The baseline has no data for this cell"))
        #expect(lines.contains("quick,requests,count"))
        #expect(lines.contains { $0.contains("state/headwind/history.sqlite") })
    }

    @Test func shardsAreBalancedByAHistory() async throws {
        let answer = try await run(
            """
            again $RUN plain.yaml --history h.sqlite
            $RUN plain.yaml --list --durations h.sqlite > said; grep -c '^plain .* earlier run' said
            echo '{"plain": 77, "other": 1}' > list.json
            $RUN plain.yaml --list --durations list.json > said; grep -c '^plain .* 77 s .*earlier run' said
            echo text > no.sqlite; $RUN plain.yaml --list --durations no.sqlite > said 2> complained; echo $?
            """)
        let lines = answer.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
        #expect(lines == ["0", "1", "1", "65"], "\(answer.output)\(answer.errors)")
    }

    /// The last line of a report gives the exit status of the process, and why it differs from the run's.
    @Test func aBaselineThatIsNotSavedDecidesTheStatus() async throws {
        let answer = try await run(
            """
            sed 's/requests: each <= 1,/requests: each <= 0,/' plain.yaml > held.yaml
            echo 'quarantine: {until: 2999-12-31, reason: a test}' >> held.yaml
            for turn in 1 2 3 4; do
                $RUN held.yaml --save-baseline held.json > said 2> complained; status=$?
                ! grep -q 'No baseline was' complained || break
            done
            echo $status; grep '^Exit code' said; ls held.json
            """)
        let lines = answer.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 2 && lines.first == "75", "\(answer.output)\(answer.errors)")
        let why = "No baseline was written to 'held.json': the cell 'held' has not passed."
        #expect(lines.last?.hasPrefix("Exit code 75: \(why) The run itself: ") == true, "\(answer.output)")
    }
}
