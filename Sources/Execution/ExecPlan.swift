import Glibc
import Harness
package import LinkModel

/// What `headwind exec` is to run, and behind which link.
package struct ExecPlan: Sendable {
    let words: [String]
    let profile: Profile
    package var seed: UInt64 = 0
    /// What happens to the link.
    package var faults: [LinkFault] = []
    /// What is played in the place of chance.
    package var schedule: FaultSchedule?
    /// Ports of this machine that are on the program's own loopback too.
    package var forwards: [UInt16] = []
    /// Where packets are recorded.
    package var capture: ExecCapture?
    /// When the program is ended, if it has not ended by then.
    package var timeout: Duration?
    /// Whether it runs beside others: then it has no terminal, and its standard input is empty.
    package var isBesideOthers = false
    /// Whether what happens is kept, to be had again.
    package var isRecorded = false

    package init(words: [String], profile: Profile) {
        self.words = words
        self.profile = profile
    }

    /// The link, with all that is to become of it.
    var link: LinkSetup { LinkSetup(profile: profile, faults: faults, seed: seed, schedule: schedule) }
}

/// What happens at its time while a program runs: faults of the link, and the end of the program's time.
struct ExecWatch {
    /// What a program has between SIGTERM and SIGKILL.
    private static let grace: Duration = .seconds(5)

    private let timeout: Task<Bool, Never>

    /// The program has started.
    init(_ plan: ExecPlan, _ link: ProgramWatch, kill: @escaping @Sendable (Int32) -> Void) {
        link.start()
        timeout = Task {
            guard let timeout = plan.timeout, (try? await Task.sleep(for: timeout)) != nil else { return false }
            kill(SIGTERM)
            if (try? await Task.sleep(for: Self.grace)) != nil { kill(SIGKILL) }
            return true
        }
    }

    /// To be called when the program has ended; answers whether that was for the time.
    func end() async -> Bool {
        timeout.cancel()
        return await timeout.value
    }
}
