package import LinkModel
import Netlink

extension InterfaceLinks {
    /// What each direction of a shape has counted since its queues were made; nil where there is nothing of it.
    package func counters(of found: Found) throws(InterfaceLinkError) -> [Direction: EgressCounters] {
        var counters: [Direction: EgressCounters] = [:]
        do {
            if let target = found.target?.interface {
                let queues = try socket.queues(of: target)
                counters[.uplink] = EgressCounters(shape: queues, hasIntermediate: found.ifb != nil)
            }
            if let ifb = found.ifb?.interface {
                counters[.downlink] = EgressCounters(shape: try socket.queues(of: ifb), hasIntermediate: true)
            }
        } catch {
            throw InterfaceLinkError(error)
        }
        return counters
    }
}

extension EgressCounters {
    /// Puts together what the queues say that are in a root of Headwind's; nil where there is none.
    init?(shape queues: [InstalledTraffic], hasIntermediate: Bool) {
        guard let root = InterfaceLinks.ownRoot(in: queues, hasIntermediate: hasIntermediate) else { return nil }
        // Around the plan there is a bucket, and around that, where something is excepted, a queue with two ways.
        let isBucket = root.kind == "tbf"
        let bucket = isBucket ? root : queues.first { $0.parent.major == root.handle.major && $0.kind == "tbf" }
        guard let bucket, let first = queues.first(where: { $0.parent.major == bucket.handle.major }) else {
            return nil
        }
        self.init()
        (sentPackets, sentBytes) = (first.counters.packets, first.counters.bytes)
        (queuedPackets, queuedBytes) = (first.counters.queuedPackets, first.counters.queuedBytes)
        func drops(_ kinds: Set<String>) -> UInt32 {
            queues.filter { kinds.contains($0.kind) && $0.handle.number != 0 }.reduce(0) { $0 &+ $1.counters.drops }
        }
        let queueDrops = drops(["bfifo", "pfifo"])
        let hasNetem = queues.contains { $0.kind == "netem" }
        droppedPackets = UInt64(queueDrops)
        lostPackets = hasNetem ? Self.lost(drops(["netem"]), queueDrops) : 0
    }
}
