internal import LinkModel

extension NamedProxies {
    /// All links; the first is that of the proxy's own listeners.
    package var links: [NamedLink] {
        get async throws { try await run { $0.namedLinks } }
    }

    /// The open connections of all links, each with its link's name, in order of accept.
    package var connections: [(link: String, connection: ProxyCounters.Connection)] {
        get async throws {
            try await run { registry in
                registry.namedLinks.flatMap { link in link.counters.open.map { (link.name, $0) } }
                    .sorted { $0.1.id < $1.1.id }
            }
        }
    }

    package func link(_ name: String) async throws -> NamedLink { try await run { try $0.namedLink(name) } }

    /// Makes a link that stays without proxies, or changes a link; returns whether it is new.
    package func putLink(_ name: String, _ request: NamedLinkRequest) async throws -> Bool {
        try await turns.take { try await run { try $0.put(name, request) } }
    }

    /// Removes a link; throws ``NamedProxyError`` if there is none, or if a proxy uses it.
    package func removeLink(_ name: String) async throws {
        try await turns.take { try await run { try $0.removeLink(name) } }
    }

    /// The events of all links from now on; if more than `limit` wait for a slow reader, the oldest are dropped.
    package func events(waiting limit: Int = 4096) async throws -> AsyncStream<NumberedEvent> {
        try await run { $0.commons.feed.follow(limit: limit) }
    }
}
