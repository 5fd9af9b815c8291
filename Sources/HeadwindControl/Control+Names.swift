import Foundation

/// Everything that a proxy has, by name, and its events.
extension Control {
    /// All links, by name; `main` is that of the proxy's own listeners.
    ///
    ///     let lost = try await control.links["radio"]?.status.downlink.lostPackets
    public var links: [String: LinkState] { get async throws { try await ask("GET", "links") } }

    /// All named proxies, by name.
    ///
    ///     let address = try await control.proxies["api"]?.listen
    public var proxies: [String: ProxyState] { get async throws { try await ask("GET", "proxies") } }

    /// The connections that are open, the oldest first.
    ///
    ///     let hosts = try await control.connections.compactMap(\.serverName)
    public var connections: [Connection] { get async throws { try await ask("GET", "connections") } }

    /// Makes a link, or changes one; what is nil stays as it is.
    ///
    ///     let radio = try await control.putLink("radio", profile: "3g", seed: 7)
    ///
    /// Give `profile` or `conditions`, not both. `seed`: the seed of random decisions; by default derived from the
    /// proxy's seed and the link's name. `schedule`: the text of a fault schedule of L2 lines, instead of chance. Both
    /// are set when the link is made, and cannot change. The link stays until ``removeLink(_:)``. Its
    /// ``Link/address`` is empty: connect to a proxy that uses it. Throws ``ControlError`` if the proxy refuses.
    @discardableResult
    public func putLink(
        _ name: String, profile: Profile? = nil, conditions: Conditions? = nil, offline: OfflineKind? = nil,
        seed: UInt64? = nil, schedule: String? = nil
    ) async throws -> Link {
        let body = LinkBody(
            profile: profile, conditions: conditions, offline: offline, seed: seed.map(Seed.init), schedule: schedule)
        try await put("links", name, body)
        return Link(control: self, name: name, address: "")
    }

    /// Removes a link: `try await control.removeLink("radio")`.
    ///
    /// Throws ``ControlError`` if there is no such link, or if a proxy uses it.
    public func removeLink(_ name: String) async throws { try await answer("DELETE", "links", name) }

    /// Makes a proxy to `upstream` (`HOST:PORT`), or changes one; what is nil stays as it is.
    ///
    ///     let api = try await control.putProxy("api", upstream: "127.0.0.1:3000", link: "radio")
    ///     let page = try await fetch("http://\(api.listen)/")
    ///
    /// `listen`: its address; by default a free port of 127.0.0.1. `link`: the link that it shares with others; by
    /// default one of its own name. `toxics`: all that it has from now on; by default none. Throws ``ControlError`` if
    /// the proxy refuses.
    @discardableResult
    public func putProxy(
        _ name: String, upstream: String, listen: String? = nil, isEnabled: Bool? = nil, link: String? = nil,
        toxics: [Toxic] = []
    ) async throws -> ProxyState {
        let body = ProxyBody(upstream: upstream, listen: listen, enabled: isEnabled, link: link, toxics: toxics)
        return try await ask("PUT", "proxies", name, try JSONEncoder().encode(body))
    }

    /// Removes a proxy, and closes its connections: `try await control.removeProxy("api")`.
    ///
    /// Throws ``ControlError`` if there is no such proxy.
    public func removeProxy(_ name: String) async throws { try await answer("DELETE", "proxies", name) }

    /// The events of all links and connections from now on.
    ///
    ///     let events = try await control.events()
    ///     try await link.offline(.silent)
    ///     for try await event in events where event.kind == "conditions" {
    ///         let conditions: Conditions? = event["conditions"]
    ///         #expect(event.link == link.name && conditions?.offline == .silent)
    ///         break
    ///     }
    ///
    /// When this returns, the proxy has confirmed the request, so no later event is missed. The request ends when you
    /// drop the sequence, or cancel the task that iterates. If more than 4096 events wait, the oldest are dropped, and
    /// their ``Event/id`` is missing. Iterate once. Throws ``ControlError`` if the proxy refuses or does not answer
    /// within 30 s; so does the iteration if the proxy ends.
    public func events() async throws -> AsyncThrowingStream<Event, any Error> {
        let (beginning, begin) = AsyncThrowingStream.makeStream(of: Void.self, throwing: (any Error).self)
        // As in the proxy, the oldest of many events are dropped.
        let (events, add) = AsyncThrowingStream.makeStream(
            of: Event.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(4096))
        let reader = EventReader(try request("GET", "events"), at: place, begin: begin, add: add)
        let limit = Task {
            try await Task.sleep(for: .seconds(30))
            reader.fail(ControlError("could not reach the proxy at \(place): no answer within 30 s"))
        }
        defer { limit.cancel() }
        for try await _ in beginning {}
        try Task.checkCancellation()
        return events
    }
}
