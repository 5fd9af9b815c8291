internal import DequeModule

/// Packets that wait for their turn: deficit round robin over flows (Shreedhar and Varghese, 1995).
///
/// With a single flow it is a plain FIFO with tail drop. With several, a full queue drops the oldest packets of the flow
/// that has the most bytes, as fq_codel does (RFC 8290 §4.1): the packets behind them soon tell its sender of the loss.
struct FairQueue {
    struct Item {
        var token: UInt64
        var size: Int
        var ready: Instant
        var jitter: Double
        var skipsDelay: Bool
        /// Added to its delay; 0 for most packets.
        var lateness: Duration
        /// Its delay does not begin before this moment; nil: it begins when the packet leaves.
        var heldUntil: Instant?
        var corruptAt: Double?
    }

    private struct Flow {
        var items = Deque<Item>()
        var bytes = 0
        var deficit = 0
    }

    private var flows: [Flow] = []
    /// Flows that have packets, in the order of their turns.
    private var turns = Deque<Int>()
    private(set) var bytes = 0
    private(set) var packets = 0

    private static let quantum = 1500

    var isEmpty: Bool { packets == 0 }

    mutating func append(_ item: Item, flow: Int) {
        while flows.count <= flow { flows.append(Flow()) }
        if flows[flow].items.isEmpty { turns.append(flow) }
        flows[flow].items.append(item)
        flows[flow].bytes += item.size
        bytes += item.size
        packets += 1
    }

    /// Removes and returns the packet whose turn it is; nil if the queue is empty.
    mutating func popFirst() -> Item? {
        while let flow = turns.first, let head = flows[flow].items.first {
            guard flows[flow].deficit >= head.size || turns.count == 1 else {
                flows[flow].deficit += Self.quantum
                turns.append(turns.removeFirst())
                continue
            }
            flows[flow].deficit = max(0, flows[flow].deficit - head.size)
            flows[flow].items.removeFirst()
            forget(head, of: flow)
            return head
        }
        return nil
    }

    /// Removes the oldest packet of the flow with the most bytes, and returns its token; nil if that flow is `flow`.
    mutating func evict(inFavourOf flow: Int) -> UInt64? {
        guard let longest = turns.max(by: { flows[$0].bytes < flows[$1].bytes }), longest != flow,
            let oldest = flows[longest].items.popFirst()
        else { return nil }
        forget(oldest, of: longest)
        return oldest.token
    }

    /// Removes all packets, and returns their tokens in the order of their turns.
    mutating func removeAll() -> [UInt64] {
        var tokens: [UInt64] = []
        tokens.reserveCapacity(packets)
        while let item = popFirst() { tokens.append(item.token) }
        return tokens
    }

    private mutating func forget(_ item: Item, of flow: Int) {
        flows[flow].bytes -= item.size
        bytes -= item.size
        packets -= 1
        guard flows[flow].items.isEmpty else { return }
        flows[flow].deficit = 0
        if turns.first == flow {
            turns.removeFirst()
        } else if let index = turns.firstIndex(of: flow) {
            turns.remove(at: index)
        }
    }
}
