package import LinkModel
import Netlink

extension EgressPlan {
    /// Compiles the conditions of one direction to the plan of its egress; docs/explanation/kernel.md has the table.
    ///
    /// `layout` has what the conditions need, and may have more; by default it is theirs. `headerBytes` is the size of
    /// the hardware's header in front of each IP packet on the interface (default: 14). `seed` is that of netem; nil
    /// (the default): the kernel chooses. Throws a property that the queues do not support.
    package init(
        _ conditions: LinkConditions, _ direction: Direction, layout: QueueLayout? = nil, headerBytes: Int32 = 14,
        seed: UInt64? = nil
    ) throws(UnsupportedProperty) {
        let layout = layout ?? QueueLayout(direction, [conditions])
        if let obstacle = KernelObstacles.find(in: conditions, direction, layout: layout).first { throw obstacle }
        let parameters = EgressParameters(conditions, layout, seed: seed)
        if layout.holdsQueries {
            addHierarchy(parameters, delayingQueries: conditions.dnsDelay)
        } else {
            addChain(parameters)
        }
        // The kernel counts the hardware's header too, but a link's rate does not. The overhead of the first queue
        // holds for all.
        if !queues.isEmpty, headerBytes != 0 { queues[0].overhead = -headerBytes }
    }

    /// Adds a token bucket, in it netem, in that the queue; each only if it is needed.
    private mutating func addChain(_ parameters: EgressParameters) {
        var parent = TrafficHandle.root
        if parameters.layout.hasRate {
            let limit = parameters.queueLimit
            let bucket = TokenBucket(rate: parameters.rate, burst: parameters.burst, limit: limit)
            queues.append(TrafficQueue(.tokenBucket(bucket), handle: Handles.rate, parent: parent))
            parent = TrafficHandle(Handles.rate.major, 1)
        }
        if parameters.layout.hasNetem {
            queues.append(TrafficQueue(.netem(parameters.netem()), handle: Handles.netem, parent: parent))
            parent = TrafficHandle(Handles.netem.major, 1)
        }
        let needsQueue = parameters.layout.hasRate || parameters.layout.hasSilence && !parameters.layout.hasNetem
        if needsQueue { queues.append(TrafficQueue(parameters.queue, handle: Handles.queue, parent: parent)) }
    }

    /// Adds two classes below one rate: one for queries to name servers, one for all other packets.
    private mutating func addHierarchy(_ parameters: EgressParameters, delayingQueries delay: Duration) {
        let root = TrafficQueue(.hierarchy(defaultMinor: Handles.ways[0].minor), handle: Handles.rate)
        queues.append(root)
        let trunk = TrafficHandle(Handles.rate.major, 1)
        for (handle, parent) in [(trunk, root.handle)] + Handles.ways.map({ ($0, trunk) }) {
            classes.append(
                TrafficClass(
                    handle: handle, parent: parent, rate: parameters.rate, burst: parameters.burst,
                    quantum: parameters.quantum))
        }
        for (way, extra) in zip(Handles.ways, [.zero, delay]) {
            let netem = TrafficHandle(way.minor)
            queues.append(TrafficQueue(.netem(parameters.netem(later: extra)), handle: netem, parent: way))
            guard parameters.layout.hasRate else { continue }
            let queue = TrafficHandle(way.minor + 1)
            queues.append(TrafficQueue(parameters.queue, handle: queue, parent: TrafficHandle(netem.major, 1)))
        }
        filters = QueryFilters.all(below: root.handle, to: Handles.ways[1])
    }

    /// The handles of the parts of a plan.
    private enum Handles {
        static let rate = TrafficHandle(1)
        static let netem = TrafficHandle(2)
        static let queue = TrafficHandle(3)
        /// The class of all other packets, and that of queries; the queues in them have the same numbers.
        static let ways = [TrafficHandle(1, 0x10), TrafficHandle(1, 0x20)]
    }
}
