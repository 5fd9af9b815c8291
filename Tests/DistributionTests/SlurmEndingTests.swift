import Synchronization
import Testing

@testable import Distribution

/// How jobs of Slurm are ended, also those whose start failed.
struct SlurmEndingTests {
    @Test func aRefusalHasSlurmsWords() async throws {
        let bench = try Bench(shards: 1)
        let recorder = SlurmEngineTests.Recorder { program, _ in
            program == "sbatch"
                ? .init(status: 1, errors: "sbatch: error: invalid partition specified: x\n") : .init(status: 0)
        }
        let engine = try SlurmEngine(EngineContext(places: bench.places, plan: bench.plan, programs: recorder.programs))
        let error = await #expect(throws: EngineError.self) {
            try await engine.submit(Submission(number: 1, shards: [1]))
        }
        #expect(error?.description.contains("invalid partition specified: x") == true)
        guard case .unsure = error else {
            Issue.record("sbatch can fail although Slurm has the job: \(String(describing: error))")
            return
        }
    }

    @Test func jobsAreCancelledUntilNoneRuns() async throws {
        let bench = try Bench(shards: 1)
        let asked = Mutex(0)
        let recorder = SlurmEngineTests.Recorder { program, _ in
            let count = asked.withLock { asked in
                asked += program == "squeue" ? 1 : 0
                return asked
            }
            return .init(status: 0, output: "17|1|\(count < 2 ? "COMPLETING" : "CANCELLED")|n1|None\n")
        }
        let context = EngineContext(places: bench.places, plan: bench.plan, programs: recorder.programs)
        let engine = try SlurmEngine(context, cancelPause: .zero)
        #expect(await engine.cancel([Submission(number: 1, shards: [1], jobs: ["17;north"])]))
        #expect(recorder.said.map { Array($0.prefix(3)) }.first == ["scancel", "--clusters=north", "17"])
        #expect(recorder.said.map(\.[0]) == ["scancel", "squeue", "squeue"])
    }

    /// What scancel and squeue say, and whether the end of the jobs is certain.
    @Test(
        arguments: [
            (0, "CANCELLED", true), (1, "COMPLETED", true), (1, "RUNNING", false), (1, "PENDING", false),
            (0, "COMPLETING", true),
        ])
    func anEndCountsIfSlurmHasAcceptedIt(status: Int32, state: String, isOver: Bool) async throws {
        let bench = try Bench(shards: 1)
        let seconds = Mutex(0)
        let recorder = SlurmEngineTests.Recorder { program, _ in
            program == "scancel"
                ? .init(status: status, errors: "no controller") : .init(status: 0, output: "17|1|\(state)|n1|None\n")
        }
        let notes = Mutex<[String]>([])
        let context = EngineContext(places: bench.places, plan: bench.plan, programs: recorder.programs) { note in
            notes.withLock { $0.append(note) }
        }
        let start = ContinuousClock.now
        let engine = try SlurmEngine(
            context,
            now: {
                start
                    + .seconds(
                        seconds.withLock { seconds in
                            seconds += 10
                            return seconds
                        })
            }, cancelPause: .zero)
        #expect(await engine.cancel([Submission(number: 1, shards: [1], jobs: ["17"])]) == isOver)
        #expect(notes.withLock { $0.isEmpty } == !["RUNNING", "PENDING", "COMPLETING"].contains(state))
        // An unaccepted cancel is repeated.
        #expect((recorder.said.count { $0[0] == "scancel" } > 1) == !isOver)
    }

    @Test func jobsWithoutKnownNumbersAreFoundByTheirNames() async throws {
        let bench = try Bench(shards: 3)
        let recorder = SlurmEngineTests.Recorder { program, words in
            switch program {
            case "scontrol": .init(status: 0, output: "MaxArraySize = 3\n")
            case "squeue" where words.contains("--name=headwind-1-1-2"): .init(status: 0, output: "18\n")
            default: .init(status: 0)
            }
        }
        let engine = try SlurmEngine(EngineContext(places: bench.places, plan: bench.plan, programs: recorder.programs))
        #expect(await engine.cancel([Submission(number: 1, shards: [1, 2, 3])]))
        #expect(recorder.said.filter { $0[0] == "scancel" } == [["scancel", "18"]])
    }
}
