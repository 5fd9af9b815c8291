/// A link of a standing proxy, while a test has it.
public struct Link: Sendable {
    /// The API that it is driven by.
    public let control: Control
    /// Its name there.
    public let name: String
    /// Where to connect, as `HOST:PORT`: a proxy that leads to one upstream, or an HTTP and SOCKS 5 proxy.
    public let address: String

    /// Follows a profile from its start.
    public func follow(_ profile: Profile) async throws {
        try await control.put("links", name, LinkBody(profile: profile))
    }

    /// Lets conditions hold from now on; what they do not say is unshaped.
    public func set(_ conditions: Conditions) async throws {
        try await control.put("links", name, LinkBody(conditions: conditions))
    }

    /// Goes offline.
    public func offline(_ kind: OfflineKind = .noRoute) async throws {
        try await control.put("links", name, OfflineBody(offline: kind))
    }

    /// Goes online again, with everything else as it is.
    public func online() async throws { try await control.put("links", name, OfflineBody(offline: nil)) }

    /// Lets these be all toxics of the link's proxy, as `docs/reference/toxiproxy.md` has them.
    ///
    /// Throws ``ControlError`` for a link without a proxy to one upstream.
    public func setToxics(_ toxics: [Toxic]) async throws {
        var proxy: ProxyBody = try await control.get("proxies", name)
        // What is left out stays as it is.
        (proxy.toxics, proxy.link, proxy.listen) = (toxics, nil, nil)
        try await control.put("proxies", name, proxy)
    }

    /// What has crossed it so far.
    public var status: LinkStatus {
        get async throws {
            let answer: LinkAnswer = try await control.get("links", name)
            return answer.status
        }
    }
}

/// How a link is offline, as `docs/reference/offline.md` has it.
public enum OfflineKind: String, Sendable, Codable, CaseIterable {
    /// Connecting fails at once.
    case noRoute = "no-route"
    /// Nothing answers.
    case silent
    /// Connections are refused.
    case refused
    /// Names do not resolve; what is connected goes on.
    case noName = "no-name"
}

/// What has crossed a link so far.
public struct LinkStatus: Sendable, Hashable, Decodable {
    /// Counts of connections.
    public struct Connections: Sendable, Hashable, Decodable {
        /// Those that are open now.
        public let open: Int
        /// All that came.
        public let accepted: Int
        /// Those of them that were turned away.
        public let refused: Int
    }

    /// Counts of one direction.
    public struct Traffic: Sendable, Hashable, Decodable {
        /// Bytes that programs sent.
        public let payloadBytes: Int
        /// Bytes on the link, with headers and retransmissions.
        public let wireBytes: Int
        /// Packets that the link lost.
        public let lostPackets: Int
    }

    /// One higher after each change of the link.
    public let generation: Int
    /// Those of clients.
    public let connections: Connections
    /// What went to clients.
    public let downlink: Traffic
    /// What came from clients.
    public let uplink: Traffic
}
