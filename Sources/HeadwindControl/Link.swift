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
        let proxy: ProxyAnswer = try await control.ask("GET", "proxies", name)
        // Absent fields stay as they are.
        try await control.put("proxies", name, ProxyBody(upstream: proxy.upstream, toxics: toxics))
    }

    /// The link's traffic so far.
    public var status: LinkStatus {
        get async throws {
            let answer: LinkAnswer = try await control.ask("GET", "links", name)
            return answer.status
        }
    }
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

/// The traffic of a link so far.
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
        /// Bytes on the link, with headers and retransmissions.
        public let wireBytes: Int
        /// Packets that the link lost.
        public let lostPackets: Int
    }

    /// Goes up by one with each change of the link.
    public let generation: Int
    /// The connections of clients.
    public let connections: Connections
    /// The traffic to clients.
    public let downlink: Traffic
    /// The traffic from clients.
    public let uplink: Traffic
}
