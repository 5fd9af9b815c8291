import FoundationEssentials
import Glibc
import Harness
import LinkModel
import ProxyLink

/// A program whose proxy variables lead to a link.
struct ProxyExec {
    let plan: ExecPlan
    /// What the program is to have open, beside what is opened here.
    let descriptors: InheritedDescriptors
    let signals: ExecSignals

    func run() async throws -> ExecOutcome {
        let configuration = ProxyLinkConfiguration(
            profile: plan.profile, seed: plan.seed, schedule: plan.schedule, routes: RouteTable(policy: .direct))
        return try await withProxyLink(configuration) { link in
            descriptors.keepOthersFromPrograms()
            return try await run(behind: link)
        }
    }

    private func run(behind link: ProxyLink) async throws -> ExecOutcome {
        guard let proxy = link.forwardAddress else { throw ProxyLinkError.closed }
        let environment = ProxyEnvironment.make(from: ProcessInfo.processInfo.environment, proxy: proxy)
        let program = ProgramWatch(link, playing: plan.faults, isRecording: plan.isRecorded)
        try Task.checkCancellation()
        let process = try ForegroundProcess.start(plan.words, environment: environment)
        // What the terminal sends reaches the program by itself, as it is in the same process group.
        signals.programStarted { signal in
            guard signal.isSentByProcess, ExecSignals.forwarded.contains(signal.number) else { return }
            kill(process.processID, signal.number)
        }
        let watch = ExecWatch(plan, program) { signal in kill(process.processID, signal) }
        let ending = await process.wait()
        signals.programEnded()
        let isLate = await watch.end()
        let record = try await program.end(ending.program(isLate: isLate))
        let summary = LinkSummary(
            profile: plan.profile.name, counters: try await link.counters(), samples: try await link.samples())
        Console.note("headwind: \(summary.line)")
        if let warning = summary.warning { Console.note("headwind: \(warning)") }
        return ExecOutcome(status: ExecStatus(ending, isLate: isLate), record: record)
    }
}
