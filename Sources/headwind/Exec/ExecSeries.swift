import Harness

/// Runs of one program, one after the other, with seeds that count up.
struct ExecSeries {
    var plan: ExecPlan
    let descriptors: InheritedDescriptors
    let signals: ExecSignals
    /// What puts it behind the link; nil: packets where they can be had, and as the first time ever after.
    var backend: ExecBackend?
    /// Whether something was asked for that no proxy can do.
    var insistsOnPackets = false
    var times = 1
    var isUntilFailure = false
    /// What is kept of it, if anything.
    var keeping: ExecKeeping?

    init(_ plan: ExecPlan, descriptors: InheritedDescriptors, signals: ExecSignals) {
        self.plan = plan
        self.descriptors = descriptors
        self.signals = signals
    }

    /// Answers how the first run ended that failed, or else the last one; 128 + n where signal n came between programs.
    mutating func run() async throws -> ExecStatus {
        let first = plan.seed
        let asked = keeping?.status ?? 0
        var worst: ExecStatus?
        var kept: ExecStatus?
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
                Console.note("headwind: run \(number + 1) of \(times), seed \(plan.seed): status \(status.status)")
            }
            let hasFailed = status.hasFailed(asked: asked)
            if worst.map({ !$0.hasFailed(asked: asked) }) ?? true { worst = status }
            let isLast =
                number == times - 1 || signals.isOver || status.cause == .headwind
                || hasFailed && (isUntilFailure || status.isStopping)
            if let record = outcome.record, kept == nil, hasFailed || isLast {
                kept = status
                try keeping?.write(record, of: plan, by: backend)
            }
            if isLast { break }
        }
        try keeping?.writeScenario(by: backend)
        if let signal = signals.stop {
            var status = ExecStatus(status: 128 + signal, cause: .signal)
            status.backend = backend?.rawValue
            return status
        }
        return worst ?? ExecStatus(status: 0, cause: .command)
    }

    private mutating func runOnce() async throws -> ExecOutcome {
        if backend != .proxy {
            do {
                guard let pasta = OutsideProgram.find() else {
                    throw PacketExec.Unavailable(description: OutsideProgram.missing)
                }
                let exec = PacketExec(plan: plan, pasta: pasta, descriptors: descriptors, signals: signals)
                var outcome = try await signals.whileComingUp { try await exec.run() }
                backend = .packet
                outcome.status.backend = ExecBackend.packet.rawValue
                return outcome
            } catch let error as PacketExec.Unavailable {
                guard backend == nil, !insistsOnPackets, signals.stop == nil else { throw error }
                Console.note("headwind: the link is a proxy, as packets cannot be had: \(error)")
            }
        }
        backend = .proxy
        let exec = ProxyExec(plan: plan, descriptors: descriptors, signals: signals)
        var outcome = try await signals.whileComingUp { try await exec.run() }
        outcome.status.backend = ExecBackend.proxy.rawValue
        return outcome
    }
}
