package import LinkModel

/// One line that may do what many lost packets do together: an outage of the link that begins where the first of them was lost.
package struct LiftedLine: Hashable, Sendable {
    package var line: FaultSchedule.Line
    /// The lines that it leaves as they are.
    package var others: [FaultSchedule.Line]

    /// How long outages are tried, the shortest first.
    private static let durations: [Duration] = [
        .milliseconds(300), .milliseconds(900), .seconds(3), .seconds(10),
    ]

    /// Outages in the place of the drops of each connection, those that take the most lines with them first.
    package static func candidates(of lines: [FaultSchedule.Line]) -> [LiftedLine] {
        var drops: [FaultSchedule.Connection: [FaultSchedule.PacketFault]] = [:]
        for case .packet(let fault) in lines where fault.effect == .drop {
            if case .data = fault.place { drops[fault.connection, default: []].append(fault) }
        }
        let ordered = drops.filter { $0.value.count > 1 }
            .sorted { ($1.value.count, $0.key.order) < ($0.value.count, $1.key.order) }
        return ordered.flatMap { connection, faults -> [LiftedLine] in
            let others = lines.filter { line in
                if case .packet(let fault) = line {
                    fault.connection != connection || fault.effect != .drop
                } else {
                    true
                }
            }
            // Each place at which a drop is may be the one that matters; those of the ends and the middle are tried.
            let downlink = faults.filter { $0.direction == .downlink }.compactMap(\.offset).sorted()
            guard let first = downlink.first, let last = downlink.last else { return [] }
            let places = [first, downlink[downlink.count / 2], last]
            var known: Set<Int64> = []
            return places.filter { known.insert($0).inserted }.flatMap { place in
                durations.map { duration in
                    let change = FaultSchedule.LinkChange(
                        effect: .outage(.silent), after: .bytes(max(1, place), .downlink, connection: connection),
                        until: .later(duration))
                    return LiftedLine(line: .link(change), others: others)
                }
            }
        }
    }
}

extension FaultSchedule.Line {
    private var packetFault: FaultSchedule.PacketFault? { if case .packet(let fault) = self { fault } else { nil } }

    /// Whether it is about a packet of a handshake or a lookup.
    package var isHandshake: Bool {
        switch packetFault?.place {
        case .handshake?, .lookup?, .reset?: true
        default: false
        }
    }

    /// Whether it is about a packet that is sent again.
    package var isRepetition: Bool { packetFault?.transmission.map { $0 > 1 } ?? false }
}

extension FaultSchedule.PacketFault {
    fileprivate var offset: Int64? { if case .data(let offset, _) = place { offset } else { nil } }
}

extension FaultSchedule.Connection {
    fileprivate var order: String { if case .named(let name) = self { name } else { "" } }
}
