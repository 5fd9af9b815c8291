import LinkModel
import ProxyLink

extension AttemptLink {
    /// The link of a proxy.
    init(_ link: ProxyLink) {
        self.init(
            events: link.events.map { LinkEvent($0) },
            update: { _ = try await link.update($0) },
            follow: { _ = try await link.set($0, age: $1) },
            release: { _ = try await link.release() },
            cut: { try await link.resetConnections() },
            check: { _ = try await link.conditions },
            close: {
                try await link.close()
                let counters = try await link.counters()
                return LinkUse(
                    payload: counters.payload, model: counters.link, droppedEvents: counters.droppedEvents,
                    meter: try await link.samples(), record: try await link.record())
            })
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
            case .opened(let door, let target, let key):
                .opened(door: door.rawValue, target: "\(target)", key: "\(key)")
            case .keyed(let key): .keyed("\(key)")
            case .connected: .connected
            case .refused(let refusal): .refused("\(refusal)")
            case .upstreamConnected(_, let port): .hostSide(port: port)
            case .delivered(let direction, let total): .delivered(direction, total: total)
            case .closed(let down, let up, let cause): .closed(downlink: down, uplink: up, cause: cause.rawValue)
            case .conditions(let conditions, let generation): .conditions(conditions, generation: generation)
            case .decision(let decision): .decision(line: decision.line)
            }
    }
}
