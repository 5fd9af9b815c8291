package import Netlink

/// What an egress is to have: its queues, classes and filters, each behind that in which it is.
package struct EgressPlan: Hashable, Sendable, CustomStringConvertible {
    package var queues: [TrafficQueue] = []
    package var classes: [TrafficClass] = []
    package var filters: [TrafficFilter] = []

    /// A line for each, as tc(8) would be told.
    package var description: String {
        (queues.prefix(1).map(\.description) + classes.map(\.description) + queues.dropFirst().map(\.description)
            + filters.map(\.description)).joined(separator: "\n")
    }

    /// The parts of the kernel that it takes, as tc(8) calls them.
    package var kinds: Set<String> {
        Set(queues.map(\.discipline.kind)).union(filters.isEmpty ? [] : [TrafficFilter.kind])
    }

    /// The requests that make it where nothing is, in an order in which each finds what it is in.
    ///
    /// Where somebody has put something there meanwhile the first one is refused.
    package func messages(on interface: NetworkInterface) -> [RouteMessage] {
        queues.prefix(1).map { $0.message(.add, on: interface) } + classes.map { $0.message(.add, on: interface) }
            + queues.dropFirst().map { $0.message(.add, on: interface) }
            + filters.map { $0.message(.add, on: interface) }
    }

    /// The requests that make it of another plan of the same layout; what is the same is left alone.
    ///
    /// All are changes in place: what waits in a queue stays there, and nothing is made where somebody has removed it. A netem
    /// that has only another seed is the same.
    package func messages(changing old: EgressPlan, on interface: NetworkInterface) -> [RouteMessage] {
        precondition(hasLayout(of: old), "a plan changes into one of the same layout")
        return zip(classes, old.classes).filter { $0 != $1 }.map { $0.0.message(.change, on: interface) }
            + zip(queues, old.queues).filter { $0.withoutSeed != $1.withoutSeed }
            .map { $0.0.message(.change, on: interface) }
    }

    /// This plan, with the queues of `old` where only their seed differs: those are left alone, and keep theirs.
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
