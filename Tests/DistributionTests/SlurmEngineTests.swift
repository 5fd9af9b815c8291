import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage
import Testing

@testable import Distribution

/// The calls of Slurm's programs, and the meaning of their answers, without Slurm.
struct SlurmEngineTests {
    /// Programs that give scripted answers, and remember their words.
    final class Recorder: Sendable {
        private let answers: @Sendable (String, [String]) -> EnginePrograms.Answer
        private let calls = Mutex<[[String]]>([])

        init(_ answers: @escaping @Sendable (String, [String]) -> EnginePrograms.Answer) { self.answers = answers }

        var said: [[String]] { calls.withLock { $0 } }
        var programs: EnginePrograms {
            EnginePrograms { program, arguments, _ in
                self.calls.withLock { $0.append([program] + arguments) }
                return self.answers(program, arguments)
            }
        }
    }

    @Test(arguments: [
        ([1, 2, 3, 7], 1001, ["1-3,7"], [0]), ([5], 1001, ["5"], [0]),
        (Array(1...2001), 1001, ["1-1000", "1-1000", "1"], [0, 1000, 2000]), ([1, 4], 3, ["1", "2"], [0, 2]),
    ]) func arraysAreAsLargeAsTheSiteAllows(shards: [Int], size: Int, texts: [String], offsets: [Int]) {
        let arrays = SlurmArray.arrays(of: shards, size: size)
        #expect(arrays.map { $0.text(atOnce: nil) } == texts)
        #expect(arrays.map(\.offset) == offsets)
        #expect(arrays.flatMap { array in array.tasks.map { $0 + array.offset } } == shards)
        #expect(arrays[0].text(atOnce: 4) == texts[0] + "%4")
    }

    @Test(
        arguments: [
            ("17", 17, nil, 0), ("17;north", 17, "north", 0), ("17@1000", 17, nil, 1000),
            ("17;n-1@1000", 17, "n-1", 1000),
        ] as [(String, Int, String?, Int)]) func jobsReadBack(text: String, id: Int, cluster: String?, offset: Int)
    {
        let job = SlurmJob(text)
        #expect(job?.id == id && job?.cluster == cluster && job?.offset == offset)
        #expect(job?.description == text)
    }

    @Test(arguments: ["", "x", "-1", "0", "17;", "17;--help", "17@-1", "17@1@2", "17 18"]) func noJob(text: String) {
        #expect(SlurmJob(text) == nil)
    }

    @Test func optionsAreWordsOfSbatch() throws {
        let options = try SlurmOptions(["mem=4G", "--exclusive", "at-once=4", "constraint=a=b"])
        #expect(options.words == ["--mem=4G", "--exclusive", "--constraint=a=b"])
        #expect(options.atOnce == 4)
    }

    @Test(arguments: [
        "", "-p=x", "array=1-3", "--requeue", "wrap=rm", "at-once", "at-once=0", "chdir=/", "mem 4G=1", "output=x",
    ]) func noOption(text: String) { #expect(throws: EngineError.self) { try SlurmOptions([text]) } }

    @Test(
        arguments: [
            ("17|3|PENDING||Priority", .waiting("Priority")), ("17|3|RUNNING|n1|None", .running(machine: "n1")),
            ("17|3|COMPLETING|n1|None", .running(machine: "n1")),
            ("17|3|REQUEUE_HOLD||launch failed", .waiting("launch failed")),
            ("17|3|NODE_FAIL|n1|NodeDown", .lost("the node n1 failed (NODE_FAIL, job 17_3)")),
            ("17|3|PREEMPTED|n1|None", .lost("job 17_3 on n1 had to make room for another one (PREEMPTED)")),
            (
                "17|3|TIMEOUT|n1|TimeLimit",
                .lost("job 17_3 on n1 reached its time limit (TIMEOUT); raise it with --engine-option time=LONGER")
            ),
            ("17|3|CANCELLED|n1|None", .stopped("somebody cancelled job 17_3")),
            ("17|3|BRAND_NEW|n1|None", .running(machine: "n1")),
        ] as [(String, ShardState)]) func statesOfSlurm(line: String, state: ShardState) async throws
    {
        let bench = try Bench(shards: 3)
        let recorder = Recorder { _, _ in .init(status: 0, output: "CLUSTER: one\n\(line)\nnonsense\n") }
        let engine = try SlurmEngine(EngineContext(places: bench.places, plan: bench.plan, programs: recorder.programs))
        let submission = Submission(number: 1, shards: [3], jobs: ["17"])
        #expect(try await engine.states(of: [submission]) == [3: state])
        // A status that comes from a signal does not explain the end.
        try bench.write("143\n", to: bench.places.status(3, of: submission))
        #expect(try await engine.states(of: [submission]) == [3: state])
        // Any other status is the shard's own, whatever Slurm still has to do with its job.
        try bench.write("99\n", to: bench.places.status(3, of: submission))
        #expect(try await engine.states(of: [submission]) == [3: .ended(status: 99)])
        #expect(recorder.said.count == 1)
    }

    /// A file from another machine may become visible up to a minute later.
    @Test(arguments: ["17|1|COMPLETED|n1|None\n", "17|1|FAILED|n1|NonZeroExitCode\n", ""])
    func anEndWithoutAStatusIsWaitedFor(queue: String) async throws {
        let bench = try Bench(shards: 1)
        let seconds = Mutex(0)
        let start = ContinuousClock.now
        let recorder = Recorder { _, _ in
            queue.isEmpty
                ? .init(status: 1, errors: "slurm_load_jobs error: Invalid job id specified")
                : .init(status: 0, output: queue)
        }
        let context = EngineContext(places: bench.places, plan: bench.plan, programs: recorder.programs)
        let engine = try SlurmEngine(context) { start + .seconds(seconds.withLock { $0 }) }
        let submissions = [Submission(number: 1, shards: [1], jobs: ["17"])]
        #expect(try await engine.states(of: submissions) == [1: .running(machine: nil)])
        seconds.withLock { $0 = 69 }
        #expect(try await engine.states(of: submissions) == [1: .running(machine: nil)])
        seconds.withLock { $0 = 70 }
        guard case .lost? = try await engine.states(of: submissions)[1] else {
            Issue.record("it is to be lost by now")
            return
        }
        try bench.write("75\n", to: bench.places.status(1, of: submissions[0]))
        #expect(try await engine.states(of: submissions) == [1: .ended(status: 75)])
    }

    @Test func wordsArriveUnchangedAndAnExistingJobIsNotStartedTwice() async throws {
        let bench = try Bench(shards: 3, options: ["mem=4G", "at-once=2"])
        let isThere = Mutex(false)
        let recorder = Recorder { program, _ in
            switch program {
            case "sbatch": .init(status: 0, output: "17\n")
            case "scontrol": .init(status: 0, output: "MaxArraySize            = 3\n")
            default: .init(status: 0, output: isThere.withLock { $0 } ? "8\n8\n" : "")
            }
        }
        let engine = try SlurmEngine(EngineContext(places: bench.places, plan: bench.plan, programs: recorder.programs))
        let submission = Submission(number: 1, shards: [1, 2, 3])
        #expect(try await engine.submit(submission) == ["17", "17@2"])
        let folder = bench.places.folder.string
        let sent = recorder.said.filter { $0[0] == "sbatch" }
        #expect(
            sent.first == [
                "sbatch", "--parsable", "--no-requeue", "--array=1-2%2", "--job-name=headwind-1-1",
                "--output=/dev/null",
                "--chdir=/tmp", "--mem=4G", "\(folder)/slurm.sh", folder, "1", "1", "3", "0",
                "/usr/bin/headwind",
                "--progress", "json",
                "--no-history", "--only", "a b", "--", "it's.yaml",
            ])
        #expect(sent.count == 2)
        isThere.withLock { $0 = true }
        #expect(try await engine.submit(submission) == ["8", "8@2"])
        #expect(recorder.said.filter { $0[0] == "sbatch" }.count == 2)
        // A draft has the same options and words, quoted for a shell.
        let draft = try await engine.draft(of: submission)
        #expect(draft.contains("--mem=4G") && draft.contains("'it'\\''s.yaml'") && draft.contains("RequeueExit"))
    }

    /// Runs the script in a shell, with a program that prints its arguments.
    @Test(
        arguments: [
            (nil, true, "--resume F/shard-2.3.5f.part"), ("143", true, "--resume F/shard-2.3.5f.part"),
            ("75", true, "--output F/shard-2.3.5f.part"), (nil, false, "--output F/shard-2.3.5f.part"),
        ] as [(String?, Bool, String)])
    func aLostTryIsResumed(status: String?, hasResult: Bool, words: String) async throws {
        let bench = try Bench(shards: 2)
        let folder = bench.places.folder
        let script = folder.appending("slurm.sh")
        try bench.write(SlurmScript.text, to: script)
        let program = folder.appending("headwind")
        try bench.write("#!/bin/sh\necho \"$*\"; [ ! -d \"$5\" ] || ls \"$5\"\n", to: program)
        chmod(program.string, 0o755)
        let lost = folder.appending("shard-2.1.5f.part")
        try FileManager.default.createDirectory(atPath: lost.string, withIntermediateDirectories: true)
        try bench.write("{}", to: lost.appending(hasResult ? "result.json" : "events.jsonl"))
        if let status { try bench.write(status + "\n", to: folder.appending("shard-2.1.5f.exit")) }
        let answer = try await EnginePrograms.here(setting: ["SLURM_ARRAY_TASK_ID": "1"]).run(
            "sh", [script.string, folder.string, "3", "5f", "8", "1", program.string, "--quick"], nil)
        #expect(answer.status == 0)
        let log = try String(contentsOfFile: bench.places.log(2).string, encoding: .utf8)
        let given = "run --shard 2/8 \(words.replacing("F/", with: "\(folder)/")) --quick\n"
        #expect(log == given + (words.hasPrefix("--resume") ? "result.json\n" : ""))
        #expect(FileManager.default.fileExists(atPath: folder.appending("shard-2.3.5f.exit").string))
        // The folder of the lost try is not changed, because something may still write to it.
        #expect(FileManager.default.fileExists(atPath: lost.string))
    }
}
