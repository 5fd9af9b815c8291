/// A link of a proxy as it is now: `try await control.links["main"]?.status.connections.open`.
public struct LinkState: Sendable, Hashable, Decodable {
    /// Its name.
    public let name: String
    /// The fault schedule that it plays instead of chance; nil if it has none.
    public let schedule: String?
    /// The profile that it follows; nil if it follows none.
    public let profile: Profile?
    /// The conditions that were set, offline included; nil while it follows a profile.
    public let conditions: Conditions?
    /// How it is offline on top of its profile; nil if it is not, or follows no profile.
    public let offline: OfflineKind?
    /// Its conditions now, and its traffic so far.
    public let status: LinkStatus

    private let text: Seed

    /// The seed of its random decisions.
    public var seed: UInt64 { text.value }

    private enum CodingKeys: String, CodingKey {
        case name, schedule, profile, conditions, offline, status
        case text = "seed"
    }
}

/// A named proxy as it is now: `try await control.proxies["api"]?.listen`.
public struct ProxyState: Sendable, Hashable, Decodable {
    /// Its name.
    public let name: String
    /// The address to connect to, as `HOST:PORT`.
    public let listen: String
    /// Where it leads, as `HOST:PORT`.
    public let upstream: String
    /// Whether it accepts connections.
    public let isEnabled: Bool
    /// The name of its link.
    public let link: String
    /// Its toxics.
    public let toxics: [Toxic]

    enum CodingKeys: String, CodingKey {
        case name, listen, upstream, link, toxics
        case isEnabled = "enabled"
    }
}

/// An open connection of a client: `try await control.connections.first?.target`.
public struct Connection: Sendable, Hashable, Decodable, Identifiable {
    /// Its number, as events have it.
    public let id: Int
    /// The name of its link.
    public let link: String
    /// The name of its proxy; nil for a proxy's own listeners.
    public let proxy: String?
    /// The client's address and port.
    public let client: String?
    /// The host and port that it asks for.
    public let target: String?
    /// The name that a client of TLS asks for (SNI).
    public let serverName: String?
    /// The key of random decisions about it.
    public let key: String?
    /// Bytes that were delivered to the client.
    public let downlink: Int
    /// Bytes that were delivered to the target.
    public let uplink: Int

    enum CodingKeys: String, CodingKey {
        case link, proxy, client, target, serverName, key, downlink, uplink
        case id = "connection"
    }
}
