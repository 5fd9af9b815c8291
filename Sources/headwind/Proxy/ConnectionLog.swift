import LinkModel
import Links
import ProxyLink

/// Makes one line of each connection, when it has ended.
struct ConnectionLog {
    private struct Entry {
        let opened: Instant
        let mode: ProxyMode
        let target: Endpoint
        var key: ConnectionKey
        var refusal: Refusal?
    }

    private var entries: [Int: Entry] = [:]

    /// The line that an event completes; nil for one that completes none.
    mutating func line(for event: ProxyEvent) -> String? {
        switch event.kind {
        case .opened(let mode, let target, let key):
            entries[event.connection] = Entry(opened: event.at, mode: mode, target: target, key: key)
        case .keyed(let key):
            entries[event.connection]?.key = key
        case .refused(let refusal):
            guard entries[event.connection] != nil else {
                return "#\(event.connection) turned away: \(Self.text(refusal))"
            }
            entries[event.connection]?.refusal = refusal
        case .closed(let downlink, let uplink, let cause):
            return entries.removeValue(forKey: event.connection).map { entry in
                Self.line(event, entry, downlink: downlink, uplink: uplink, cause: cause)
            }
        case .conditions(let conditions, let generation):
            return "link generation \(generation): \(Self.text(conditions))"
        case .connected, .upstreamConnected, .delivered, .decision:
            break
        }
        return nil
    }

    private static func line(
        _ event: ProxyEvent, _ entry: Entry, downlink: Int64, uplink: Int64, cause: CloseCause
    ) -> String {
        let time = Double(entry.opened.duration(to: event.at).nanoseconds / 1_000_000) / 1000
        var line = "#\(event.connection) \(entry.mode.rawValue) \(entry.target)"
        if case .path = entry.key { line += " \(entry.key)" }
        line += ": \(LinkSummary.size(downlink)) down, \(LinkSummary.size(uplink)) up, \(time) s, \(cause.rawValue)"
        if let refusal = entry.refusal { line += ": \(text(refusal))" }
        return line
    }

    private static func text(_ refusal: Refusal) -> String {
        switch refusal {
        case .modelled(let failure): "the link: \(failure.rawValue)"
        case .denied(.noRoute): "no route"
        case .denied(let denial): denial.description
        case .malformed(let reason): reason
        case .unsupported(let request): request.description
        case .tooSlow: "no request in time"
        case .tooMany: "too many connections"
        case .upstream(let failure): failure.description
        }
    }

    private static func text(_ link: LinkConditions) -> String {
        if let offline = link.offline { return "offline (\(offline.rawValue))" }
        if link.isHeld { return "stalled" }
        return Direction.allCases.map { direction in
            let conditions = link[direction]
            var text = "\(direction.rawValue) \(conditions.rate?.text ?? "unlimited"), \(conditions.delay.text)"
            if let loss = conditions.loss, loss.mean > 0 { text += ", \(loss.mean * 100) % lost" }
            return text
        }.joined(separator: "; ")
    }
}
