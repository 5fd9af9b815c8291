package import LinkModel
package import Netlink

/// The plan of an egress: its queues, classes and filters, each after the one that it is in.
package struct EgressPlan: Hashable, Sendable, CustomStringConvertible {
    package var queues: [TrafficQueue] = []
    package var classes: [TrafficClass] = []
    package var filters: [TrafficFilter] = []

    /// One line for each, in the notation of tc(8).
    package var description: String {
        (queues.prefix(1).map(\.description) + classes.map(\.description) + queues.dropFirst().map(\.description)
            + filters.map(\.description)).joined(separator: "\n")
    }

    /// The kinds of queues and filters that the kernel must have, as tc(8) calls them.
    package var kinds: Set<String> {
        Set(queues.map(\.discipline.kind)).union(filters.isEmpty ? [] : [TrafficFilter.kind])
    }

    /// The requests that make it on an interface without queues, each after the one for the part that contains it.
    ///
    /// The first is refused if another program has put a queue there meanwhile.
    package func messages(on interface: NetworkInterface) -> [RouteMessage] {
        queues.prefix(1).map { $0.message(.add, on: interface) } + classes.map { $0.message(.add, on: interface) }
            + queues.dropFirst().map { $0.message(.add, on: interface) }
            + filters.map { $0.message(.add, on: interface) }
    }

    /// The requests that turn `old`, a plan of the same layout, into this one; equal parts are left alone.
    ///
    /// All are changes in place: waiting packets stay in their queue, and a queue that was removed is not made again. A
    /// netem that differs only in its seed counts as equal.
    package func messages(changing old: EgressPlan, on interface: NetworkInterface) -> [RouteMessage] {
        precondition(hasLayout(of: old), "a plan changes into one of the same layout")
        return zip(classes, old.classes).filter { $0 != $1 }.map { $0.0.message(.change, on: interface) }
            + zip(queues, old.queues).filter { $0.withoutSeed != $1.withoutSeed }
            .map { $0.0.message(.change, on: interface) }
    }

    /// This plan, with the queues of `old` that differ only in their seed: those are left alone, and keep their seed.
    package func keepingSeeds(of old: EgressPlan) -> EgressPlan {
        var plan = self
        for (index, (queue, older)) in zip(queues, old.queues).enumerated() where queue.withoutSeed == older.withoutSeed
        {
            plan.queues[index] = older
        }
        return plan
    }

    /// Whether another plan has the same queues, classes and filters, whatever their parameters.
    package func hasLayout(of other: EgressPlan) -> Bool {
        queues.map(\.place) == other.queues.map(\.place) && classes.map(\.handle) == other.classes.map(\.handle)
            && filters == other.filters
    }
}

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

extension TrafficQueue {
    /// Where it is, and of which kind, whatever its parameters.
    var place: String { "\(handle) \(parent) \(discipline.kind)" }

    fileprivate var withoutSeed: TrafficQueue {
        guard case .netem(var netem) = discipline else { return self }
        netem.seed = nil
        var queue = self
        queue.discipline = .netem(netem)
        return queue
    }
}

extension InstalledTraffic {
    /// As ``TrafficQueue/place``.
    var place: String { "\(handle) \(parent) \(kind)" }
}
