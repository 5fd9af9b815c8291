package import LinkModel

/// A named proxy as it is now.
package struct NamedProxy: Sendable, Hashable {
    package var name: String
    /// Where it listens, or is to; with its real port once it does.
    package var listen: String
    /// Where its connections lead, as it was said.
    package var upstream: String
    /// Whether it listens.
    package var isEnabled: Bool
    /// Those of clients first, each in the order in which they were added.
    package var toxics: [Toxic]
    /// The link that it has; of the same name where that is its own.
    package var link: String
    /// Connections that are open.
    package var openConnections: Int
    /// Bytes read from the sender of each direction.
    package var received: PerDirection<Int64>
    /// Bytes written to the receiver of each direction.
    package var sent: PerDirection<Int64>
}

/// A link of named proxies as it is now.
package struct NamedLink: Sendable, Hashable {
    package var name: String
    /// What it follows; nil while conditions were set by hand.
    package var profile: Profile?
    package var conditions: LinkConditions
    package var seed: UInt64
    /// The proxies that have it, by name.
    package var proxies: [String]
    package var counters: ProxyCounters
}

/// What a named proxy is to be.
package struct NamedProxyRequest: Sendable, Hashable {
    package var name: String
    /// `127.0.0.1:8080`; `:8080` is every address of this machine, and nothing at all a free port of 127.0.0.1.
    package var listen: String
    package var upstream: String
    package var isEnabled: Bool
    /// The link that it shares with others of the same name for it; nil: the one that is called as it is.
    package var link: String?
    /// What holds from its first connection on.
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

    /// The link that it has: its own is not the one of the proxy's listeners, whatever it is called.
    var linkName: String { link ?? (name == ProxyRegistry.mainLink ? "proxy \(name)" : name) }
}

/// Why something cannot be done with named proxies.
package enum NamedProxyError: Error, Sendable, Hashable, CustomStringConvertible {
    case proxyNotFound
    case proxyExists
    case toxicNotFound
    case toxicExists
    case linkNotFound
    /// A link that proxies have.
    case linkUsed(String)
    /// A name, an address or another value that cannot be, with the reason.
    case invalid(String)
    /// A link follows one profile only.
    case profileTaken(String)
    /// There are as many as allowed.
    case tooMany(String)
    /// It could not listen; what the system said.
    case cannotListen(String)

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
        }
    }
}

/// Bounds on named proxies.
package struct NamedProxyLimits: Sendable, Hashable {
    /// Proxies at one time, 1000 by default.
    package var proxies = 1000
    /// Toxics of one proxy, 64 by default.
    package var toxics = 64
    /// Bytes of a name, 512 by default.
    package var nameBytes = 512

    package init() {}
}
