package import Results
package import SystemPackage

/// How `headwind check` tests a client of the user's with a scenario that is written for the built-in client.
package struct ClientCheck: Hashable, Sendable {
    /// The special part that a check plays among the others.
    package enum Role: String, CaseIterable, Sendable {
        /// A download without any fault: if it fails, the other checks mean nothing.
        case control
        /// The same over TLS, for the checks that need ``ClientReport/Need/authority``.
        case authority
    }

    /// What a good client does, as a row of a report: `Goes on where a lost connection broke off`.
    package var says: String
    /// Why a command cannot be checked for this; nil if it can.
    package var unobservable: String?
    package var needs: Set<ClientReport.Need>
    /// nil: an ordinary check.
    package var role: Role?
    /// How much more memory the client may use at its peak than in the control, in bytes; nil: no limit.
    package var memoryOverControl: Int64?
    /// How much processor time the client may use above twice that of the control; nil: no limit.
    package var cpuOverControl: Duration?
    /// The least limit on a client's whole time (``CheckedCommand/within``) with which it is checked; nil: a few
    /// seconds.
    package var lasts: Duration?
}

/// A command that replaces the workloads of scenarios with a ``ClientCheck``.
package struct CheckedCommand: Sendable {
    /// The program and its arguments, with placeholders.
    package var words: [String]
    /// The absolute path of the folder that it runs in.
    package var directory: FilePath
    /// How long it may go without a sign of life before it has to end.
    package var patience: Duration
    /// How long it may take in total before it has to end.
    package var within: Duration
    /// Whether it has the digest by other means than `{digest}` or `{manifest}`.
    package var knowsDigest: Bool

    package init(
        words: [String], directory: FilePath, patience: Duration, within: Duration, knowsDigest: Bool = false
    ) {
        self.words = words
        self.directory = directory
        self.patience = patience
        self.within = within
        self.knowsDigest = knowsDigest
    }

    /// Whether it knows what the pack is: by a placeholder, or as its caller says.
    package var isToldDigest: Bool {
        guard !knowsDigest, let call = try? Command.Call(words: words) else { return true }
        return !Command(call: call).placeholders.isDisjoint(with: [.digest, .manifest])
    }

    /// Whether its words contain the placeholder for credentials.
    package var takesCredentials: Bool {
        (try? Command.Call(words: words)).map { Command(call: $0).placeholders.contains(.headers) } ?? false
    }
}

/// A check, and the scenario that it runs.
package struct AskedScenario: Sendable {
    package var check: ClientCheck
    /// nil if a command cannot be checked for this.
    package var scenario: Scenario?
    /// The name of the scenario's file, without its extension.
    package var name: String
}
