import LinkModel
import Netlink

/// All that a shape puts at the root of an interface, for one direction.
///
/// Around an ``EgressPlan`` there is a hierarchy, through which excepted packets bypass it, and a bucket, which splits
/// packets that hardware or senders have joined. Next to the plan there is a branch for each rule.
struct InterfaceTree: Hashable {
    private(set) var outer: EgressPlan
    private(set) var plan: EgressPlan
    private(set) var branches: [RuleBranch]
    private let exceptions: [TrafficFilter]

    /// The handle of the root queue, by which Headwind recognises it; no program takes it by chance: "HW".
    static let root = TrafficHandle(0x4857)
    private static let second = TrafficHandle(0x4858)
    static let empty = InterfaceTree(EgressPlan(), exceptions: [], largest: 0)

    /// Makes a tree; it is empty if neither the plan nor a branch has queues.
    ///
    /// `largest` is the size in bytes of the interface's largest packet, with the header of its hardware.
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
            // Packets that a filter sends to the queue itself leave at once; without a plan, so do those that no filter
            // matches.
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

    var isEmpty: Bool { outer.queues.isEmpty }
    var queues: [TrafficQueue] { outer.queues + plan.queues + branches.flatMap(\.queues) }
    var classes: [TrafficClass] { outer.classes + plan.classes + branches.flatMap(\.classes) }
    var filters: [TrafficFilter] { exceptions + plan.filters + branches.flatMap { $0.filters + $0.plan.filters } }

    /// The tree without its branches: it is made before them, and stays when they change.
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

    /// The requests that set all numbers of a tree of the same form; waiting packets stay.
    func changes(on interface: NetworkInterface) -> [RouteMessage] {
        classes.map { $0.message(.change, on: interface) }
            + queues.compactMap { queue in
                // It has no numbers that could change.
                if case .hierarchy = queue.discipline { return nil }
                return queue.message(.change, on: interface)
            }
    }

    /// The requests that turn `old`, whose plans have the same layouts, into this tree; equal parts are left alone.
    func messages(changing old: InterfaceTree, on interface: NetworkInterface) -> [RouteMessage] {
        plan.messages(changing: old.plan, on: interface)
            + zip(branches, old.branches).flatMap { $0.plan.messages(changing: $1.plan, on: interface) }
    }

    /// The parts of it that are not as they were set.
    func differences(
        on interface: NetworkInterface, by socket: borrowing RouteSocket
    ) throws(NetlinkError) -> [Difference] {
        try ReadBack.differences(queues, classes, filters, on: interface, by: socket)
    }

    /// Its queues, classes and filters, without their numbers.
    var form: [String] {
        queues.map(\.place) + classes.map { "\($0.handle) \($0.parent)" } + filters.map(\.description)
    }

    static func placed(_ plan: EgressPlan, below handle: TrafficHandle) -> EgressPlan {
        var placed = plan
        guard !plan.queues.isEmpty else { return placed }
        placed.queues[0].parent = TrafficHandle(handle.major, 1)
        // Newer kernels accept an overhead only at a root; it holds for all queues below.
        placed.queues[0].overhead = nil
        return placed
    }

    /// A class that limits nothing.
    static func way(_ handle: TrafficHandle, largest: UInt32) -> TrafficClass {
        TrafficClass(handle: handle, parent: root, rate: Netem.orderly, burst: largest, quantum: largest)
    }

    /// A bucket that limits nothing; it splits packets that are larger than `largest`, as even two joined ones are.
    static func bucket(
        _ handle: TrafficHandle, in place: TrafficHandle, largest: UInt32, overhead: Int32? = nil
    ) -> TrafficQueue {
        let bucket = TokenBucket(rate: Netem.orderly, burst: largest, limit: room)
        return TrafficQueue(.tokenBucket(bucket), handle: handle, parent: place, overhead: overhead)
    }

    /// The limit of the bucket's own queue, which another queue replaces.
    private static let room: UInt32 = 1 << 28
}
