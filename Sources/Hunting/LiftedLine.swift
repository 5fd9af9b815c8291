package import LinkModel

/// An outage of the link that may have the effect of many lost packets, in one line of a schedule.
package struct LiftedLine: Hashable, Sendable {
    package var line: FaultSchedule.Line
    /// The lines that it does not replace.
    package var others: [FaultSchedule.Line]

    /// The durations of the outages to try, the shortest first.
    private static let durations: [Duration] = [
        .milliseconds(300), .milliseconds(900), .seconds(3), .seconds(10),
    ]

    /// Outages that replace the lost packets of a connection, those that replace the most lines first.
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
            // Any of the lost packets may be the one that matters. The first, the middle and the last are tried.
            let downlink = faults.filter { $0.direction == .downlink }.compactMap(\.offset).sorted()
            guard let first = downlink.first, let last = downlink.last else { return [] }
            let places = [first, downlink[downlink.count / 2], last]
            var known: Set<Int64> = []
            return places.filter { known.insert($0).inserted }.flatMap { place in
                durations.map { duration in
                    let change = FaultSchedule.LinkChange(
                        effect: .offline(.silent), after: .bytes(max(1, place), .downlink, connection: connection),
                        until: .later(duration))
                    return LiftedLine(line: .link(change), others: others)
                }
            }
        }
    }
}

extension FaultSchedule.Line {
    private var packetFault: FaultSchedule.PacketFault? { if case .packet(let fault) = self { fault } else { nil } }

    /// Whether it affects a packet of a handshake or a lookup, or a reset.
    package var isHandshake: Bool {
        switch packetFault?.place {
        case .handshake?, .lookup?, .reset?: true
        default: false
        }
    }

    /// Whether it affects a retransmission.
    package var isRepetition: Bool { packetFault?.transmission.map { $0 > 1 } ?? false }
}

extension FaultSchedule.PacketFault {
    fileprivate var offset: Int64? { if case .data(let offset, _) = place { offset } else { nil } }
}

extension FaultSchedule.Connection {
    fileprivate var order: String { if case .named(let name) = self { name } else { "" } }
}
