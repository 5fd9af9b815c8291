import Netlink

/// The place of a rule among those of an interface: its class, the numbers of its queues, and which filters come first.
///
/// A rule keeps it for as long as it is there, so that others come and go beside it.
package struct RuleSlot: Hashable, Sendable, Comparable {
    let number: Int

    static let all = 1..<512

    init?(_ number: Int) {
        guard Self.all.contains(number) else { return nil }
        self.number = number
    }

    package static func < (left: RuleSlot, right: RuleSlot) -> Bool { left.number < right.number }

    /// Of its filters; a hardware address takes the first one alone.
    func priority(of family: InternetFamily?) -> UInt16 {
        SelectorFilters.Priority.rules + UInt16(2 * number) + (family == .v6 ? 1 : 0)
    }

    /// Both priorities that are its own.
    var priorities: [UInt16] { [priority(of: nil), priority(of: .v6)] }

    /// Its class of the root queue.
    var way: TrafficHandle { TrafficHandle(InterfaceTree.root.major, 0x100 + UInt16(number)) }

    /// The numbers of its queues: of the bucket that takes packets apart the first, of the plan in it the others.
    var queues: Range<UInt16> {
        let first = Self.firstQueue + UInt16(number) * Self.mostQueues
        return first..<first + Self.mostQueues
    }

    /// Where one of the numbers of an ``EgressPlan`` is in this place.
    func handle(_ handle: TrafficHandle) -> TrafficHandle {
        guard (1..<Self.mostQueues).contains(handle.major) else { return handle }
        return TrafficHandle(queues.lowerBound + handle.major, handle.minor)
    }

    /// The slot whose queues have a number; nil of all others.
    static func having(queue major: UInt16) -> RuleSlot? {
        major < firstQueue ? nil : RuleSlot(Int((major - firstQueue) / mostQueues))
    }

    /// The slot whose filters have a priority; nil of all others.
    static func having(priority: UInt16) -> RuleSlot? {
        let first = SelectorFilters.Priority.rules
        return priority < first ? nil : RuleSlot(Int((priority - first) / 2))
    }

    /// Places for rules in their order, in which those that are there already keep theirs, where that is possible.
    ///
    /// `kept` has the place of each of the rules that is there already.
    static func places(keeping kept: [RuleSlot?]) -> [RuleSlot] {
        let there = kept.compactMap { $0?.number }
        let isInOrder = zip(there, there.dropFirst()).allSatisfy { $0 < $1 }
        return (isInOrder ? places(between: kept.map { $0?.number }) : nil)
            ?? kept.indices.compactMap { RuleSlot(all.lowerBound - 1 + (1 + $0) * step) }
    }

    /// Nil where there is not room between two of them.
    private static func places(between kept: [Int?]) -> [RuleSlot]? {
        var places: [RuleSlot] = []
        var last = all.lowerBound - 1
        for (index, number) in kept.enumerated() {
            let next = kept[index...].compactMap(\.self).first
            let isNext = number != nil
            let gap = kept[index...].prefix { $0 == nil }.count + 1
            // Behind the last one there is room for many more.
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
