package import Wording

/// What all runs of programs share in this process.
package struct ExecContext: Sendable {
    let descriptors: InheritedDescriptors
    let signals: ExecSignals
    /// Shows the user a line.
    let note: @Sendable (TerminalText) -> Void

    package init(
        descriptors: InheritedDescriptors, signals: ExecSignals, note: @escaping @Sendable (TerminalText) -> Void
    ) {
        (self.descriptors, self.signals, self.note) = (descriptors, signals, note)
    }
}

/// Why a program could not run as requested, as sentences on one line.
struct ExecError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description.onOneLine }

    /// The error if the system has no thread left; `work` is what it is for, as in "hear signals".
    static func noThread(to work: String) -> Self {
        Self(
            "Could not start a thread to \(work): this machine allows no more. 'ulimit -u' shows the limit; "
                + "end other programs, or raise it.")
    }
}
