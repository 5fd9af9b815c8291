package import LinkModel

extension ProxyLink {
    package var events: any AsyncSequence<LinkEvent, Never> & Sendable { feed }

    package func use() async throws -> LinkUse {
        let counters = try await counters()
        var use = LinkUse()
        use.payload = counters.payload
        use.model = counters.link
        use.connections = counters.accepted
        use.refusedConnections = counters.refused
        use.droppedEvents = counters.droppedEvents
        use.meter = try await samples()
        use.record = try await record()
        return use
    }
}
