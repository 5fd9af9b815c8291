/// The same bytes, counted separately by host, link and client in one attempt.
///
/// All three are body bytes of the downlink. They must agree, because an error in one of them would not be noticed
/// otherwise.
package struct ByteAccount: Hashable, Sendable, Codable {
    /// Body bytes that the host handed to its sockets, without those that were still unsent when a socket closed.
    package var hostBytes: Int64?
    /// Body bytes that the link handed to the client's end.
    package var linkBytes: Int64?
    /// Body bytes that the client reports as received.
    package var clientBytes: Int64?
    /// How far the counts may differ: the bytes that were under way when a connection was cut.
    package var toleranceBytes: Int64

    package init(hostBytes: Int64?, linkBytes: Int64?, clientBytes: Int64?, toleranceBytes: Int64) {
        self.hostBytes = hostBytes
        self.linkBytes = linkBytes
        self.clientBytes = clientBytes
        self.toleranceBytes = toleranceBytes
    }

    private enum CodingKeys: String, SnakeCaseKey { case hostBytes, linkBytes, clientBytes, toleranceBytes }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        // An unknown count is written as null, so that readers see it.
        try container.encode(hostBytes, forKey: .hostBytes)
        try container.encode(linkBytes, forKey: .linkBytes)
        try container.encode(clientBytes, forKey: .clientBytes)
        try container.encode(toleranceBytes, forKey: .toleranceBytes)
    }
}

extension ByteAccount {
    /// Whether the client has more bytes than the link brought, beyond the tolerance.
    package var isAroundLink: Bool {
        guard let linkBytes, let arrived = clientBytes else { return false }
        return arrived.subtractingReportingOverflow(linkBytes).partialValue > toleranceBytes
    }

    /// Whether all known counts agree within the tolerance.
    package var agrees: Bool {
        let known = [hostBytes, linkBytes, clientBytes].compactMap { $0 }
        guard let least = known.min(), let most = known.max() else { return true }
        return most.subtractingReportingOverflow(least).partialValue <= toleranceBytes
    }

    /// The counts for people: `host 512000 B, link 512000 B, client unknown (±2048 B)`.
    package var text: String {
        func number(_ name: String, _ count: Int64?) -> String { "\(name) \(count.map { "\($0) B" } ?? "unknown")" }
        let counts = [number("host", hostBytes), number("link", linkBytes), number("client", clientBytes)]
        return counts.joined(separator: ", ") + " (±\(toleranceBytes) B)"
    }
}
