package import LinkModel
package import PackFormat
package import ProcessGuard
package import Results

/// Everything that was recorded while one attempt ran, before anything is concluded from it.
///
/// Moments are nanoseconds of CLOCK_MONOTONIC.
package struct AttemptTrace: Sendable {
    package var host = HostLog()
    package var link = LinkLog()
    package var client = ClientLog()
    /// What crossed the link.
    package var crossed = LinkUse()
    /// How the client ended; nil where it is unknown.
    package var exit: GuardedExit?
    /// How long after its moment a change of the link was in force, at the most.
    package var linkLateness: Duration?
    /// How many processes of the machine the kernel killed for want of memory while the client ran; nil where it does not count.
    package var memoryKills: Int?
    package var linkStart: Int64 = 0
    package var clientStart: Int64 = 0
    package var clientEnd: Int64 = 0
    /// When the client showed the last sign of life; nil where it was not watched.
    package var lastSign: Int64?
    /// When nothing that the client had started was left either; bytes may have come until then.
    package var clientGone: Int64 = 0
    /// The least room that the client's file system had; nil where it is unknown.
    package var leastRoom: Int64?
    /// Faults of the link that never met their moment.
    package var unplayedFaults: [LinkFault] = []
    /// Faults of the host that the cell's schedule lists.
    package var listedHostFaults: [HostFault] = []
    /// Faults of the link that were played, and when.
    package var playedFaults: [PlayedFault] = []
    /// When faults killed the client, and bytes of the largest file that it had saved by then, where they could be read.
    package var kills: [(at: Int64, savedBytes: Int64?)] = []
    /// The starts of a command that is started more than once.
    package var starts: [Start] = []
    /// The packs that are visible in the built-in client's store; nil where it could not be read.
    package var stored: [ConductRecord.Stored]?
    package var files: [FileCheck] = []
    /// What was put into the client's folders before it started, and what became of it; nil where nothing was.
    package var before: [ConductRecord.Before]?
    /// What the scenario's oracle says; nil where it has none.
    package var oracle: ConductRecord.Oracle?
    /// Files that begin as a pack does, of the pack that has most; nil where they were not looked for.
    package var copies: Int?
    /// Bytes of the files that a command was to download, by their names.
    package var fileSizes: [String: Int64] = [:]

    package init() {}

    /// Takes in what the link told, which knows best when it began.
    package mutating func take(_ log: LinkLog) {
        link = log
        if linkStart > 0, let start = log.startedAt { linkStart = start }
    }

    /// One start of a command.
    package struct Start: Sendable {
        package var began: Int64
        package var ended: Int64
        /// nil where it did not end by itself with one.
        package var exitStatus: Int?

        package init(began: Int64, ended: Int64, exitStatus: Int?) {
            (self.began, self.ended, self.exitStatus) = (began, ended, exitStatus)
        }
    }

    /// A file that the workload should have left, and whether it did.
    package struct FileCheck: Sendable {
        package var name: String
        /// The SHA-256 that it should have.
        package var digest: String
        package var problem: String?
        /// The pack that it should be, by its identifier; nil where it should be something else.
        package var pack: String?
        /// nil where there is no regular file.
        package var bytes: Int64?
        /// The first byte that is not the pack's, the file's end among them; nil where none is, or where it is unknown.
        package var wrongByte: Int64?

        package init(name: String, digest: String, pack: String? = nil) {
            (self.name, self.digest, self.pack) = (name, digest, pack)
        }
    }
}

extension AttemptTrace {
    /// Seconds since the client's start; 0 for what was before it.
    func seconds(_ nanoseconds: Int64) -> Double { Double(max(0, nanoseconds - clientStart)) / 1e9 }

    /// The link's number of a connection to the host; nil where the link did not make it.
    func linkConnection(of connection: Int) -> Int? {
        host.peers[connection].flatMap { link.connectionByPort[$0] }
    }

    /// Free bytes of the client's file system below which a write of its may have failed.
    package static let leastRoomBytes: Int64 = 1 << 20

    /// That there was too little room for the client's files; nil where there was enough.
    var scratchFinding: Finding? {
        guard let leastRoom, leastRoom < Self.leastRoomBytes else { return nil }
        let free = Quantity(Double(leastRoom), .bytes).rounded()
        return Finding(.scratchDiskFull, "\(free) were free at some moment while the client ran")
    }

    /// Payload bytes that reached the client on a connection of the link; nil where it is unknown.
    func arrived(on connection: Int) -> Int64? { crossed.delivered[connection] ?? link.downlink[connection] }
}
