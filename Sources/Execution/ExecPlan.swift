import Glibc
package import LinkModel
package import Wording

/// The program that `headwind exec` runs, and its link.
package struct ExecPlan: Sendable {
    let words: [String]
    let profile: Profile
    package var seed: UInt64 = 0
    /// The faults of the link.
    package var faults: [LinkFault] = []
    /// The fault schedule to play instead of random decisions; nil for none.
    package var schedule: FaultSchedule?
    /// Ports of this machine that the program also finds on its own loopback.
    package var forwards: [UInt16] = []
    /// The capture of packets; nil for none.
    package var capture: ExecCapture?
    /// How long the program may run before it is ended; nil for no limit.
    package var timeout: Duration?
    /// Whether it runs at the same time as others: then it has no terminal, and its standard input is empty.
    package var isBesideOthers = false
    /// Whether the run is recorded, so that it can be replayed.
    package var isRecorded = false

    package init(words: [String], profile: Profile) {
        self.words = words
        self.profile = profile
    }

    /// The link, with its faults.
    var link: LinkSetup { LinkSetup(profile: profile, faults: faults, seed: seed, schedule: schedule) }
}

/// Plays the timed events while a program runs: faults of the link, and the program's time limit.
struct ExecWatch {
    /// The time between SIGTERM and SIGKILL.
    private static let grace: Duration = .seconds(5)

    private let timeout: Task<Bool, Never>

    /// Begins when the program has started; `kill` sends it a signal.
    init(_ plan: ExecPlan, _ link: ProgramWatch, kill: @escaping @Sendable (Int32) -> Void) {
        link.start()
        timeout = Task {
            guard let timeout = plan.timeout, (try? await Task.sleep(for: timeout)) != nil else { return false }
            kill(SIGTERM)
            if (try? await Task.sleep(for: Self.grace)) != nil { kill(SIGKILL) }
            return true
        }
    }

    /// Stops watching when the program has ended; returns whether its time limit expired.
    func end() async -> Bool {
        timeout.cancel()
        return await timeout.value
    }
}

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
