import Results
import Scenarios

/// Whether the stream of events of a client that runs requests is whole.
extension AttemptTrace {
    /// Whether the built-in client's stream of events is whole.
    var eventFindings: [Finding] {
        guard exit?.timedOut == false, case .exited(let status) = exit?.status else { return [] }
        if status == 64 {
            return [Finding(.clientMisused, complaints.last ?? "the built-in client ended with \(status)")]
        }
        if status == 70 {
            return [Finding(.harnessFailed, complaints.last ?? "the built-in client ended with \(status)")]
        }
        if let gap = client.gap {
            return [Finding(.eventsCut, "line \(gap.found) of the client's events came after line \(gap.after)")]
        }
        if !client.hasStarted { return [Finding(.eventsMissing, "no event of its start")] }
        guard let told = client.exitStatus else { return [Finding(.eventsCut, "no event of its end")] }
        if told != Int(status) { return [Finding(.eventsCut, "it told of status \(told) and ended with \(status)")] }
        if told == 0, let request = client.requests.first(where: { !$0.isAvailable && !$0.isPrefetch }) {
            return [Finding(.eventsCut, "it told that all went well, and not what became of '\(request.id)'")]
        }
        if client.strayLines > 0 { return [Finding(.eventsCut, "\(client.strayLines) lines are no events")] }
        return []
    }

    /// The same of somebody's own client: what it does not tell is its own doing.
    func foreignEventFindings(_ program: String, _ workload: Workload) -> [Finding] {
        guard exit?.timedOut == false, case .exited(let status) = exit?.status else { return [] }
        func failed(_ text: String) -> [Finding] {
            [Finding(.clientFailed, "'\(program)' ended with status \(status)\(text)")]
        }
        if status == 64 { return [Finding(.clientMisused, complaints.last ?? "'\(program)' ended with \(status)")] }
        if let gap = client.gap {
            return [Finding(.eventsCut, "line \(gap.found) of the client's events came after line \(gap.after)")]
        }
        if !client.hasStarted { return failed(" and told no event of its start") }
        guard let told = client.exitStatus else { return failed(" and told no event of its end") }
        if told != Int(status) { return failed(", and its events tell of status \(told)") }
        if status == 70 { return failed(complaints.last.map { ": \($0)" } ?? "") }
        return neverBegun(workload, status: status).map { failed(" and never began '\($0)'") } ?? []
    }

    /// A request of the workload that a client which has ended told nothing of.
    ///
    /// Who was asked to end, or could not install or update its app, rightly takes no further step.
    private func neverBegun(_ workload: Workload, status: Int32) -> String? {
        guard status != 130, status != 143, !workload.hasInstall, workload.updates.isEmpty else { return nil }
        let begun = Set(client.requests.map(\.id))
        return workload.names.first { !begun.contains($0) }
    }
}
