import Events
package import LinkModel
package import PackFormat
package import ProcessGuard
package import Results

/// Everything recorded during one attempt, before any conclusion.
///
/// Times are in nanoseconds of CLOCK_MONOTONIC.
package struct AttemptTrace: Sendable {
    package var host = HostLog()
    package var link = LinkLog()
    package var client = ClientLog()
    /// What crossed the link.
    package var crossed = LinkUse()
    /// How the client ended; nil if unknown.
    package var exit: GuardedExit?
    /// The longest delay between the time of a change of the link and its effect; nil if unknown.
    package var linkLateness: Duration?
    /// How many processes of the machine the kernel killed for lack of memory while the client ran; nil if not counted.
    package var memoryKills: Int?
    package var linkStart: Int64 = 0
    package var clientStart: Int64 = 0
    package var clientEnd: Int64 = 0
    /// When the client showed the last sign of life; nil if it was not watched.
    package var lastSign: Int64?
    /// When the last process that the client had started was gone; bytes may have arrived until then.
    package var clientGone: Int64 = 0
    /// The fewest free bytes of the client's file system; nil if unknown.
    package var leastRoom: Int64?
    /// Faults of the link that never happened.
    package var unplayedFaults: [LinkFault] = []
    /// Faults of the host that the cell's schedule lists.
    package var listedHostFaults: [HostFault] = []
    /// Faults of the link that happened, and when.
    package var playedFaults: [PlayedFault] = []
    /// When faults killed the client, and the bytes of the largest file saved by then, if they could be read.
    package var kills: [(at: Int64, savedBytes: Int64?)] = []
    /// The starts of a command that is started more than once.
    package var starts: [Start] = []
    /// The packs that are visible in the built-in client's store; nil if it could not be read.
    package var stored: [ConductRecord.Stored]?
    package var files: [FileCheck] = []
    /// What was put into the client's folders before it started, and what happened to it; nil if nothing was.
    package var before: [ConductRecord.Before]?
    /// What the scenario's oracle reports; nil if it has none.
    package var oracle: ConductRecord.Oracle?
    /// The number of files that begin like a pack, of the pack with the most; nil if they were not looked for.
    package var copies: Int?
    /// The sizes of the files that a command should download, in bytes, by name.
    package var fileSizes: [String: Int64] = [:]

    package init() {}

    /// Sets the log of the link, whose own start time is more exact.
    package mutating func take(_ log: LinkLog) {
        link = log
        if linkStart > 0, let start = log.startedAt { linkStart = start }
    }

    /// One start of a command.
    package struct Start: Sendable {
        package var began: Int64
        package var ended: Int64
        /// Nil if it did not exit by itself.
        package var exitStatus: Int?
        /// The last line that it wrote to standard error, redacted; nil if it wrote none, or if that is unknown.
        package var lastWords: String?

        package init(began: Int64, ended: Int64, exitStatus: Int?, lastWords: String? = nil) {
            (self.began, self.ended, self.exitStatus, self.lastWords) = (began, ended, exitStatus, lastWords)
        }
    }

    /// A file that the workload should have left, and whether it did.
    package struct FileCheck: Sendable {
        package var name: String
        /// The SHA-256 that it should have.
        package var digest: String
        package var problem: String?
        /// The identifier of the pack that it should be; nil if it should be something else.
        package var pack: String?
        /// Nil if there is no regular file.
        package var bytes: Int64?
        /// The first byte that differs from the pack's, or the file's size if it is too short; nil if none does, or if
        /// unknown.
        package var wrongByte: Int64?

        package init(name: String, digest: String, pack: String? = nil) {
            (self.name, self.digest, self.pack) = (name, digest, pack)
        }
    }
}

extension AttemptTrace {
    /// Seconds since the client's start; 0 for anything before it.
    func seconds(_ nanoseconds: Int64) -> Double { Double(max(0, nanoseconds - clientStart)) / 1e9 }

    /// The link's number of a connection to the host; nil if the link did not make it.
    func linkConnection(of connection: Int) -> Int? {
        host.peers[connection].flatMap { link.connection(fromPort: $0.port, at: $0.at) }
    }

    /// The number of free bytes of the client's file system below which a write may have failed: 1 MiB.
    package static let leastRoomBytes: Int64 = 1 << 20

    /// The finding that there was too little room for the client's files; nil if there was enough.
    var scratchFinding: Finding? {
        guard let leastRoom, leastRoom < Self.leastRoomBytes else { return nil }
        let free = Quantity(Double(leastRoom), .bytes).rounded()
        return Finding(.scratchDiskFull, "\(free) were free at some moment while the client ran")
    }

    /// Payload bytes that reached the client on a connection of the link; nil if unknown.
    func arrived(on connection: Int) -> Int64? { crossed.delivered[connection] ?? link.downlink[connection] }

    /// Every event of the attempt on one clock, in order.
    package func timeline(cell: String, attempt: Int) -> [TimelineEvent] {
        func event(_ told: some Encodable, by source: TimelineEvent.Source) -> TimelineEvent {
            TimelineEvent(told, source: source, cell: cell, attempt: attempt)
        }
        func moment(_ at: Int64, _ name: String) -> TimelineEvent {
            TimelineEvent(nanoseconds: at, cell: cell, attempt: attempt, source: .harness, name: name)
        }
        var events = [moment(linkStart, "link-up"), moment(clientStart, "client-start")]
        events += starts.dropFirst().map { moment($0.began, "client-start") }
        events += kills.map { moment($0.at, "client-killed") }
        events += playedFaults.filter { $0.fault.effect == .deviceFull }.map { moment($0.at, "device-full") }
        events += host.events.map { event($0, by: .host) }
        events += link.events.map { event($0, by: .link) }
        events += client.events.map { event($0, by: .client) }
        // Progress that was reported as an event is already in the list.
        let told = Set(
            client.events.filter { $0.kind == .progress }.compactMap { event in
                event.fraction.map { ProgressSample(at: event.t, fraction: $0) }
            })
        events += client.progress.filter { !told.contains($0) }.map { sample in
            event(ClientEvent(.progress, at: sample.at) { $0.fraction = sample.fraction }, by: .client)
        }
        events.append(moment(clientEnd, "client-end"))
        return events.filter { $0.nanoseconds > 0 }.sorted { $0.nanoseconds < $1.nanoseconds }
    }
}
