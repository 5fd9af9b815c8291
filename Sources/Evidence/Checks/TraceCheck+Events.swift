import Results
import Scenarios

/// Checks whether the events of a client that runs requests are complete.
extension TraceCheck {
    /// What is missing or inconsistent; nil if nothing is, or if the client did not exit by itself.
    var eventStreamFinding: Finding? {
        guard trace.exit?.timedOut == false, case .exited(let status) = trace.exit?.status else { return nil }
        return setup.isClientForeign ? foreignFinding(status) : ownFinding(status)
    }

    private var client: ClientLog { trace.client }

    private var gapFinding: Finding? {
        client.gap.map { Finding(.eventsCut, "line \($0.found) of the client's events follows line \($0.after)") }
    }

    /// The finding about the built-in client's events.
    private func ownFinding(_ status: Int32) -> Finding? {
        let words = client.complaints.last ?? "the built-in client ended with \(status)"
        if status == 64 { return Finding(.clientMisused, words) }
        if status == 70 { return Finding(.harnessFailed, words) }
        if let gapFinding { return gapFinding }
        if !client.hasStarted { return Finding(.eventsMissing, "its start event is missing") }
        guard let told = client.exitStatus else { return Finding(.eventsCut, "its end event is missing") }
        if told != Int(status) {
            return Finding(.eventsCut, "its events report status \(told), and it ended with \(status)")
        }
        if told == 0, let request = client.requests.first(where: { !$0.isAvailable && !$0.isPrefetch }) {
            return Finding(.eventsCut, "its events report success, but no end of '\(request.id)'")
        }
        return client.strayLines > 0 ? Finding(.eventsCut, "\(client.strayLines) lines are not events") : nil
    }

    /// The finding about the events of a user's client, which is itself to blame for what is missing.
    private func foreignFinding(_ status: Int32) -> Finding? {
        func failed(_ text: String) -> Finding {
            Finding(.clientFailed, "'\(setup.program)' ended with status \(status)\(text)")
        }
        if status == 64 {
            return Finding(.clientMisused, client.complaints.last ?? "'\(setup.program)' ended with \(status)")
        }
        if let gapFinding { return gapFinding }
        if client.events.isEmpty {
            return Finding(.clientMisused, "'\(setup.program)' ended with status \(status), and sent no event")
        }
        if !client.hasStarted { return failed(" and sent no start event") }
        guard let told = client.exitStatus else { return failed(" and sent no end event") }
        if told != Int(status) { return failed(", and its events report status \(told)") }
        if status == 70 { return failed(client.complaints.last.map { ": \($0)" } ?? "") }
        return neverBegun(status).map { failed(" and never began '\($0)'") }
    }

    /// A request of the workload for which a client that has ended sent no event.
    ///
    /// Nil for a client that was asked to end, or for a workload that installs or updates an app: it may rightly stop
    /// early.
    private func neverBegun(_ status: Int32) -> String? {
        let workload = setup.cell.workload
        guard status != 130, status != 143, !workload.hasInstall, workload.updates.isEmpty else { return nil }
        // A conditional request that was answered need not begin.
        let begun = Set(client.requests.map(\.id) + client.answers.map(\.id))
        return workload.names.first { !begun.contains($0) }
    }
}
