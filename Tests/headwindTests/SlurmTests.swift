import FoundationEssentials
import SystemPackage
import Testing

/// `headwind run --on slurm` with a Slurm of three nodes, which `Slurm/cluster` starts in its own namespaces.
@Suite("Runs on Slurm", .serialized, .timeLimit(.minutes(4)), .needsRoot, .needsSlurm)
struct SlurmTests {
    private static let cluster = FilePath(#filePath).removingLastComponent().appending("Slurm/cluster")

    /// Runs a script of ``EngineScript`` next to Slurm.
    private func run(_ script: String) async throws -> ExecRun.Answer {
        let run = try ExecRun()
        defer { run.remove() }
        return try await run.run(EngineScript.writing(script) + "\n\(Self.cluster) slurm sh ./script")
    }

    @Test func aNodeThatDiesChangesNothingAboutTheResult() async throws {
        let answer = try await run(
            """
            "$HW" run --quick --output one > one.txt 2> one.err; echo "one $?"
            "$HW" run --quick --on slurm --shards 3 --engine-option exclusive --output lost > lost.txt 2> lost.err & pid=$!
            await 'runs on n2' lost.err
            touch slurm/kill.n2
            wait $pid; echo "lost $?"
            grep 'is run again' lost.err
            cells one > one.cells; cells lost > lost.cells
            diff one.cells lost.cells && wc -l < lost.cells
            ls lost/shards/shard-*.2.*.exit
            """)
        #expect(answer.output.contains("one 0\nlost 0\n"), "\(answer.output)\(answer.errors)")
        #expect(answer.output.contains("is run again: the node n2 failed (NODE_FAIL, job"), "\(answer.output)")
        #expect(answer.output.contains("\n6\n"), "\(answer.output)\(answer.errors)")
        #expect(answer.output.contains("lost/shards/shard-"), "\(answer.output)")
    }

    @Test func aKilledOrInterruptedCoordinatorIsResumed() async throws {
        let answer = try await run(
            """
            RUN="--only good --only offline --only pack-missing --quick --on slurm --shards 2"
            "$HW" run $RUN --output killed > killed.txt 2> killed.err & pid=$!
            await 'submitted to slurm' killed.err
            kill -KILL $pid; wait $pid
            "$HW" run --on slurm --quick --output killed 2>&1 | tail -n 1
            "$HW" run --resume killed > resumed.txt 2> resumed.err; echo "resumed $?"
            cells killed
            # Nothing was started twice.
            squeue --noheader --states=all --array | wc -l
            "$HW" run $RUN --output cut > cut.txt 2> cut.err & pid=$!
            await '^.1/3. ' cut.err
            kill -INT $pid; wait $pid; echo "cut $?"
            squeue --noheader --states=PENDING,RUNNING,COMPLETING | wc -l
            "$HW" run --resume cut > again.txt 2> again.err; echo "again $?"
            cells cut
            "$HW" run $RUN --output cut --progress json --format json 2> json > /dev/null; echo "json $?"
            grep -c '^{"event":"judged"' json; grep -v '^{' json
            """)
        let cells = "good pass\noffline pass\npack-missing pass\n"
        #expect(
            answer.output.contains("resumed 0\n\(cells)2\ncut 130\n0\nagain 0\n\(cells)json 0\n3\n"),
            "\(answer.output)\(answer.errors)")
        #expect(answer.output.hasPrefix("headwind: Could not use '"), "\(answer.output)")
        #expect(answer.output.contains("Continue that run with 'headwind run --resume killed'"), "\(answer.output)")
    }

    /// Slurm has accepted the jobs when Ctrl-C ends sbatch, so that Headwind never reads their numbers.
    @Test func jobsOfAnInterruptedSubmissionAreCancelled() async throws {
        let answer = try await run(
            """
            mkdir bin
            printf '#!/bin/sh\n/usr/bin/sbatch "$@" > accepted.new; mv accepted.new accepted; exec sleep 100\n' > bin/sbatch
            chmod +x bin/sbatch
            PATH=$PWD/bin:$PATH "$HW" run --only offline --quick --on slurm --output cut > cut.txt 2> cut.err & pid=$!
            await '^[0-9]' accepted
            kill -INT $pid; wait $pid; echo "cut $?"
            squeue --noheader --states=PENDING,RUNNING,COMPLETING | wc -l
            squeue --noheader --states=all --jobs=$(cat accepted) --format=%T
            "$HW" run --resume cut --client ./other > other.txt 2> other.err; echo "other $?"
            "$HW" run --resume cut > again.txt 2> again.err; echo "again $?"
            cells cut; cat cut.err other.err again.err
            """)
        #expect(
            answer.output.contains("cut 130\n0\nCANCELLED\nother 64\nagain 0\noffline pass\n"),
            "\(answer.output)\(answer.errors)")
        #expect(answer.output.contains("Leave out '--client', or start a new run."), "\(answer.output)")
    }

    /// Headwind reports a site's refusal, and works where the site restarts jobs.
    @Test func aSiteThatRefusesOrRestartsJobsIsHandled() async throws {
        let answer = try await run(
            """
            "$HW" run --quick --on slurm --engine-option partition=none --output refused 2>&1 | tail -n 1
            # RequeueExit is 75: a job that ended with that would be started anew by the site for ever.
            printf '#!/bin/sh\\nexit 75\\n' > headwind-75; chmod +x headwind-75
            sbatch --parsable --no-requeue --array=1 --output=/dev/null slurm.sh . 1 5f 1 0 ./headwind-75 > job
            for i in $(seq 100); do [ -e shard-1.1.5f.exit ] && break; sleep 0.1; done; cat shard-1.1.5f.exit
            squeue --noheader --states=all --jobs=$(cat job) --format='%T'
            """.replacing("slurm.sh .", with: "refused/shards/slurm.sh ."))
        #expect(answer.output.contains("invalid partition specified: none"), "\(answer.output)\(answer.errors)")
        #expect(
            answer.output.hasSuffix("75\nCOMPLETED\n") || answer.output.hasSuffix("75\nCOMPLETING\n"),
            "\(answer.output)\(answer.errors)")
    }
}

extension Trait where Self == ConditionTrait {
    static var needsSlurm: Self {
        let programs = ["/usr/bin/sbatch", "/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/sbin/munged"]
        return .enabled(
            if: programs.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) },
            "Slurm is not installed: 'Scripts/setup --for test' installs it where it is to be had")
    }
}
