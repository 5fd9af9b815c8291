import LinkModel
import Links
import PackFormat
import ProcessGuard
import Results

/// Everything that was recorded while one attempt ran, before anything is concluded from it.
struct AttemptTrace: Sendable {
    var host = HostLog()
    var link = LinkLog()
    var client = ClientLog()
    var crossed = LinkUse()
    /// Bytes that reached the client and the host, all connections together, in order of time.
    var exit: GuardedExit?
    /// How long after its moment a change of the link was in force, at the most.
    var linkLateness: Duration?
    /// How many processes of the machine the kernel killed for want of memory while the client ran; nil where it does not count.
    var memoryKills: Int?
    /// Whether somebody's own program was in headwind-client's place.
    var isClientForeign = false
    /// CLOCK_MONOTONIC nanoseconds.
    var linkStart: Int64 = 0
    var clientStart: Int64 = 0
    var clientEnd: Int64 = 0
    /// When nothing that the client had started was left either; bytes may have come until then.
    var clientGone: Int64 = 0
    /// Progress that a foreign client told in its own words.
    var foreignProgress: [ProgressSample] = []
    /// Progress of a foreign client that was too much to be read.
    var unreadProgress = 0
    /// Why a foreign client's progress is not known; nil where it is, or there is no pattern for it.
    var patternTrouble: String?
    /// The last lines that the client wrote on standard error, without secrets.
    var complaints: [String] = []
    /// The least room that the client's file system had; nil where nobody knows.
    var leastRoom: Int64?
    var unplayedFaults = 0
    /// Faults of the host that the cell's schedule lists.
    var listedHostFaults: [HostFault] = []
    /// Faults of the link that were played, and when.
    var playedFaults: [LinkFaultDriver.Played] = []
    /// The packs that are visible in the built-in client's store; nil where nobody could look.
    var stored: [ConductRecord.Stored]?
    /// What the scenario looks for in a command's output.
    var output: ConductRecord.Output?
    var files: [FileCheck] = []
    /// Bytes of the files that a command was to download, by their names.
    var fileSizes: [String: Int64] = [:]

    /// Takes in what the link told, which knows best when it began.
    mutating func take(_ log: LinkLog) {
        link = log
        if linkStart > 0, let start = log.startedAt { linkStart = start }
    }

    /// A file that the workload should have left, and whether it did.
    struct FileCheck: Sendable {
        var name: String
        /// The SHA-256 that it should have.
        var digest: String
        var problem: String?
        /// The pack that it should be, by its identifier; nil where it should be something else.
        var pack: String?
        /// nil where there is no regular file.
        var bytes: Int64?
        /// The first byte that is not the pack's, the file's end among them; nil where none is, or nobody knows.
        var wrongByte: Int64?
    }
}
