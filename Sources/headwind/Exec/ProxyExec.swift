import FoundationEssentials
import Harness
import LinkModel
import Links
import ProxyLink

/// A program whose proxy variables lead to a link.
struct ProxyExec {
    let plan: ExecPlan
    let backend: LinkBackend
    /// What the program is to have open, beside what is opened here.
    let descriptors: InheritedDescriptors
    let signals: ExecSignals

    func run() async throws -> ExecOutcome {
        try await backend.provider.withLink(plan.link, at: .loopback(RouteTable(policy: .direct))) { link, entrance in
            descriptors.keepOthersFromPrograms()
            return try await run(behind: link, entrance)
        }
    }

    private func run(behind link: any ConditionedLink, _ entrance: LinkEntrance) async throws -> ExecOutcome {
        guard let proxy = entrance.proxy else { throw ProxyLinkError.closed }
        let environment = ProxyEnvironment.make(from: ProcessInfo.processInfo.environment, proxy: proxy)
        let program = ProgramWatch(link, playing: plan.faults, isRecording: plan.isRecorded)
        try Task.checkCancellation()
        let (ending, isLate) = try await foreground(environment, program)
        let record = try await program.end(ending.program(isLate: isLate))
        let summary = LinkSummary(profile: plan.profile.name, use: try await link.use())
        Console.note("headwind: \(summary.line)")
        if let warning = summary.warning { Console.note("headwind: \(warning)") }
        return ExecOutcome(status: ExecStatus(ending, isLate: isLate), record: record)
    }

    /// Runs the program, and answers how it ended, and whether that was for the time.
    private func foreground(
        _ environment: [String: String], _ program: ProgramWatch
    ) async throws -> (ForegroundProcess.Ending, isLate: Bool) {
        var watch: ExecWatch?
        let ending: Result<ForegroundProcess.Ending, any Error>
        do {
            let ended = try await ForegroundProcess.run(
                plan.words, environment: environment, keeping: descriptors.forPrograms
            ) { process in
                // What the terminal sends reaches the program by itself, as it is in the same process group.
                signals.programStarted { signal in
                    guard signal.isSentByProcess, ExecSignals.forwarded.contains(signal.number) else { return }
                    process.signal(signal.number)
                }
                watch = ExecWatch(plan, program) { process.signal($0) }
            }
            ending = .success(ended)
        } catch {
            ending = .failure(error)
        }
        signals.programEnded()
        let isLate = await watch?.end() ?? false
        return (try ending.get(), isLate)
    }
}
