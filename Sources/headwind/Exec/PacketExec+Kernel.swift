import Harness
import KernelLink
import LinkModel
import Testbed

extension PacketExec {
    /// Runs the program behind the queues of the sandbox's router.
    func runBehindQueues(in sandbox: Testbed.Sandbox) async throws -> ExecOutcome {
        let setup = LinkSetup(plan)
        do {
            let (outcome, summary) = try await sandbox.withKernelSession(setup) { link in
                let program = ProgramWatch(link, playing: plan.faults, isRecording: plan.isRecorded)
                let (status, end) = try await LoopbackForward.with(plan.forwards, of: sandbox) {
                    try await run(in: sandbox, behind: program)
                }
                let record = try await program.end(end)
                let summary = PacketSummary(profile: plan.profile.name, use: try await link.use())
                return (ExecOutcome(status: status, record: record), summary)
            }
            for note in summary.notes { Console.note("headwind: \(note)") }
            return outcome
        } catch let error as KernelLinkError where !hasPossiblyStarted {
            throw Unavailable(description: error.description)
        }
    }
}

extension LinkSetup {
    /// The link of a program.
    init(_ plan: ExecPlan) { self.init(profile: plan.profile, faults: plan.faults, seed: plan.seed) }
}
