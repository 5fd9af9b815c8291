import Netlink

/// The part of a rule in an ``InterfaceTree``: a class, in it a bucket that splits packets, in that its plan; and
/// filters.
///
/// The filters send the packets of the rule to the class. Without a plan, they send them to the root queue, through
/// which they leave at once.
struct RuleBranch: Hashable {
    let slot: RuleSlot
    let plan: EgressPlan
    let filters: [TrafficFilter]
    let overhead: Int32?
    private let outer: EgressPlan

    /// Makes a branch; `filters` returns the filters that apply an action to the traffic of the rule.
    init(_ plan: EgressPlan, in slot: RuleSlot, largest: UInt32, filters: (TrafficFilter.Action) -> [TrafficFilter]) {
        (self.slot, overhead) = (slot, plan.queues.first?.overhead)
        guard !plan.queues.isEmpty else {
            (self.plan, outer) = (plan, EgressPlan())
            self.filters = filters(.classify(InterfaceTree.root))
            return
        }
        let bucket = TrafficHandle(slot.queues.lowerBound)
        var outer = EgressPlan()
        outer.classes = [InterfaceTree.way(slot.way, largest: largest)]
        outer.queues = [InterfaceTree.bucket(bucket, in: slot.way, largest: largest)]
        self.outer = outer
        self.plan = InterfaceTree.placed(plan.moved(to: slot), below: bucket)
        self.filters = filters(.classify(slot.way))
    }

    var isEmpty: Bool { plan.queues.isEmpty }
    var queues: [TrafficQueue] { outer.queues + plan.queues }
    var classes: [TrafficClass] { outer.classes + plan.classes }

    /// The requests that make it, its filters last.
    func messages(on interface: NetworkInterface) -> [RouteMessage] {
        outer.classes.map { $0.message(.add, on: interface) } + outer.queues.map { $0.message(.add, on: interface) }
            + plan.messages(on: interface) + filters.map { $0.message(.add, on: interface) }
    }
}

extension EgressPlan {
    /// The plan with the handles of a rule's slot.
    fileprivate func moved(to slot: RuleSlot) -> EgressPlan {
        var plan = self
        for index in queues.indices {
            plan.queues[index].handle = slot.handle(queues[index].handle)
            plan.queues[index].parent = slot.handle(queues[index].parent)
        }
        for index in classes.indices {
            plan.classes[index].handle = slot.handle(classes[index].handle)
            plan.classes[index].parent = slot.handle(classes[index].parent)
        }
        for index in filters.indices {
            plan.filters[index].parent = slot.handle(filters[index].parent)
            if case .classify(let target) = filters[index].action {
                plan.filters[index].action = .classify(slot.handle(target))
            }
        }
        return plan
    }
}
