import Glibc
import Testing

@testable import Distribution

@Suite struct ShardPlanTests {
    @Test func aCommandHasItsOptionsBeforeItsScenarios() {
        let command = ShardCommand(
            program: "/usr/bin/headwind", directory: "/home", options: [.init("--only", "3g"), .init("--quick")],
            scenarios: ["a.yaml"])
        #expect(
            command.shared(durations: nil) == [
                "--progress", "json", "--no-history", "--only", "3g", "--quick", "--", "a.yaml",
            ])
    }

    /// A resumed run knows no more than the file.
    @Test func aWrittenPlanReadsBack() throws {
        let bench = try Bench(shards: 2)
        var plan = bench.plan
        (plan.files, plan.hasMeasuredDurations, plan.isFinished) = (["/a.yaml"], true, true)
        plan.submissions = [Submission(number: 1, shards: [1, 2], jobs: ["1"]), Submission(number: 2, shards: [2])]
        (plan.submissions[0].isOver, plan.submissions[1].isEnding) = (true, true)
        try plan.write(to: bench.places.plan)
        #expect(try ShardPlan.read(bench.places.plan) == plan)
    }

    /// Its command, and so the scripts and manifests made of it, may have secrets.
    @Test func onlyItsUserCanReadThePlan() async throws {
        let bench = try Bench(shards: 1, options: ["image=x"])
        let recorder = SlurmEngineTests.Recorder { _, _ in .init(status: 0) }
        let context = EngineContext(places: bench.places, plan: bench.plan, programs: recorder.programs)
        _ = try await KubernetesEngine(context).submit(Submission(number: 1, shards: [1]))
        for name in ["plan.json", "kubernetes-1.json"] {
            var status = stat()
            #expect(stat(bench.places.folder.appending(name).string, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(name)")
        }
    }

    /// By a draft one can run the shards by hand; without the durations they would divide the cells in another way.
    @Test(arguments: zip([EngineName.slurm, .ssh], [[], ["host=lab1"]]))
    func aDraftHasTheDurations(engine: EngineName, options: [String]) async throws {
        let bench = try Bench(shards: 2, options: options)
        var plan = bench.plan
        for isMeasured in [true, false] {
            plan.hasMeasuredDurations = isMeasured
            let engine = try engine.engine(EngineContext(places: bench.places, plan: plan))
            let draft = try await engine.draft(of: Submission(number: 1, shards: [1, 2]))
            #expect(draft.contains("--durations") == isMeasured)
            #expect(draft.contains("durations.json:\n\(plan.durations)") == isMeasured, "\(draft)")
        }
    }
}
