internal import DequeModule
internal import HeapModule

/// Packets that have left the transmitter, sorted by arrival, then by the order in which they left.
///
/// Nearly all arrive in the order in which they left; each of these costs the same however many there are.
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

    /// Packets that arrive in the order in which they were added.
    private var inOrder = Deque<Entry>()
    /// Packets that overtake others, or are overtaken.
    private var others = Heap<Entry>()
    private var ordinal: UInt64 = 0

    /// When the next packet arrives; nil if there is none.
    var nextArrival: Instant? {
        guard let other = others.min?.item.arrival else { return inOrder.first?.item.arrival }
        return inOrder.first.map { min($0.item.arrival, other) } ?? other
    }

    /// Adds a packet that arrives no earlier than the last one that was appended.
    mutating func append(_ item: Item) {
        ordinal += 1
        inOrder.append(Entry(item: item, ordinal: ordinal))
    }

    /// Adds a packet that may arrive at any time.
    mutating func insert(_ item: Item) {
        ordinal += 1
        others.insert(Entry(item: item, ordinal: ordinal))
    }

    /// Removes and returns the next packet that has arrived by `now`; nil if there is none.
    mutating func popFirst(by now: Instant) -> Item? {
        if let other = others.min, inOrder.first.map({ other < $0 }) ?? true {
            guard other.item.arrival <= now else { return nil }
            return others.popMin()?.item
        }
        guard let first = inOrder.first, first.item.arrival <= now else { return nil }
        return inOrder.removeFirst().item
    }
}
