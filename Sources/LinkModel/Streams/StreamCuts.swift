/// Where a schedule cuts connections.
struct StreamCuts: Sendable {
    /// How many bytes arrive in each direction before the cut; nil: there is no cut.
    typealias Places = PerDirection<Int64?>

    private struct Cut: Hashable {
        var connection: FaultSchedule.Connection
        var direction: Direction
        var offset: Int64
    }

    private var places: [FaultSchedule.Connection: Places] = [:]
    private var waiting: Set<Cut> = []

    init(_ schedule: FaultSchedule?) {
        for fault in schedule?.packetFaults ?? [] {
            guard case .cut = fault.effect, case .data(let offset, _) = fault.place else { continue }
            let first = min(places[fault.connection]?[fault.direction] ?? .max, offset)
            places[fault.connection, default: Places(both: nil)][fault.direction] = first
            waiting.insert(Cut(connection: fault.connection, direction: fault.direction, offset: offset))
        }
    }

    var unmet: Int { waiting.count }

    /// The cuts of a connection with these names.
    func places(of names: [String]) -> Places {
        var own = Places(both: nil)
        guard !places.isEmpty else { return own }
        for connection in names.map(FaultSchedule.Connection.named) + [.any] {
            for direction in Direction.allCases {
                guard let first = places[connection]?[direction] else { continue }
                own[direction] = min(own[direction] ?? .max, first)
            }
        }
        return own
    }

    /// Records that a connection with these names was cut.
    mutating func meet(_ names: [String], _ direction: Direction, at offset: Int64) {
        for connection in names.map(FaultSchedule.Connection.named) + [.any] {
            waiting.remove(Cut(connection: connection, direction: direction, offset: offset))
        }
    }
}

extension StreamLink {
    /// The faults that the pipes play: a stream is cut where it is received, and does not notice duplicates.
    static func noticed(of schedule: FaultSchedule) -> FaultSchedule {
        var noticed = schedule
        noticed.lines.removeAll { line in
            guard case .packet(let fault) = line else { return true }
            return fault.effect == .cut || fault.effect == .duplicate
        }
        return noticed
    }

    /// Delivers what has arrived in order at `end`, up to the place of a cut if there is one.
    mutating func deliver(_ count: Int, to end: End, slot: Int, at now: Instant) {
        let direction = end.peer.sends
        var count = count
        let limit = streams[slot].cut[direction]
        let received = streams[slot][end.peer].receiver.next
        if let limit, received >= limit { count = Int(limit - (received - Int64(count))) }
        if count > 0 {
            payload[direction] += Int64(count)
            events.append(.delivered(streams[slot].id, to: end, count: count, at: now))
        }
        if let limit, received >= limit { cut(slot, at: limit, to: end, now: now) }
    }

    /// Resets a stream at the end that has received `limit` bytes, and sends a reset to the other end.
    private mutating func cut(_ slot: Int, at limit: Int64, to end: End, now: Instant) {
        let (id, key, alias) = (streams[slot].id, streams[slot].key, streams[slot].alias)
        let direction = end.peer.sends
        cuts.meet([key] + (alias.map { [$0] } ?? []), direction, at: limit)
        let decision = Decision(
            at: now, key: key, direction: direction, bytes: limit..<limit, transmission: 1, effect: .cut)
        events.append(.decision(decision))
        reset(from: end, on: id, at: now)
        events.append(.reset(id, end: end, at: now))
    }
}
