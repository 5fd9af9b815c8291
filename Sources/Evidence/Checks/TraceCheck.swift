import ProcessGuard
import Results
import Scenarios

/// What went wrong in an attempt besides its metrics, as findings.
struct TraceCheck {
    let trace: AttemptTrace
    let setup: AttemptSetup

    func findings() -> [Finding] {
        var findings: [Finding] = []
        if let reason = trace.host.failure { findings.append(Finding(.hostDied, reason)) }
        if let reason = trace.host.fileFaults.first { findings.append(Finding(.hostFailed, reason)) }
        let count = connectionsAroundLink
        if count > 0 {
            findings.append(
                Finding(.linkBypassed, "the host had \(count) connections that did not come through the link"))
        }
        if trace.crossed.droppedEvents > 0 {
            findings.append(Finding(.harnessFailed, "\(trace.crossed.droppedEvents) of the link's events were lost"))
        }
        findings += processFindings + outputFindings
        if let misuse = trace.client.life.misuse { findings.append(misuse) }
        if setup.cell.workload.isBuiltIn {
            findings += clockFindings
            if let cut = eventStreamFinding { findings.append(cut) }
        }
        findings += trace.files.compactMap { file in
            file.problem.map { Finding(.contentWrong, "'\(file.name)' \($0)") }
        }
        findings += (trace.stored ?? []).compactMap { pack in
            pack.problem.map { Finding(.contentWrong, "'\(pack.name)' is visible in the store, and \($0)") }
        }
        return findings
    }

    /// How the client's process ended.
    var end: ClientEnd? {
        guard let exit = trace.exit else { return nil }
        switch exit.status {
        case .exited(let status):
            return ClientEnd(
                exitStatus: status, signal: setup.cell.signalInShell(exit), wasStopped: exit.timedOut)
        case .signaled(let signal): return ClientEnd(signal: signal, wasStopped: exit.timedOut)
        case .notExecuted, .noDirectory, .left: return ClientEnd(wasStopped: exit.timedOut)
        }
    }

    /// Notes about processes that outlived the client; they are not failures of the client.
    var survivorNotes: [String] {
        guard let exit = trace.exit else { return [] }
        var notes: [String] = []
        if exit.survivorsEnded > 0 {
            let (what, were) = Self.processes(exit.survivorsEnded)
            notes.append(
                exit.timedOut
                    ? "\(what) of the client's \(were) ended with it" : "\(what) outlived the client and \(were) ended")
        }
        if exit.leftCount > 0 {
            let names = exit.left.map { "\($0.processID) '\($0.name)', state \($0.state)" }.joined(separator: "; ")
            notes.append(
                "\(Self.processes(exit.leftCount).what) could not be ended" + (names.isEmpty ? "" : ": \(names)"))
        }
        return notes
    }

    private static func processes(_ count: Int) -> (what: String, were: String) {
        count == 1 ? ("1 process", "was") : ("\(count) processes", "were")
    }

    private var processFindings: [Finding] {
        let program = setup.program
        guard let exit = trace.exit else { return [Finding(.harnessFailed, "it is unknown how '\(program)' ended")] }
        if exit.timedOut, setup.isClientForeign, setup.cell.workload.isBuiltIn, trace.client.events.isEmpty {
            return [Finding(.clientMisused, "'\(program)' sent no event until it was stopped \(reasonOfStop)")]
        }
        if exit.timedOut { return [Finding(.clientHung, "'\(program)' was stopped \(reasonOfStop)")] }
        switch exit.status {
        case .exited(let status):
            guard let signal = setup.cell.signalInShell(exit) else { return [] }
            let words = "ended with status \(status), as a shell does if signal \(signal) ended the program in it"
            return [Finding(.clientCrashed, "'\(program)' \(words)")]
        case .signaled(let signal):
            return [
                Finding(
                    .client(endedBySignal: signal),
                    "'\(program)' ended by signal \(signal)\(Self.memory(signal, trace.memoryKills))")
            ]
        case .notExecuted(let error), .noDirectory(let error):
            return [Finding(.clientNotStarted, "'\(program)': \(error)")]
        case .left:
            return [Finding(.clientHung, "'\(program)' could not be ended")]
        }
    }

    /// Why the client was stopped, as the end of a sentence.
    private var reasonOfStop: String {
        guard let limit = setup.cell.idleTimeout, let lastSign = trace.lastSign,
            trace.clientEnd - lastSign >= limit.nanoseconds
        else { return "at its deadline" }
        return "after \(Quantity(limit.seconds, .seconds).rounded()) without a sign of life"
    }

    /// What the kernel reports about memory if a client was killed (SIGKILL); the sender of the signal is unknown.
    private static func memory(_ signal: Int32, _ kills: Int?) -> String {
        guard signal == 9, let kills else { return "" }
        return kills > 0
            ? "; meanwhile the kernel killed \(processes(kills).what) for lack of memory"
            : "; the kernel killed no process for lack of memory"
    }

    /// Findings about events of the built-in client whose time is outside its run.
    private var clockFindings: [Finding] {
        let end = max(trace.clientEnd, trace.clientGone)
        guard trace.clientStart > 0, end >= trace.clientStart else { return [] }
        let outside = trace.client.events.filter { !(trace.clientStart...end).contains($0.t) }
        guard let first = outside.first else { return [] }
        let times = "at \(first.t) ns, and it ran from \(trace.clientStart) to \(end) ns"
        return [Finding(.clockStepped, "\(outside.count) of the client's events, the first \(times)")]
    }

    /// Findings about output of the client that could not be read.
    private var outputFindings: [Finding] {
        var findings: [Finding] = []
        let unread = [
            (trace.client.unreadLines, "event lines"), (trace.client.unreadProgress, "progress reports"),
        ]
        for (count, what) in unread where count > 0 {
            findings.append(
                Finding(.clientFlooded, "\(count) \(what) beyond the \(ClientLog.mostEvents) that are kept"))
        }
        if let trouble = trace.client.patternTrouble {
            findings.append(Finding(.metricMissing, "\(trouble); write a simpler one"))
        }
        return findings
    }

    /// The number of connections over which the host sent bytes and that the link did not make.
    ///
    /// The link does not report a connection that it gave up during the handshake. The host may have accepted it, but
    /// sent nothing on it.
    private var connectionsAroundLink: Int {
        trace.host.peers.keys.count { connection in
            trace.linkConnection(of: connection) == nil && trace.host.ends[connection]?.sent != 0
        }
    }
}

extension ConductRecord {
    /// The findings about redirects that made the client leak credentials or lose encryption.
    var redirectFindings: [Finding] {
        let leak = leakedCredentials.map {
            "\($0.credentials) of \($0.redirected.origin ?? "") went to \($0.next.origin ?? "another origin")"
        }
        let fall = downgrade.map {
            "the client followed a redirect from \($0.redirected.origin ?? "") to \($0.next.origin ?? "")"
        }
        return [leak, fall].compactMap(\.self).map { Finding(.redirectUnsafe, $0) }
    }
}
