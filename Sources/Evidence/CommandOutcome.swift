import Events
package import ProcessGuard
import Redaction
import Results
package import Scenarios

/// The outcome of a command that ran as the client.
struct CommandOutcome {
    let trace: AttemptTrace

    /// The progress that a command reported, in order of time.
    ///
    /// A program with several threads may report out of order. A report that was read after the program's end was made
    /// before.
    var progress: [ProgressSample] {
        trace.client.progress.map {
            ProgressSample(at: min($0.at, max(trace.clientStart, trace.clientEnd)), fraction: $0.fraction)
        }
        .enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }

    /// The outcome of a command, from its events if they report any request's end, otherwise from its exit status.
    ///
    /// If the scenario expects an exit status, the status decides. A command whose shell reports a crash has no outcome,
    /// as one that crashed itself.
    func outcome(_ expectations: [RequestExpectation]) -> RequestOutcome {
        let seconds = Double(trace.clientEnd - trace.clientStart) / 1e9
        switch trace.exit?.status {
        case .exited(0):
            if let told = told(after: seconds) { return told }
            // Many programs end with status 0 when they are terminated: that does not mean that they have the pack.
            guard trace.exit?.timedOut != true else { return RequestOutcome(id: Self.command, result: .noCallback) }
            return RequestOutcome(id: Self.command, result: .available, seconds: seconds)
        case .exited where trace.exit?.signalInShell(expectations) != nil:
            return RequestOutcome(id: Self.command, result: .noCallback)
        case .exited(let status) where trace.exit?.timedOut != true:
            let isStatusExpected = expectations.contains { $0.expectation.errorPattern?.domain == "exit" }
            if !isStatusExpected, let told = told(after: seconds), told.result == .error {
                return told
            }
            return RequestOutcome(
                id: Self.command, result: .error, seconds: seconds, domain: "exit", code: Int(status),
                message: trace.client.complaints.last)
        case nil:
            return RequestOutcome(id: Self.command, result: .unknown)
        default:
            return RequestOutcome(id: Self.command, result: .noCallback)
        }
    }

    /// The finding that the shell could not find or execute a program.
    ///
    /// Nil if it could, or if the scenario expects the status.
    func shellTrouble(_ cell: Cell) -> Finding? {
        guard case .shell? = cell.workload.command?.call, case .exited(let status) = trace.exit?.status,
            trace.exit?.timedOut == false,
            Self.shellStatuses.contains(status)
        else { return nil }
        let isNamed = cell.expectations.requests.contains { $0.expects(exit: status) }
        let words = trace.client.complaints.last ?? "the program does not exist, or is not executable"
        return isNamed ? nil : Finding(.clientNotStarted, "the shell ended with status \(status): \(words)")
    }

    /// The exit statuses of a POSIX shell if a command cannot be executed (126), or is not found (127).
    private static let shellStatuses: Set<Int32> = [126, 127]

    /// The name of the one request that a command counts as.
    private static let command = "command"

    /// The outcome of all requests that a command reported; nil if it reported no callback.
    ///
    /// Of several requests with one name the newest counts: the others were retried.
    private func told(after seconds: Double) -> RequestOutcome? {
        var newest: [String: ClientEvent] = [:]
        for event in trace.client.events
        where event.kind == .request || event.kind == .available || event.kind == .error {
            newest[event.id ?? ""] = event
        }
        let last = newest.values.sorted { $0.t < $1.t }
        guard last.contains(where: { $0.kind != .request }) else { return nil }
        let callbacks = max(1, trace.client.requests.map(\.callbacks).max() ?? 1)
        if let error = last.first(where: { $0.kind == .error }) {
            return RequestOutcome(
                id: Self.command, result: .error, seconds: seconds, callbacks: callbacks,
                domain: error.domain.map { Redaction.outputLine($0.utf8) },
                code: error.code, errorClass: error.class.flatMap(ErrorClass.init(rawValue:)),
                message: error.message.map { Redaction.outputLine($0.utf8) })
        }
        let isWhole = last.allSatisfy { $0.kind == .available }
        return RequestOutcome(
            id: Self.command, result: isWhole ? .available : .noCallback, seconds: isWhole ? seconds : nil,
            callbacks: callbacks)
    }
}

extension GuardedExit {
    /// The signal of a crash in a command's shell; nil if there was none, or if the scenario expects the exit status.
    ///
    /// A shell ends with 128 + n if signal n ended the last program in it (POSIX.1-2017, XCU 2.8.2). Only signals of
    /// crashes count, because programs use other high statuses by themselves, such as 130 and 143 when they are asked to
    /// end, or 255 for any error.
    fileprivate func signalInShell(_ expectations: [RequestExpectation]) -> Int32? {
        guard case .exited(let status) = status, !timedOut, Attribution.crashSignals.contains(status - 128),
            !expectations.contains(where: { $0.expects(exit: status) })
        else { return nil }
        return status - 128
    }
}

extension Cell {
    /// The signal that crashed the program in a command's shell, by the shell's exit status; nil if none did, or if
    /// the client is no command.
    package func signalInShell(_ exit: GuardedExit) -> Int32? {
        workload.command == nil ? nil : exit.signalInShell(expectations.requests)
    }
}
