package import LinkModel

/// The current state of a named proxy.
package struct NamedProxy: Sendable, Hashable {
    package var name: String
    /// Where it listens, or will listen; with its real port after it has first listened.
    package var listen: String
    /// The target of its connections, as the client wrote it.
    package var upstream: String
    /// Whether it listens.
    package var isEnabled: Bool
    /// Its toxics: those of the uplink first, in each direction in the order in which they were added.
    package var toxics: [Toxic]
    /// The name of its link; the proxy's own name unless it shares a link.
    package var link: String
    /// Connections that are open.
    package var openConnections: Int
    /// Bytes read from the sender of each direction.
    package var received: PerDirection<Int64>
    /// Bytes written to the receiver of each direction.
    package var sent: PerDirection<Int64>
}

/// The current state of a link of named proxies.
package struct NamedLink: Sendable, Hashable {
    package var name: String
    /// The profile that it follows; nil while it has conditions that were set by hand.
    package var profile: Profile?
    package var conditions: LinkConditions
    /// The kind of offline that a request has set, whatever the profile says; nil: there is none.
    package var offline: OfflineKind?
    package var seed: UInt64
    /// The faults that it plays; nil if chance decides.
    package var schedule: FaultSchedule?
    /// The names of the proxies that use it, sorted.
    package var proxies: [String]
    package var counters: ProxyCounters
}

/// A request to make or change a link of named proxies.
package struct NamedLinkRequest: Sendable, Hashable {
    /// What changes, in this order; empty leaves the link as it is.
    package var changes: [LinkRequest]
    /// The seed of a new link; nil derives it from the link's name.
    package var seed: UInt64?
    /// The faults of packets that a new link plays; nil: chance decides.
    package var schedule: FaultSchedule?

    package init(_ changes: [LinkRequest] = [], seed: UInt64? = nil, schedule: FaultSchedule? = nil) {
        (self.changes, self.seed, self.schedule) = (changes, seed, schedule)
    }
}

/// A request to make a named proxy.
package struct NamedProxyRequest: Sendable, Hashable {
    package var name: String
    /// Where to listen, as `127.0.0.1:8080`; `:8080` means every address of this machine, "" a free port of 127.0.0.1.
    package var listen: String
    package var upstream: String
    package var isEnabled: Bool
    /// The name of the link, which all proxies with this name for it share; nil: the proxy's own name.
    package var link: String?
    /// Its toxics, from its first connection on.
    package var toxics: [Toxic]

    package init(
        name: String, listen: String, upstream: String, isEnabled: Bool = true, link: String? = nil,
        toxics: [Toxic] = []
    ) {
        self.name = name
        self.listen = listen
        self.upstream = upstream
        self.isEnabled = isEnabled
        self.link = link
        self.toxics = toxics
    }

    /// The name of its link; a proxy called "main" gets a link of its own, not that of the proxy's listeners.
    var linkName: String { link ?? (name == ProxyRegistry.mainLink ? "proxy \(name)" : name) }
}

/// The errors of operations on named proxies; the description is for the client.
package enum NamedProxyError: Error, Sendable, Hashable, CustomStringConvertible {
    case proxyNotFound
    case proxyExists
    case toxicNotFound
    case toxicExists
    case linkNotFound
    /// The link cannot be removed because proxies use it.
    case linkUsed(String)
    /// A name, an address or another value is invalid, with the reason.
    case invalid(String)
    /// The link already follows the profile of a toxic; a link follows only one.
    case profileTaken(String)
    /// There are already as many as the limits allow.
    case tooMany(String)
    /// It could not listen, with the reason.
    case cannotListen(String)
    /// It could not listen, with the system's error.
    case listening(ProxyLinkError)

    package var description: String {
        switch self {
        case .proxyNotFound: "proxy not found"
        case .proxyExists: "proxy already exists"
        case .toxicNotFound: "toxic not found"
        case .toxicExists: "toxic already exists"
        case .linkNotFound: "link not found"
        case .invalid(let reason), .profileTaken(let reason), .linkUsed(let reason), .tooMany(let reason),
            .cannotListen(let reason):
            reason
        case .listening(let error): error.description
        }
    }
}

/// Bounds on named proxies.
package struct NamedProxyLimits: Sendable, Hashable {
    /// The most proxies at one time, 1000 by default; it limits links too.
    package var proxies = 1000
    /// The most toxics of one proxy, 64 by default.
    package var toxics = 64
    /// The most bytes of a name, 512 by default.
    package var nameBytes = 512

    package init() {}
}
