internal import DequeModule
internal import HeapModule

/// Packets on their way, by their arrival, and among equal ones in the order in which they left.
///
/// Nearly all arrive in the order in which they left, and cost the same however many there are.
struct TravellingPackets {
    struct Item {
        var arrival: Instant
        var token: UInt64
        var corruptAt: Double?
    }

    private struct Entry: Comparable {
        var item: Item
        var ordinal: UInt64

        static func < (left: Self, right: Self) -> Bool {
            (left.item.arrival, left.ordinal) < (right.item.arrival, right.ordinal)
        }

        static func == (left: Self, right: Self) -> Bool { left.ordinal == right.ordinal }
    }

    /// Each arrives when the one before it does, or later.
    private var inOrder = Deque<Entry>()
    /// Those that overtake, or are overtaken.
    private var others = Heap<Entry>()
    private var ordinal: UInt64 = 0

    /// When the next one arrives; nil while there is none.
    var nextArrival: Instant? {
        guard let other = others.min?.item.arrival else { return inOrder.first?.item.arrival }
        return inOrder.first.map { min($0.item.arrival, other) } ?? other
    }

    /// Adds one that arrives when the last such one does, or later.
    mutating func append(_ item: Item) {
        ordinal += 1
        inOrder.append(Entry(item: item, ordinal: ordinal))
    }

    /// Adds one that arrives at any time.
    mutating func insert(_ item: Item) {
        ordinal += 1
        others.insert(Entry(item: item, ordinal: ordinal))
    }

    /// Takes the next one that has arrived by `now`.
    mutating func popFirst(by now: Instant) -> Item? {
        if let other = others.min, inOrder.first.map({ other < $0 }) ?? true {
            guard other.item.arrival <= now else { return nil }
            return others.popMin()?.item
        }
        guard let first = inOrder.first, first.item.arrival <= now else { return nil }
        return inOrder.removeFirst().item
    }
}
