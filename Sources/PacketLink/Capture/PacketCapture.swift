package import SystemPackage

/// Where and how far the packets of both ends are recorded.
package struct PacketCapture: Sendable, Hashable {
    /// A file that is made, or replaced; readable by this user only.
    package var path: FilePath
    /// Bytes after which nothing more is recorded, 256 MiB by default; what is left out is counted.
    package var limit: Int64

    /// Whether what packets carry is recorded, true by default; else their heads alone are, see ``PacketHead``.
    package var hasPayload: Bool

    package init(path: FilePath, limit: Int64 = 256 << 20, hasPayload: Bool = true) {
        precondition(limit >= 0, "a limit is not negative: \(limit)")
        self.path = path
        self.limit = limit
        self.hasPayload = hasPayload
    }

    /// What came of a capture.
    package struct Outcome: Sendable, Hashable {
        /// Packets that are in the file; one that crosses the link is there twice.
        package var packets = 0
        /// Packets left out, for the limit or because the file was not written fast enough.
        package var missedPackets = 0
        package var bytes: Int64 = 0
        /// Why the file ends early; nil: it does not.
        package var failure: PacketLinkError?
    }
}
