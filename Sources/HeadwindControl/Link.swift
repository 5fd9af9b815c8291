/// A link of a standing proxy, for use in a test.
public struct Link: Sendable {
    /// The control API of its proxy.
    public let control: Control
    /// Its name in the API.
    public let name: String
    /// The address to connect to, as `HOST:PORT`: a proxy that leads to one upstream, or an HTTP and SOCKS 5 proxy.
    public let address: String

    /// Follows a profile from its start.
    public func follow(_ profile: Profile) async throws {
        try await control.put("links", name, LinkBody(profile: profile))
    }

    /// Sets conditions that hold from now on; absent properties are unshaped.
    public func set(_ conditions: Conditions) async throws {
        try await control.put("links", name, LinkBody(conditions: conditions))
    }

    /// Goes offline, by default with ``OfflineKind/noRoute``.
    public func offline(_ kind: OfflineKind = .noRoute) async throws {
        try await control.put("links", name, ["offline": kind])
    }

    /// Goes online again; the time of the profile has gone on meanwhile.
    public func online() async throws { try await control.put("links", name, ["offline": OfflineKind?.none]) }

    /// Replaces all toxics of the link's proxy; see `docs/reference/toxiproxy.md`.
    ///
    /// Throws ``ControlError`` for a link without a proxy to one upstream.
    public func setToxics(_ toxics: [Toxic]) async throws {
        let proxy: ProxyState = try await control.ask("GET", "proxies", name)
        // Absent fields stay as they are.
        try await control.putProxy(name, upstream: proxy.upstream, toxics: toxics)
    }

    /// The link as it is now: `try await link.state.seed`.
    public var state: LinkState { get async throws { try await control.ask("GET", "links", name) } }

    /// The link's conditions, and its traffic so far: `try await link.status.downlink.lostPackets`.
    public var status: LinkStatus { get async throws { try await state.status } }
}

/// How a link is offline, see `docs/reference/offline.md`.
public enum OfflineKind: String, Sendable, Codable, CaseIterable {
    /// Connecting fails at once.
    case noRoute = "no-route"
    /// Nothing answers.
    case silent
    /// Connections are refused.
    case refused
    /// Names do not resolve; existing connections go on.
    case noName = "no-name"
}

/// The conditions of a link, and its traffic so far.
public struct LinkStatus: Sendable, Hashable, Decodable {
    /// Counts of connections.
    public struct Connections: Sendable, Hashable, Decodable {
        /// Connections that are open now.
        public let open: Int
        /// All connections so far, refused ones included.
        public let accepted: Int
        /// Connections that were refused.
        public let refused: Int
    }

    /// Counts of one direction.
    public struct Traffic: Sendable, Hashable, Decodable {
        /// Payload bytes that were delivered.
        public let payloadBytes: Int
        /// Of these, bytes that were moved inside the kernel by splice(2).
        public let splicedBytes: Int
        /// Bytes on the link, with headers and retransmissions.
        public let wireBytes: Int
        /// Packets that the link lost.
        public let lostPackets: Int
    }

    /// Goes up by one with each change of the link.
    public let generation: Int
    /// The conditions that hold now.
    public let conditions: Conditions
    /// The names of the proxies that use it.
    public let proxies: [String]
    /// The connections of clients.
    public let connections: Connections
    /// The traffic to clients.
    public let downlink: Traffic
    /// The traffic from clients.
    public let uplink: Traffic
}
