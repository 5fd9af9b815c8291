import LinkModel
import SystemPackage

/// What `headwind exec` is to run, and behind which link.
struct ExecPlan: Sendable {
    var words: [String]
    var profile: Profile
    var seed: UInt64 = 0
    /// Changes of the link, in the order of their times.
    var changes: [LinkChange] = []
    /// Ports of this machine that are on the program's own loopback too.
    var forwards: [UInt16] = []
    /// Where packets are recorded.
    var capture: FilePath?
    /// When the program is ended, if it has not ended by then.
    var timeout: Duration?
}
