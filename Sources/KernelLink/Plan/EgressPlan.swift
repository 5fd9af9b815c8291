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

extension TrafficQueue {
    fileprivate var place: [String] { [handle, parent].map(\.description) + [discipline.kind] }

    fileprivate var withoutSeed: TrafficQueue {
        guard case .netem(var netem) = discipline else { return self }
        netem.seed = nil
        var queue = self
        queue.discipline = .netem(netem)
        return queue
    }
}
