import LinkModel

/// A pack's identifier and its size in bytes, for faults of a link.
package struct PackBytes: Sendable, Hashable {
    package var identifier: String
    package var size: Int64

    package init(identifier: String, size: Int64) { (self.identifier, self.size) = (identifier, size) }
}

/// The progress of an attempt, which faults of the link wait for.
struct LinkProgress: Sendable {
    /// Returns the packs with a name.
    let packs: @Sendable (String) -> [PackBytes]
    /// How often the client has reported each kind of moment.
    var reports: [FaultSchedule.ClientMoment: Int] = [:]
    /// Bytes that have arrived, by connection.
    private var delivered: [Int: PerDirection<Int64>] = [:]
    /// The names of each connection.
    private var names: [Int: Set<String>] = [:]
    private var total = PerDirection<Int64>(both: 0)
    /// When each pack was first requested, and the bytes that had reached the client by then.
    private var baseline: [String: (at: Int64, downlink: Int64)] = [:]
    /// The bytes that had reached the client at past moments, the latest last.
    ///
    /// Requests are reported on another path, so a report may arrive late.
    private var past: [(at: Int64, downlink: Int64)] = []
    /// The number of moments to remember: some tens of seconds of a busy link.
    private static let mostMoments = 4096

    init(packs: @escaping @Sendable (String) -> [PackBytes]) {
        self.packs = packs
    }

    /// Records that a pack was requested at a moment, in nanoseconds.
    mutating func requested(_ pack: String, at moment: Int64) {
        guard baseline[pack] == nil else { return }
        baseline[pack] = (moment, past.last { $0.at <= moment }?.downlink ?? 0)
    }

    /// Records an event of a link; false if no fault can have become due.
    mutating func take(_ event: LinkEvent) -> Bool {
        switch event.kind {
        case .opened(_, _, let key, _), .flow(_, _, let key, _): names[event.connection] = [key]
        case .keyed(let key, let alias): names[event.connection] = Set([key] + (alias.map { [$0] } ?? []))
        case .delivered(let direction, let count):
            let known = delivered[event.connection]?[direction] ?? 0
            delivered[event.connection, default: PerDirection(both: 0)][direction] = count
            total[direction] += count - known
            if direction == .downlink { remember(event.at.nanoseconds) }
        default: return false
        }
        return true
    }

    private mutating func remember(_ moment: Int64) {
        if past.count == Self.mostMoments { past.removeFirst(Self.mostMoments / 2) }
        past.append((moment, total.downlink))
    }

    /// Whether the moment of a trigger has come; the client's reports count from `start` on.
    func hasReached(_ trigger: LinkFault.Trigger, since start: [FaultSchedule.ClientMoment: Int]) -> Bool {
        switch trigger {
        case .time, .later: return false
        case .bytes(let count, let direction, .any): return total[direction] >= count
        case .bytes(let count, let direction, .named(let name)):
            return delivered.contains { connection, bytes in
                names[connection]?.contains(name) == true && bytes[direction] >= count
            }
        case .packBytes, .packShare: return goal(of: trigger).map { total.downlink >= $0.downlink } ?? false
        case .client(let moment, let count): return reports[moment, default: 0] - start[moment, default: 0] >= count
        }
    }

    /// When the bytes of a pack that a trigger waits for had arrived; nil if they have not, or if it waits for others.
    ///
    /// That is before the last event if the request was reported late.
    func arrival(_ trigger: LinkFault.Trigger) -> Int64? {
        guard let goal = goal(of: trigger), total.downlink >= goal.downlink else { return nil }
        return max(past.first { $0.downlink >= goal.downlink }?.at ?? goal.start, goal.start)
    }

    /// The bytes that must have reached the client for a trigger on bytes of a pack, and the moment of the pack's first
    /// request; nil before that.
    private func goal(of trigger: LinkFault.Trigger) -> (downlink: Int64, start: Int64)? {
        let name: String
        let bytes: Int64
        switch trigger {
        case .packBytes(let count, let pack): (name, bytes) = (pack, count)
        case .packShare(let share, let pack):
            let size = packs(pack).map(\.size).reduce(0, +)
            (name, bytes) = (pack, Int64((share.fraction * Double(size)).rounded(.up)))
        case .time, .later, .bytes, .client: return nil
        }
        let first = packs(name).compactMap { baseline[$0.identifier] }.min { $0.downlink < $1.downlink }
        return first.map { ($0.downlink + bytes, $0.at) }
    }
}
