import LinkModel
import Netlink

/// The place of a rule among those of an interface: its class, the handles of its queues, and the order of its filters.
///
/// A rule keeps its slot for as long as it is there, so that other rules can be added and removed.
package struct RuleSlot: Hashable, Sendable, Comparable {
    let number: Int

    static let all = 1..<512

    init?(_ number: Int) {
        guard Self.all.contains(number) else { return nil }
        self.number = number
    }

    package static func < (left: RuleSlot, right: RuleSlot) -> Bool { left.number < right.number }

    /// The priority of its filters; a hardware address has no family, and uses the first one.
    func priority(of family: InternetFamily?) -> UInt16 {
        SelectorFilters.Priority.rules + UInt16(2 * number) + (family == .v6 ? 1 : 0)
    }

    /// Both of its priorities.
    var priorities: [UInt16] { [priority(of: nil), priority(of: .v6)] }

    /// The handle of its class in the root queue.
    var way: TrafficHandle { TrafficHandle(InterfaceTree.root.major, 0x100 + UInt16(number)) }

    /// The major numbers of its queues: the first is that of the bucket that splits packets, the others are those of
    /// its plan.
    var queues: Range<UInt16> {
        let first = Self.firstQueue + UInt16(number) * Self.mostQueues
        return first..<first + Self.mostQueues
    }

    /// The handle in this slot for a handle of an ``EgressPlan``.
    func handle(_ handle: TrafficHandle) -> TrafficHandle {
        guard (1..<Self.mostQueues).contains(handle.major) else { return handle }
        return TrafficHandle(queues.lowerBound + handle.major, handle.minor)
    }

    /// The slot that has the major number of a queue; nil if none has.
    static func having(queue major: UInt16) -> RuleSlot? {
        major < firstQueue ? nil : RuleSlot(Int((major - firstQueue) / mostQueues))
    }

    /// The slot that has the priority of a filter; nil if none has.
    static func having(priority: UInt16) -> RuleSlot? {
        let first = SelectorFilters.Priority.rules
        return priority < first ? nil : RuleSlot(Int((priority - first) / 2))
    }

    /// Slots for rules in their order; rules that are there already keep theirs if that is possible.
    ///
    /// `kept` has the slot of each rule that is there already, and nil for each new one.
    static func places(keeping kept: [RuleSlot?]) -> [RuleSlot] {
        let there = kept.compactMap { $0?.number }
        let isInOrder = zip(there, there.dropFirst()).allSatisfy { $0 < $1 }
        return (isInOrder ? places(between: kept.map { $0?.number }) : nil)
            ?? kept.indices.compactMap { RuleSlot(all.lowerBound - 1 + (1 + $0) * step) }
    }

    /// Slots for rules between those that are kept; nil if there is not enough room.
    private static func places(between kept: [Int?]) -> [RuleSlot]? {
        var places: [RuleSlot] = []
        var last = all.lowerBound - 1
        for (index, number) in kept.enumerated() {
            let next = kept[index...].compactMap(\.self).first
            let isNext = number != nil
            let gap = kept[index...].prefix { $0 == nil }.count + 1
            // After the last kept slot there is room for many more.
            let place = isNext ? number : next.map { last + ($0 - last) / gap } ?? last + step
            guard let place, place > last, let slot = RuleSlot(place) else { return nil }
            places.append(slot)
            last = place
        }
        return places
    }

    private static let step = 8
    private static let firstQueue: UInt16 = 0x5000
    /// The greatest number in an ``EgressPlan`` is 0x21.
    private static let mostQueues: UInt16 = 0x28
}

/// The slot of a rule, and since when its profile plays.
struct RulePlace: Hashable {
    let slot: RuleSlot
    /// In seconds since 1970.
    let since: Int64
    /// How old its profile is when the shape begins.
    let age: Duration

    /// The places of `count` rules that begin with their shape.
    static func fresh(_ count: Int, at now: Int64 = 0) -> [RulePlace] {
        RuleSlot.places(keeping: Array(repeating: nil, count: count)).map {
            RulePlace(slot: $0, since: now, age: .zero)
        }
    }

    /// The places of rules, some of which are there already: the same traffic keeps its slot, and the same profile goes
    /// on.
    static func keeping(_ notes: [RuleNote], for rules: [LinkRule], at now: Int64) -> [RulePlace] {
        let kept = rules.map { rule in notes.first { $0.selector == rule.selector.description } }
        return zip(zip(rules, kept), RuleSlot.places(keeping: kept.map { $0?.slot })).map { pair, slot in
            let (rule, note) = pair
            guard let note, note.profile == RuleNote.name(of: rule.profile), note.since <= now else {
                return RulePlace(slot: slot, since: now, age: .zero)
            }
            return RulePlace(slot: slot, since: note.since, age: .seconds(now - note.since))
        }
    }
}
