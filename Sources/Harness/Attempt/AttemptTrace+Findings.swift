import Glibc
import ProcessGuard
import Results
import Scenarios

extension AttemptTrace {
    /// What went wrong beside the metrics, by the table of attributions.
    func findings(_ workload: Workload, program: String) -> [Finding] {
        var findings: [Finding] = []
        if let reason = host.failure { findings.append(Finding(.hostDied, reason)) }
        if let reason = host.fileFaults.first { findings.append(Finding(.hostFailed, reason)) }
        if !connectionsAroundLink.isEmpty {
            let count = connectionsAroundLink.count
            findings.append(Finding(.linkBypassed, "the host had \(count) connections that the link did not make"))
        }
        if crossed.droppedEvents > 0 {
            findings.append(Finding(.harnessFailed, "\(crossed.droppedEvents) of the link's events were lost"))
        }
        findings += processFindings(program)
        findings += outputFindings + misuseFindings
        if case .requests = workload {
            findings += clockFindings + (isClientForeign ? foreignEventFindings(program, workload) : eventFindings)
        }
        findings += files.compactMap { file in
            file.problem.map { Finding(.contentWrong, "'\(file.name)' \($0)") }
        }
        findings += (stored ?? []).compactMap { pack in
            pack.problem.map { Finding(.contentWrong, "'\(pack.name)' is visible in the store, and \($0)") }
        }
        return findings
    }

    /// How the client's process ended.
    var end: ClientEnd? {
        guard let exit else { return nil }
        switch exit.status {
        case .exited(let status): return ClientEnd(exitStatus: status, wasStopped: exit.timedOut)
        case .signaled(let signal): return ClientEnd(signal: signal, wasStopped: exit.timedOut)
        case .notExecuted, .noDirectory, .left: return ClientEnd(wasStopped: exit.timedOut)
        }
    }

    /// What the client left behind, which is not held against it.
    var survivorNotes: [String] {
        guard let exit else { return [] }
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

    private func processFindings(_ program: String) -> [Finding] {
        guard let exit else { return [Finding(.harnessFailed, "nobody knows how '\(program)' ended")] }
        if exit.timedOut { return [Finding(.clientHung, "'\(program)' was stopped at its deadline")] }
        switch exit.status {
        case .exited: return []
        case .signaled(let signal):
            return [
                Finding(
                    .client(endedBySignal: signal),
                    "'\(program)' ended by signal \(signal)\(Self.memory(signal, memoryKills))")
            ]
        case .notExecuted(let error), .noDirectory(let error):
            return [Finding(.clientNotStarted, "'\(program)': \(error)")]
        case .left:
            return [Finding(.clientHung, "'\(program)' could not be ended")]
        }
    }

    /// What the kernel tells of memory where a client was killed (SIGKILL): nothing else is known of the sender.
    private static func memory(_ signal: Int32, _ kills: Int?) -> String {
        guard signal == 9, let kills else { return "" }
        return kills > 0
            ? "; meanwhile the kernel killed \(processes(kills).what) for want of memory"
            : "; the kernel killed no process for want of memory"
    }

    /// Whether what the built-in client told happened while it ran.
    private var clockFindings: [Finding] {
        let end = max(clientEnd, clientGone)
        guard clientStart > 0, end >= clientStart else { return [] }
        let outside = client.events.filter { !(clientStart...end).contains($0.t) }
        guard let first = outside.first else { return [] }
        let times = "at \(first.t) ns, and it ran from \(clientStart) to \(end) ns"
        return [Finding(.clockStepped, "\(outside.count) of the client's events, the first \(times)")]
    }

    /// Whether all that the client wrote could be read.
    private var outputFindings: [Finding] {
        var findings: [Finding] = []
        let unread = [(client.unreadLines, "lines of events"), (unreadProgress, "tellings of progress")]
        for (count, what) in unread where count > 0 {
            findings.append(
                Finding(.clientFlooded, "\(count) \(what) beyond the \(ClientLog.mostEvents) that are kept"))
        }
        if let patternTrouble {
            findings.append(Finding(.metricMissing, "\(patternTrouble); write a simpler one"))
        }
        return findings
    }
}
