import LinkModel
import Netlink

/// All that a shape puts at the root of an interface, for one direction: around an ``EgressPlan`` what excepted packets bypass it by, and
/// what makes single packets of those that hardware or senders have joined.
struct InterfaceTree: Hashable {
    private(set) var outer: EgressPlan
    private(set) var plan: EgressPlan
    private let exceptions: [TrafficFilter]

    /// Handles that nobody takes by chance, by which the root of Headwind's is known again: "HW".
    static let root = TrafficHandle(0x4857)
    private static let second = TrafficHandle(0x4858)

    /// Nothing at all for an empty plan.
    ///
    /// `largest` is the interface's largest packet, with the header of its hardware.
    init(_ plan: EgressPlan, exceptions: [TrafficFilter], largest: UInt32) {
        (outer, self.plan) = (EgressPlan(), plan)
        self.exceptions = plan.queues.isEmpty ? [] : exceptions
        guard let inner = plan.queues.first else { return }
        var place = TrafficHandle.root
        var handle = Self.root
        if !exceptions.isEmpty {
            // What a filter sends to the queue itself leaves at once.
            let way = TrafficHandle(Self.root.major, 1)
            let root = TrafficQueue(.hierarchy(defaultMinor: way.minor), handle: Self.root, overhead: inner.overhead)
            outer.queues.append(root)
            outer.classes.append(
                TrafficClass(
                    handle: way, parent: Self.root, rate: Netem.orderly, burst: largest, quantum: largest))
            (place, handle) = (way, Self.second)
        }
        // A bucket takes apart what is larger than itself, which even two joined packets are; this one holds up nothing.
        let bucket = TokenBucket(rate: Netem.orderly, burst: largest, limit: Self.room)
        outer.queues.append(
            TrafficQueue(
                .tokenBucket(bucket), handle: handle, parent: place,
                overhead: place == .root ? inner.overhead : nil))
        self.plan = Self.placed(plan, below: handle)
    }

    /// The same with another plan of the same shape.
    func with(_ plan: EgressPlan) -> InterfaceTree {
        var tree = self
        if let last = outer.queues.last { tree.plan = Self.placed(plan, below: last.handle) }
        return tree
    }

    var isEmpty: Bool { plan.queues.isEmpty }
    var queues: [TrafficQueue] { outer.queues + plan.queues }
    var classes: [TrafficClass] { outer.classes + plan.classes }
    var filters: [TrafficFilter] { exceptions + plan.filters }

    /// The requests that make it, in an order in which excepted packets are let through before anything is shaped.
    func messages(on interface: NetworkInterface, replacing: Bool = false) -> [RouteMessage] {
        guard let root = outer.queues.first else { return [] }
        return [root.message(replacing ? .replace : .add, on: interface)]
            + outer.classes.map { $0.message(.add, on: interface) }
            + exceptions.map { $0.message(.add, on: interface) }
            + outer.queues.dropFirst().map { $0.message(.add, on: interface) } + plan.messages(on: interface)
    }

    /// The requests that make it of one of the same form whose numbers nobody knows; what waits stays.
    func changes(on interface: NetworkInterface) -> [RouteMessage] {
        classes.map { $0.message(.change, on: interface) }
            + queues.compactMap { queue in
                // It has no numbers that could change.
                if case .hierarchy = queue.discipline { return nil }
                return queue.message(.change, on: interface)
            }
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

    private static func placed(_ plan: EgressPlan, below handle: TrafficHandle) -> EgressPlan {
        var placed = plan
        guard !plan.queues.isEmpty else { return placed }
        placed.queues[0].parent = TrafficHandle(handle.major, 1)
        // Newer kernels take it at a root alone; what that says holds for all below.
        placed.queues[0].overhead = nil
        return placed
    }

    /// Of a queue whose place another one takes.
    private static let room: UInt32 = 1 << 28
}
