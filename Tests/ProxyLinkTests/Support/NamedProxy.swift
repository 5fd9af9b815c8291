import LinkModel
import ProxyLink

/// A link without listeners of its own, and a proxy "p" to a listener.
func withNamedProxy(
    profile: Profile = .open, limits: ProxyLimits = ProxyLimits(),
    _ body: (NamedProxies, PeerListener, Endpoint) async throws -> Void
) async throws {
    try await PeerListener.with { listener in
        let configuration = ProxyLinkConfiguration(profile: profile, forward: nil, limits: limits)
        try await withProxyLink(configuration) { link in
            let proxy = try await link.named.add(
                NamedProxyRequest(name: "p", listen: "127.0.0.1:0", upstream: "\(listener.endpoint)"))
            try await body(link.named, listener, Endpoint(parsing: proxy.listen))
        }
    }
}

extension Toxic {
    /// A toxic with the name "t".
    init(_ effect: Effect, _ direction: Direction = .downlink) {
        self.init(name: "t", direction: direction, effect: effect)
    }
}
