/// Packets in order, linked through their notes.
struct SlotQueue {
    private var first: Int32 = -1
    private var last: Int32 = -1

    var isEmpty: Bool { first < 0 }

    mutating func append(_ slot: Int32, in slab: inout PacketSlab) {
        slab[slot].next = -1
        if last >= 0 { slab[last].next = slot } else { first = slot }
        last = slot
    }

    mutating func popFirst(in slab: inout PacketSlab) -> Int32? {
        guard first >= 0 else { return nil }
        let slot = first
        first = slab[slot].next
        if first < 0 { last = -1 }
        return slot
    }
}
