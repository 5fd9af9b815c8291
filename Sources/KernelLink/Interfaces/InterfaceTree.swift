import LinkModel
import Netlink

/// All that a shape puts at the root of an interface, for one direction: around an ``EgressPlan`` what excepted packets bypass it by, and
/// what makes single packets of those that hardware or senders have joined; and beside it a branch for each rule.
struct InterfaceTree: Hashable {
    private(set) var outer: EgressPlan
    private(set) var plan: EgressPlan
    private(set) var branches: [RuleBranch]
    private let exceptions: [TrafficFilter]

    /// Handles that no program takes by chance, by which the root of Headwind's is known again: "HW".
    static let root = TrafficHandle(0x4857)
    private static let second = TrafficHandle(0x4858)

    /// Nothing at all where neither the plan nor a branch has anything.
    ///
    /// `largest` is the interface's largest packet, with the header of its hardware.
    init(_ plan: EgressPlan, exceptions: [TrafficFilter], branches: [RuleBranch] = [], largest: UInt32) {
        (outer, self.plan) = (EgressPlan(), plan)
        let isEmpty = plan.queues.isEmpty && branches.allSatisfy(\.isEmpty)
        self.exceptions = isEmpty ? [] : exceptions
        self.branches = isEmpty ? [] : branches
        guard !isEmpty else { return }
        let overhead = plan.queues.first?.overhead ?? branches.compactMap(\.overhead).first
        var place = TrafficHandle.root
        var handle = Self.root
        if !exceptions.isEmpty || !branches.isEmpty {
            // What a filter sends to the queue itself leaves at once, and without a plan all does that no filter knows.
            let way = TrafficHandle(Self.root.major, 1)
            let minor = plan.queues.isEmpty ? 0 : way.minor
            outer.queues.append(
                TrafficQueue(.hierarchy(defaultMinor: minor), handle: Self.root, overhead: overhead))
            if plan.queues.isEmpty { return }
            outer.classes.append(Self.way(way, largest: largest))
            (place, handle) = (way, Self.second)
        }
        outer.queues.append(
            Self.bucket(handle, in: place, largest: largest, overhead: place == .root ? overhead : nil))
        self.plan = Self.placed(plan, below: handle)
    }

    /// The same with other plans of the same shapes; `branches` has one for each branch.
    func with(_ plan: EgressPlan, branches plans: [EgressPlan]) -> InterfaceTree {
        var tree = self
        if !self.plan.queues.isEmpty, let last = outer.queues.last {
            tree.plan = Self.placed(plan, below: last.handle)
        }
        tree.branches = zip(branches, plans).map { $0.with($1) }
        return tree
    }

    var isEmpty: Bool { outer.queues.isEmpty }
    var queues: [TrafficQueue] { outer.queues + plan.queues + branches.flatMap(\.queues) }
    var classes: [TrafficClass] { outer.classes + plan.classes + branches.flatMap(\.classes) }
    var filters: [TrafficFilter] { exceptions + plan.filters + branches.flatMap { $0.filters + $0.plan.filters } }

    /// The same without its branches: what is made before them, and stays when they change.
    var frame: InterfaceTree {
        var tree = self
        tree.branches = []
        return tree
    }

    /// The requests that make it, in an order in which excepted packets are let through before anything is shaped.
    func messages(on interface: NetworkInterface, replacing: Bool = false) -> [RouteMessage] {
        guard let root = outer.queues.first else { return [] }
        return [root.message(replacing ? .replace : .add, on: interface)]
            + outer.classes.map { $0.message(.add, on: interface) }
            + exceptions.map { $0.message(.add, on: interface) }
            + branches.flatMap { $0.messages(on: interface) }
            + outer.queues.dropFirst().map { $0.message(.add, on: interface) } + plan.messages(on: interface)
    }

    /// The requests that make it of one of the same form whose numbers are unknown; what waits stays.
    func changes(on interface: NetworkInterface) -> [RouteMessage] {
        classes.map { $0.message(.change, on: interface) }
            + queues.compactMap { queue in
                // It has no numbers that could change.
                if case .hierarchy = queue.discipline { return nil }
                return queue.message(.change, on: interface)
            }
    }

    /// The requests that make it of another one whose plans have the same shapes; what is the same is left alone.
    func messages(changing old: InterfaceTree, on interface: NetworkInterface) -> [RouteMessage] {
        plan.messages(changing: old.plan, on: interface)
            + zip(branches, old.branches).flatMap { $0.plan.messages(changing: $1.plan, on: interface) }
    }

    /// What of it is not as it was set.
    func differences(
        on interface: NetworkInterface, by socket: borrowing RouteSocket
    ) throws(NetlinkError) -> [Difference] {
        try ReadBack.differences(queues, classes, filters, on: interface, by: socket)
    }

    /// Which queues, classes and filters there are, whatever their numbers.
    var form: [String] {
        queues.map { "\($0.handle) \($0.parent) \($0.discipline.kind)" } + classes.map { "\($0.handle) \($0.parent)" }
            + filters.map(\.description)
    }

    static func placed(_ plan: EgressPlan, below handle: TrafficHandle) -> EgressPlan {
        var placed = plan
        guard !plan.queues.isEmpty else { return placed }
        placed.queues[0].parent = TrafficHandle(handle.major, 1)
        // Newer kernels take it at a root alone; what that says holds for all below.
        placed.queues[0].overhead = nil
        return placed
    }

    /// A class that holds nothing up.
    static func way(_ handle: TrafficHandle, largest: UInt32) -> TrafficClass {
        TrafficClass(handle: handle, parent: root, rate: Netem.orderly, burst: largest, quantum: largest)
    }

    /// A bucket takes apart what is larger than itself, which even two joined packets are; this one holds up nothing.
    static func bucket(
        _ handle: TrafficHandle, in place: TrafficHandle, largest: UInt32, overhead: Int32? = nil
    ) -> TrafficQueue {
        let bucket = TokenBucket(rate: Netem.orderly, burst: largest, limit: room)
        return TrafficQueue(.tokenBucket(bucket), handle: handle, parent: place, overhead: overhead)
    }

    /// Of a queue whose place another one takes.
    private static let room: UInt32 = 1 << 28
}
