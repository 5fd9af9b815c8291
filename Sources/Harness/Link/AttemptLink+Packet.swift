import LinkModel
import PacketLink

extension AttemptLink {
    /// The link between the two networks of a cell.
    init(_ link: PacketLink) {
        self.init(
            events: link.events.compactMap { LinkEvent($0) },
            update: { _ = try await link.update($0) },
            follow: { _ = try await link.set($0, age: $1) },
            release: { _ = try await link.release() },
            cut: { try await link.resetConnections() },
            check: { _ = try await link.conditions },
            close: {
                await link.close()
                let counters = try await link.counters()
                var use = LinkUse(
                    payload: .init(downlink: counters.link.downlinkPayload, uplink: counters.link.uplinkPayload),
                    model: counters.link,
                    delivered: Dictionary(counters.known.map { ($0.ordinal, $0.downlink) }) { $1 },
                    droppedEvents: counters.droppedEvents, meter: try await link.samples(),
                    record: try await link.record())
                use.captureTrouble = counters.capture?.trouble
                return use
            })
    }
}

extension PacketCapture.Outcome {
    /// What the file lacks, as a sentence; nil where it lacks nothing.
    fileprivate var trouble: String? {
        if let failure { return "the capture is not whole: \(failure)" }
        guard missedPackets > 0 else { return nil }
        return "the capture lacks \(missedPackets) packets, for which it had no room or time"
    }
}

extension LinkEvent {
    /// Nil for what an attempt need not know.
    init?(_ event: PacketLinkEvent) {
        guard let kind = Kind(event.kind) else { return nil }
        self.init(at: event.at, connection: event.flow, kind: kind)
    }
}

extension LinkEvent.Kind {
    fileprivate init?(_ kind: PacketLinkEvent.Kind) {
        switch kind {
        case .opened(let key, let name):
            self = .flow(protocol: key.transport, target: "\(key.host)", key: name, port: Int(key.client.port))
        case .keyed(let key): self = .keyed("\(key)")
        case .acknowledged(let direction, let total): self = .delivered(direction, total: total)
        case .closed(let down, let up, let cause): self = .closed(downlink: down, uplink: up, cause: cause.rawValue)
        case .conditions(let conditions, let generation): self = .conditions(conditions, generation: generation)
        case .decision(let decision): self = .decision(line: decision.line)
        // What a link ended with is thrown where it was used.
        case .firstPayload, .delivered, .failed: return nil
        }
    }
}
