internal import LinkModel

/// All flows that the link knows; if it is full, a new flow replaces the least recently used one.
///
/// Flows with packets in only one direction are replaced first: a flood of first packets cannot replace one in use.
struct FlowTable: ~Copyable {
    private(set) var flows: FlowStore
    /// The number of flows so far.
    private(set) var count = 0
    private var index: [FlowKey: Int32] = [:]
    private var counts: [FlowKey.Family: Int] = [:]
    private var keys = ConnectionKeys()
    private var loose = FlowOrder()
    private var settled = FlowOrder()
    private var lastKey: FlowKey?
    private var lastSlot: Int32 = -1

    private let limit: Int
    private let random: KeyedRandom

    init(limit: Int, random: KeyedRandom) {
        self.limit = max(1, limit)
        flows = FlowStore(capacity: self.limit)
        self.random = random
    }

    /// The slots that hold a flow, in order of first packets.
    var slots: [Int32] { index.values.sorted { flows[$0].ordinal < flows[$1].ordinal } }

    /// The result of finding a flow.
    struct Found {
        var slot: Int32
        var isNew: Bool
        /// The flow that was replaced, or whose ports are used again; nil if there is none.
        var replaced: Replaced?
    }

    /// The final state of a flow that is no longer known, in payload bytes.
    struct Replaced {
        var ordinal: Int
        var isClosed: Bool
        var downlink: Int64
        var uplink: Int64
    }

    /// The flow of a packet; adds it if there is none.
    mutating func find(_ header: PacketHeader, _ direction: Direction) -> Found {
        let key = FlowKey(header, direction)
        let known = key == lastKey ? lastSlot : index[key]
        if let known, !startsAnew(header, direction, known) {
            use(known, direction)
            (lastKey, lastSlot) = (key, known)
            return Found(slot: known, isNew: false)
        }
        var replaced: Replaced?
        if let known {
            replaced = remove(known)
        } else if index.count >= limit, let oldest = loose.oldest ?? settled.oldest {
            replaced = remove(oldest)
        }
        let slot = insert(key)
        (lastKey, lastSlot) = (key, slot)
        return Found(slot: slot, isNew: true, replaced: replaced)
    }

    /// Whether a packet opens a new connection on the ports of an older one.
    private func startsAnew(_ header: PacketHeader, _ direction: Direction, _ slot: Int32) -> Bool {
        guard let tcp = header.tcp, tcp.has(PacketHeader.TCP.synchronize), !tcp.has(PacketHeader.TCP.acknowledge),
            let base = flows[slot, direction].base
        else { return false }
        return base != tcp.sequence &+ 1
    }

    /// Names a connection by its first request; returns the new name, or nil if it keeps its own.
    mutating func rename(_ slot: Int32, request: FirstRequest) -> ConnectionKey? {
        let key = keys.key(for: request, order: flows[slot].place)
        if case .order = key { return nil }
        flows[slot].rename(key, random: random)
        return key
    }

    private mutating func insert(_ key: FlowKey) -> Int32 {
        count += 1
        let place = counts[key.family, default: 0] + 1
        counts[key.family] = place
        let flow = Flow(
            key: key, place: place, ordinal: count, generation: UInt32(truncatingIfNeeded: count), random: random)
        let slot: Int32
        if let free = vacant.popLast() {
            slot = free
            flows[slot] = flow
            for direction in Direction.allCases { flows[slot, direction] = FlowHalf() }
        } else {
            slot = flows.append(flow)
        }
        index[key] = slot
        loose.append(slot, in: flows)
        return slot
    }

    private var vacant: [Int32] = []

    private mutating func remove(_ slot: Int32) -> Replaced {
        let flow = flows[slot]
        if flow.isSettled { settled.remove(slot, in: flows) } else { loose.remove(slot, in: flows) }
        index[flow.key] = nil
        vacant.append(slot)
        if lastSlot == slot { lastKey = nil }
        return Replaced(
            ordinal: flow.ordinal, isClosed: flow.isClosed, downlink: flows[slot, .downlink].payloadBytes,
            uplink: flows[slot, .uplink].payloadBytes)
    }

    /// Notes that a flow was used now.
    private mutating func use(_ slot: Int32, _ direction: Direction) {
        if flows[slot].isSettled {
            settled.renew(slot, in: flows)
        } else if flows[slot, direction.opposite].packets > 0 {
            loose.remove(slot, in: flows)
            flows[slot].isSettled = true
            settled.append(slot, in: flows)
        } else {
            loose.renew(slot, in: flows)
        }
    }
}

/// Flows in the order of their last use, as a linked list through their own fields.
private struct FlowOrder {
    private(set) var oldest: Int32?
    private var newest: Int32 = -1

    mutating func append(_ slot: Int32, in flows: borrowing FlowStore) {
        flows[slot].previous = newest
        flows[slot].next = -1
        if newest >= 0 { flows[newest].next = slot } else { oldest = slot }
        newest = slot
    }

    mutating func remove(_ slot: Int32, in flows: borrowing FlowStore) {
        let (previous, next) = (flows[slot].previous, flows[slot].next)
        if previous >= 0 { flows[previous].next = next } else { oldest = next >= 0 ? next : nil }
        if next >= 0 { flows[next].previous = previous } else { newest = previous }
    }

    mutating func renew(_ slot: Int32, in flows: borrowing FlowStore) {
        guard newest != slot else { return }
        remove(slot, in: flows)
        append(slot, in: flows)
    }
}
