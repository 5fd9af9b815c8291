import FoundationEssentials
import Glibc
import LinkModel
import Links
import ProxyLink

/// The addresses of a running `headwind proxy`.
struct ProxyAddresses: Encodable {
    struct Reverse: Encodable {
        let listen: String
        let target: String
    }

    var version = 1
    var processID = getpid()
    let forward: String?
    /// The URLs of the proxy's page, one for each address at which other machines reach it.
    let pages: [String]
    let reverse: [Reverse]
    let control: String?
    /// The generated token for the control API; absent if there is none, or if the user gave it.
    let controlToken: String?
    /// The address of Toxiproxy's API; absent if it is not served.
    let toxiproxy: String?

    init(
        _ link: ProxyLink, reverse listeners: [ProxyLinkConfiguration.ReverseListener], token: String?,
        toxiproxy: Endpoint?
    ) {
        self.toxiproxy = toxiproxy.map { "http://\($0)" }
        forward = link.forwardAddress.map { "http://\($0)" }
        pages = link.forwardAddress?.reachable.map { "http://\($0)/" } ?? []
        reverse = zip(link.reverseAddresses, listeners).map { address, listener in
            Reverse(listen: address.description, target: listener.target.description)
        }
        control = link.controlAddress.map { "http://\($0)/v1/link" }
        controlToken = token
    }

    var lines: [String] {
        var lines = forward.map { ["forward \($0)"] } ?? []
        lines += pages.map { "page \($0)" }
        lines += reverse.map { "reverse \($0.listen) \($0.target)" }
        if let control { lines.append("control \(control)") }
        if let toxiproxy { lines.append("toxiproxy \(toxiproxy)") }
        if let controlToken { lines.append("control-token \(controlToken)") }
        return lines
    }
}

/// Makes one line for each connection, when the connection has ended.
struct ConnectionLog {
    private struct Entry {
        let opened: Instant
        let target: String
        /// `reverse a:80`, with the path of the first request if that is known.
        var text: String
        var refusal: String?
    }

    private var entries: [Int: Entry] = [:]

    /// The line that an event completes; nil if it completes none.
    mutating func line(for event: LinkEvent) -> String? {
        switch event.kind {
        case .opened(let mode, let target, let key, _):
            let path = key.hasPrefix("/") ? " " + key : ""
            entries[event.connection] = Entry(opened: event.at, target: target, text: "\(mode) \(target)" + path)
        case .keyed(let key, _):
            entries[event.connection]?.text += " " + key
        case .serverName(let name):
            guard let entry = entries[event.connection], !entry.target.hasPrefix("\(name):") else { break }
            entries[event.connection]?.text += " (TLS to \(name))"
        case .refused(let reason):
            guard entries[event.connection] != nil else { return "#\(event.connection) turned away: \(reason)" }
            entries[event.connection]?.refusal = reason
        case .closed(let downlink, let uplink, let cause):
            return entries.removeValue(forKey: event.connection).map { entry in
                Self.line(event, entry, downlink: downlink, uplink: uplink, cause: cause)
            }
        case .conditions(let conditions, let generation):
            let name = event.link.map { " \($0)" } ?? ""
            return "link\(name) generation \(generation): \(Self.text(conditions))"
        case .flow, .lookup, .connected, .hostSide, .delivered, .decision:
            break
        }
        return nil
    }

    private static func line(
        _ event: LinkEvent, _ entry: Entry, downlink: Int64, uplink: Int64, cause: CloseCause
    ) -> String {
        let time = Double(entry.opened.duration(to: event.at).nanoseconds / 1_000_000) / 1000
        var line =
            "#\(event.connection) \(entry.text): \(LinkSummary.size(downlink)) down, \(LinkSummary.size(uplink)) up, \(time) s, \(cause.rawValue)"
        if let refusal = entry.refusal { line += ": \(refusal)" }
        return line
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
