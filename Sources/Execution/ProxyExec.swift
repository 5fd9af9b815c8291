import FoundationEssentials
import LinkModel
import Links
import LinuxSupport
import ProxyLink

/// Runs a program whose proxy variables lead to a link.
struct ProxyExec {
    let plan: ExecPlan
    let backend: LinkBackend
    let context: ExecContext

    func run() async throws -> ExecOutcome {
        try await backend.provider.withLink(plan.link, at: .loopback(LocalServers.routes())) { link, entrance in
            context.descriptors.keepOthersFromPrograms()
            return try await run(behind: link, entrance)
        }
    }

    private func run(behind link: any ConditionedLink, _ entrance: LinkEntrance) async throws -> ExecOutcome {
        guard let proxy = entrance.proxy else { throw ProxyLinkError.closed }
        let environment = ProxyEnvironment.make(from: ProcessInfo.processInfo.environment, proxy: proxy)
        let program = ProgramWatch(link, playing: plan.faults, isRecording: plan.isRecorded)
        try Task.checkCancellation()
        let end = try await foreground(environment, program)
        let record = try await program.end(end)
        let summary = LinkSummary(profile: plan.profile.name, use: try await link.use())
        context.note("\(summary.line())")
        if let warning = summary.warning { context.note("\(warning)") }
        return ExecOutcome(status: ExecStatus(end), record: record)
    }

    /// Runs the program, and returns how it ended.
    private func foreground(
        _ environment: [String: String], _ program: ProgramWatch
    ) async throws -> ProgramEnd {
        var watch: ExecWatch?
        var isLate = false
        let end = try await ending {
            try await ForegroundProcess.run(
                plan.words, environment: environment, keeping: context.descriptors.forPrograms,
                hasInput: !plan.isBesideOthers
            ) { process in
                // Signals from the terminal reach the program by themselves, as it is in the same process group.
                context.signals.programStarted { signal in
                    guard signal.isSentByProcess, ExecSignals.forwarded.contains(signal.number) else { return }
                    process.signal(signal.number)
                }
                watch = ExecWatch(plan, program) { process.signal($0) }
            }
        } with: {
            context.signals.programEnded()
            isLate = await watch?.end() ?? false
        }
        return isLate ? .late : end
    }
}

/// The environment of a program that must send everything through a proxy.
enum ProxyEnvironment {
    /// `environment` without the caller's own proxies and exceptions, and with `proxy` for everything.
    ///
    /// `HTTP_PROXY` stays unset, as a web server's CGI program gets it from a request header (CVE-2016-5385). Programs
    /// that read it also read `http_proxy`.
    static func make(from environment: [String: String], proxy: Endpoint) -> [String: String] {
        var result = environment.filter { !Environment.isProxyVariable($0.key) }
        let address = "http://\(proxy)"
        for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] { result[name] = address }
        for name in ["no_proxy", "NO_PROXY"] { result[name] = "" }
        return result
    }
}

extension LinkSummary {
    /// A warning if the program sent nothing over the link; nil if it did.
    var warning: String? {
        guard use.connections == 0 else { return nil }
        return """
            WARNING: nothing crossed the link, so this run says nothing about a bad network. CMD may ignore http_proxy \
            and https_proxy, or it only connected to localhost, which many programs never send through a proxy.
            """
    }
}
