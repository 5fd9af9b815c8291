package import SystemPackage

/// The configuration of a capture: where and how much of both ends' packets is recorded.
package struct PacketCapture: Sendable, Hashable {
    /// The file, which is created or overwritten, and readable by this user only.
    package var path: FilePath
    /// The most bytes of the file, 256 MiB by default; packets beyond them are only counted.
    package var limit: Int64

    /// Whether payload is recorded, true by default; else only heads are, see ``PacketHead``.
    package var hasPayload: Bool

    package init(path: FilePath, limit: Int64 = 256 << 20, hasPayload: Bool = true) {
        precondition(limit >= 0, "a limit is not negative: \(limit)")
        self.path = path
        self.limit = limit
        self.hasPayload = hasPayload
    }

    /// The outcome of a capture.
    package struct Outcome: Sendable, Hashable {
        /// Packets in the file; one that crosses the link is there twice.
        package var packets = 0
        /// Packets left out, because of the limit or because the file was not written fast enough.
        package var missedPackets = 0
        package var bytes: Int64 = 0
        /// The reason why the file ends early; nil if it does not.
        package var failure: PacketLinkError?
    }
}
