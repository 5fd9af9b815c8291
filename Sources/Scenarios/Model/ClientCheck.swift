package import Results
package import SystemPackage

/// How `headwind check` asks a client of the user's what a scenario asks the built-in one.
package struct ClientCheck: Hashable, Sendable {
    /// What a check is to the others.
    package enum Role: String, CaseIterable, Sendable {
        /// A download that nothing disturbs: where it fails, nothing else says anything.
        case control
        /// The same over TLS, for the checks that need ``ClientReport/Need/authority``.
        case authority
    }

    /// What a good client does, as a row of a report: `Goes on where a lost connection broke off`.
    package var says: String
    /// Why no command can be asked this; nil where it can.
    package var unobservable: String?
    package var needs: Set<ClientReport.Need>
    /// nil: one of many.
    package var role: Role?
    /// How many bytes more of memory it may have at a time than in the control; nil where nothing is asked of it.
    package var memoryOverControl: Int64?
    /// How much more processor time it may take than twice that of the control; nil where nothing is asked of it.
    package var cpuOverControl: Duration?
    /// The least time in all with which it is asked; nil where that is a few seconds.
    package var lasts: Duration?
}

/// A command that stands in the place of the workloads of scenarios with a ``ClientCheck``.
package struct CheckedCommand: Sendable {
    /// The program and its arguments, with placeholders.
    package var words: [String]
    /// The folder that it runs in, by its whole path.
    package var directory: FilePath
    /// How long it may go without a sign of life before it has to end.
    package var patience: Duration
    /// How long it may take in all before it has to end.
    package var within: Duration
    /// Whether it was told the digest by other means than `{digest}` or `{manifest}`.
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

    /// Whether it was told what the pack is: by a placeholder, or as its caller says.
    package var isToldDigest: Bool {
        guard !knowsDigest, let call = try? Command.Call(words: words) else { return true }
        return !Command(call: call).placeholders.isDisjoint(with: [.digest, .manifest])
    }

    /// Whether its words have a place for credentials.
    package var takesCredentials: Bool {
        (try? Command.Call(words: words)).map { Command(call: $0).placeholders.contains(.headers) } ?? false
    }
}

/// A check, and the scenario that asks it.
package struct AskedScenario: Sendable {
    package var check: ClientCheck
    /// nil where no command can be asked.
    package var scenario: Scenario?
    /// The name of the file that it stands in, without its extension.
    package var name: String
}
