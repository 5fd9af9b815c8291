import FoundationEssentials
import Glibc
import LinkModel
import ProxyLink

/// A program whose proxy variables lead to a link.
struct ProxyExec {
    let plan: ExecPlan
    /// What the program is to have open, beside what is opened here.
    let descriptors: InheritedDescriptors

    func run() async throws -> ExecStatus {
        let configuration = ProxyLinkConfiguration(
            profile: plan.profile, seed: plan.seed, routes: RouteTable(policy: .direct))
        return try await withProxyLink(configuration) { link in
            descriptors.keepOthersFromPrograms()
            return try await run(behind: link)
        }
    }

    private func run(behind link: ProxyLink) async throws -> ExecStatus {
        guard let proxy = link.forwardAddress else { throw ProxyLinkError.closed }
        let environment = ProxyEnvironment.make(from: ProcessInfo.processInfo.environment, proxy: proxy)
        let process = try ForegroundProcess.start(plan.words, environment: environment)
        SignalRelay.start(to: process.processID)
        let live = LiveLink(
            setOffline: { kind in try await link.update { $0.offline = kind } },
            release: { try await link.release() },
            setProfile: { profile in try await link.set(profile) })
        let watch = ExecWatch(plan, live) { signal in kill(process.processID, signal) }
        let ending = await process.wait()
        SignalRelay.stop()
        let isLate = try await watch.end()
        let summary = LinkSummary(
            profile: plan.profile.name, counters: try await link.counters(), samples: try await link.samples())
        Console.note("headwind: " + summary.line)
        if let warning = summary.warning { Console.note("headwind: " + warning) }
        return ExecStatus(ending, isLate: isLate)
    }
}
