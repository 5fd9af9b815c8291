import LinkModel
import SystemPackage

/// What `headwind exec` is to run, and behind which link.
struct ExecPlan: Sendable {
    var words: [String]
    var profile: Profile
    var seed: UInt64 = 0
    /// What happens to the link.
    var faults: [LinkFault] = []
    /// What is played in the place of chance.
    var schedule: FaultSchedule?
    /// Ports of this machine that are on the program's own loopback too.
    var forwards: [UInt16] = []
    /// Where packets are recorded.
    var capture: ExecCapture?
    /// When the program is ended, if it has not ended by then.
    var timeout: Duration?
    /// Whether what happens is kept, to be had again.
    var isRecorded = false

    /// The link, with all that is to become of it.
    var link: LinkSetup { LinkSetup(profile: profile, faults: faults, seed: seed, schedule: schedule) }
}
