import Testing

/// `headwind run --resume` continues a run that was killed or interrupted, in its folder.
@Suite("Resumed runs", .sideBySide, .serialized, .timeLimit(.minutes(3)))
struct ResumeCommandTests {
    /// Runs a line next to a scenario of four cells, whose last one is broken.
    private func run(_ line: String) async throws -> ExecRun.Answer {
        let run = try ExecRun()
        defer { run.remove() }
        return try await run.run(
            """
            unset CI_JOB_NAME
            mkdir packs && head -c 50000 /dev/urandom > packs/a.bin
            cat > s.yaml <<'END'
            scenario: four
            packs: ./packs/
            link: {downlink: {rate: 1 Mbit/s, delay: 5 ms}}
            workload: [{request: {tags: [a.bin]}}]
            matrix: {link.seed: [1, 2, 3, 4]}
            budgets: {bytes_on_wire: max <= 100 kB}
            END
            RUN="$HW run --backend proxy --jobs 1 s.yaml --output r"
            # Leaves the plan of a run by shards, which has ended or not: plan FINISHED
            plan() {
                mkdir -p r/shards
                printf '%s"finished": %s}' > r/shards/plan.json '{"schema_version": 1, "tool_version": "1",
                    "token": "headwind-1", "engine": "slurm", "options": [], "division": "d", "cells": [["a"]],
                    "command": {"program": "/a", "directory": "/", "options": [], "scenarios": []}, "seconds": [[1]],
                    "submissions": [{"number": 1, "shards": [1], "jobs": ["1"]}], ' $1
            }
            # Runs until so many cells are done, and ends it by a signal: cut COUNT SIGNAL WORDS
            cut() {
                count=$1 signal=$2; shift 2; : > cut.err
                "$@" > cut.out 2> cut.err & pid=$!
                for i in $(seq 600); do
                    [ "$(grep -c '^\\[' cut.err)" -ge "$count" ] && break
                    kill -0 $pid 2> /dev/null || break
                    sleep 0.1
                done
                kill -$signal $pid; wait $pid
            }
            \(line)
            """)
    }

    @Test(arguments: [
        ShellCase(
            line:
                "cut 2 KILL $RUN --junit j.xml; \"$HW\" run --resume r > out 2> err; echo $?; cat err; ls r; ls r/schedules | sed 's/-[0-9]*.txt$//' | sort -u | wc -l; cmp j.xml r/junit.xml && echo same",
            output: [
                "0\\n2 of 4 cells are finished already\\n2 cells to run\\n[1/2] pass", "result.json", "\\n4\\nsame\\n",
            ], absent: ["sittings", "[3/"]),
        ShellCase(
            line:
                "cut 1 INT $RUN; echo $?; cut 1 KILL \"$HW\" run --resume r; $RUN --resume=r; echo $?; cut 1 KILL $RUN; ls r",
            output: ["130\\n64\\nevents.jsonl\\n", "schedules\\nsummary.md\\n"], errors: ["leave out --output"]),
        ShellCase(
            line:
                "cut 1 KILL $RUN; cut 1 KILL \"$HW\" run --resume r; ls r/sittings; \"$HW\" run --resume r > out 2> err; echo $?; head -n 1 err; \"$HW\" run --resume r | grep passed; ls r",
            output: [
                "1\\n2\\n0\\n2 of 4 cells are finished already\\n", "4 cells: 4 passed; 4 attempts", "report.html",
            ]),
        // Shards of an earlier run are removed; those that may still run are not.
        ShellCase(
            line:
                "plan true; cut 2 KILL $RUN; ls r; \"$HW\" run --resume r > out 2> err; head -n 1 err; plan false; $RUN; echo $?; ls r/shards",
            output: ["schedules\\n", "\\n2 of 4 cells are finished already\\n75\\nplan.json\\n"],
            errors: ["shards of another run may still write to it"], absent: ["shards\\n"]),
        ShellCase(
            line:
                "cut 2 KILL $RUN; sed -i 's/100 kB/10 kB/' s.yaml; \"$HW\" run --resume r > out 2> err; echo $?; head -n 1 err; grep -c '4 cells: 4 failed' out",
            output: ["99\\n0 of 4 cells are finished already\\n1\\n"]),
        ShellCase(
            line:
                "cut 2 KILL $RUN; sed -i 's/2, 3, 4/3, 4, 5/' s.yaml; \"$HW\" run --resume r; echo $?; sed -i 's/3, 4, 5/2, 3, 4, 5/' s.yaml; \"$HW\" run --resume r; echo $?; ls r; mkdir n; \"$HW\" run --resume n; echo $?; \"$HW\" run --resume m; echo $?",
            output: ["65\\n65\\nevents.jsonl\\n", "result.json\\nschedules\\n", "65\\n65\\n"],
            errors: [
                "its cells differ from those of these scenarios", "'n': it has no result.json",
                "'m': it is not a folder",
            ]),
        ShellCase(
            line:
                "export CI_NODE_INDEX=1 CI_NODE_TOTAL=2; cut 1 KILL \"$HW\" run s.yaml --backend proxy --jobs 1 --output r; export CI_NODE_INDEX=2; \"$HW\" run --resume r s.yaml --shard 2/2; echo $?; unset CI_NODE_INDEX CI_NODE_TOTAL; \"$HW\" run --resume r > out 2> err; echo $?; \"$HW\" run s.yaml --shard 2/2 --backend proxy --output q > /dev/null 2>&1; \"$HW\" report merge q r --output w 2>&1 | tail -n 4",
            output: ["64\\n0\\n", "4 cells: 4 passed"], errors: ["'r' is shard 1/2, so"]),
    ])
    func aRunContinuesWhereItEnded(_ shell: ShellCase) async throws {
        shell.check(try await run(shell.line))
    }
}
