import LinkModel
package import Links
import LinuxSupport
import Wording

/// Runs of one program, one after the other or side by side, with consecutive seeds.
package struct ExecSeries: Sendable {
    package var plan: ExecPlan
    let context: ExecContext
    /// The backend of the link; nil: packets if they are available, and afterwards the choice of the first run.
    package var backend: LinkBackend?
    /// Whether a request needs packets, which no proxy has.
    package var insistsOnPackets = false
    package var times = 1
    /// How many runs go on at the same time.
    package var jobs = 1
    package var isUntilFailure = false
    /// The files to keep; nil for none.
    package var keeping: ExecKeeping?

    package init(_ plan: ExecPlan, _ context: ExecContext) {
        self.plan = plan
        self.context = context
    }

    var signals: ExecSignals { context.signals }

    /// Runs the program `times` times; returns the status of the first run that failed, or else of the last run.
    ///
    /// The status is 128 + n if signal n arrived between two programs, while one of many was ending anyway, or in a
    /// run that failed and does not count for that reason.
    package mutating func run() async throws -> ExecStatus {
        if jobs > 1, times > 1 { return try await runSideBySide() }
        let first = plan.seed
        let asked = keeping?.status ?? 0
        var worst: ExecStatus?
        var kept: ExecStatus?
        var isCutShort = false
        for number in 0..<times {
            plan.seed = first &+ UInt64(number)
            let outcome: ExecOutcome
            do {
                outcome = try await runOnce()
            } catch {
                guard signals.stop != nil else { throw error }
                break
            }
            let status = outcome.status
            if times > 1 {
                context.note("run \(number + 1) of \(times), seed \(plan.seed): status \(status.status)")
            }
            let hasFailed = status.hasFailed(asked: asked)
            await hearInterruption(of: status)
            if worst.map({ !$0.hasFailed(asked: asked) }) ?? true { worst = status }
            let isLast =
                number == times - 1 || signals.isOver || status.cause == .headwind
                || hasFailed && (isUntilFailure || status.isStopping)
            // A run that the user interrupted is no failure to reproduce.
            let isInterrupted = isUntilFailure && (signals.isOver || status.isStopping)
            if let record = outcome.record, kept == nil, hasFailed || isLast, !isInterrupted {
                kept = status
                tell(try keeping?.write(record, of: plan, by: backend))
            }
            if isLast {
                isCutShort = worst?.hasFailed(asked: asked) == true ? isInterrupted : number < times - 1
                break
            }
        }
        tell(try keeping?.writeScenario(by: backend))
        if let signal = signals.stop ?? (isCutShort ? signals.over : nil) { return status(after: signal) }
        return worst ?? ExecStatus(status: 0, cause: .command)
    }

    /// The status of a series that a signal has ended.
    func status(after signal: Int32) -> ExecStatus {
        var status = ExecStatus(status: 128 + signal, cause: .signal)
        status.backend = backend?.rawValue
        return status
    }

    /// Waits for a signal from the terminal that may have made a program behind a proxy fail.
    ///
    /// The program gets it too, and may end before it is heard here.
    func hearInterruption(of status: ExecStatus) async {
        guard isUntilFailure, backend == .proxy, status.hasFailed(asked: keeping?.status ?? 0) else { return }
        if !signals.isOver { try? await Task.sleep(for: SignalPipe.echo) }
    }

    func tell(_ notes: [TerminalText]?) { for note in notes ?? [] { context.note(note) } }

    mutating func runOnce() async throws -> ExecOutcome {
        if let backend { return try await run(by: backend) }
        var unavailable: PacketExec.Unavailable?
        var refusal: String?
        for backend in LinkBackend.order(for: plan.profile, fidelity: insistsOnPackets ? .packet : .any) {
            switch backend {
            case .packet:
                if let refusal { context.note("\(LinkBackend.slowPackets(refusal))") }
                do { return try await run(by: .packet) } catch let error as PacketExec.Unavailable
                    where signals.stop == nil
                {
                    unavailable = error
                }
            case .kernel:
                refusal = try await kernelRefusal()
                guard refusal == nil else { continue }
                let reason = unavailable.map { "because packets are not available: \($0)" } ?? "because of its rate"
                context.note("the kernel's queues shape the link, \(reason)")
                do { return try await run(by: .kernel) } catch let error as PacketExec.Unavailable
                    where signals.stop == nil
                {
                    refusal = error.description
                    context.note("the kernel's queues are not available either: \(error)")
                }
            case .proxy:
                if let unavailable {
                    context.note("the link is a proxy, because packets are not available: \(unavailable)")
                }
                return try await run(by: .proxy)
            }
        }
        throw unavailable ?? PacketExec.Unavailable(description: refusal ?? "")
    }

    /// Why the kernel's queues cannot provide this link on this machine; nil if they can.
    private func kernelRefusal() async throws -> String? {
        if plan.schedule != nil || plan.capture != nil { return "its queues cannot select or record single packets" }
        if plan.isRecorded, !plan.link.isCertain { return Self.chance }
        let obstacles = KernelBackend().obstacles(to: plan.link)
        guard obstacles.isEmpty else { return obstacles.joined(separator: "; ") }
        return LinkMachine(kernel: try await .probe()).refusal(of: plan.link, by: KernelBackend())
    }

    private static let chance = "the kernel's queues do not record what chance decides"

    /// Runs the program once, and keeps the backend for later runs.
    private mutating func run(by backend: LinkBackend) async throws -> ExecOutcome {
        var outcome: ExecOutcome
        if backend.isInSandbox {
            try ResourceNeeds.sandboxProgram.check(
                for: "CMD in a sandbox", hint: insistsOnPackets ? nil : "give --backend proxy")
            let obstacles = backend.provider.obstacles(to: plan.link)
            guard obstacles.isEmpty else {
                throw LinkRefusal.impossible(backend, cell: plan.profile.name, obstacles)
            }
            if backend == .kernel, plan.isRecorded, !plan.link.isCertain {
                throw ExecError("--record needs --backend packet here: \(Self.chance).")
            }
            guard let pasta = OutsideProgram.find() else {
                throw PacketExec.Unavailable(description: OutsideProgram.missing)
            }
            let exec = PacketExec(plan: plan, backend: backend, pasta: pasta, context: context)
            outcome = try await signals.whileComingUp { try await exec.run() }
            self.backend = backend
        } else {
            try ResourceNeeds.proxyProgram.check(for: "CMD behind a proxy")
            self.backend = backend
            let exec = ProxyExec(plan: plan, backend: backend, context: context)
            outcome = try await signals.whileComingUp { try await exec.run() }
        }
        outcome.status.backend = backend.rawValue
        return outcome
    }
}
