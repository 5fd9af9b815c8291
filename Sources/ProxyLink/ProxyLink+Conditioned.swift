package import LinkModel

extension ProxyLink {
    package var events: any AsyncSequence<LinkEvent, Never> & Sendable { proxyEvents.map { LinkEvent($0) } }

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

extension LinkEvent {
    init(_ event: ProxyEvent) {
        self.init(at: event.at, connection: event.connection, kind: Kind(event.kind))
    }
}

extension LinkEvent.Kind {
    fileprivate init(_ kind: ProxyEvent.Kind) {
        self =
            switch kind {
            case .opened(let mode, let target, let key):
                .opened(mode: mode.rawValue, target: "\(target)", key: "\(key)")
            case .keyed(let key): .keyed(key: "\(key)")
            case .connected: .connected
            case .refused(let refusal): .refused(reason: "\(refusal)")
            case .upstreamConnected(_, let port): .hostSide(port: port)
            case .delivered(let direction, let total): .delivered(direction: direction, total: total)
            case .closed(let down, let up, let cause): .closed(downlink: down, uplink: up, cause: cause.rawValue)
            case .conditions(let conditions, let generation):
                .conditions(conditions: conditions, generation: generation)
            case .decision(let decision): .decision(line: decision.line)
            }
    }
}
