import LinkModel
import Netlink

/// One direction of a link: the interface through which its packets leave, and the queues there.
struct Egress {
    let direction: Direction
    let interface: NetworkInterface
    let layout: QueueLayout
    var plan: EgressPlan
    private let headerBytes: Int32
    private let mostSegments: UInt32

    /// Reads the state of the interface and makes the plan, without changing anything.
    init(
        _ direction: Direction, _ configuration: KernelLinkConfiguration, by socket: borrowing RouteSocket
    ) throws(KernelLinkError) {
        let profile = configuration.profile
        let name = direction == .downlink ? configuration.downlink : configuration.uplink
        self.direction = direction
        layout = QueueLayout(direction, profile)
        let queues: [InstalledTraffic]
        do {
            let state = try socket.interface(name)
            interface = state.interface
            headerBytes = state.isEthernet ? 14 : 0
            mostSegments = state.mostSegments
            queues = try socket.queues(of: interface)
        } catch {
            throw .refused(error)
        }
        // Queues that the kernel makes by itself have no handle number.
        if let root = queues.first(where: { $0.parent == .root && $0.handle.number != 0 }) {
            throw .occupied(interface, kind: root.kind)
        }
        plan = EgressPlan()
        plan = try self.plan(profile.conditions, seed: configuration.seed)
    }

    /// The plan under other conditions; nothing is changed.
    ///
    /// A queue keeps its seed if nothing else of it changes.
    func plan(_ conditions: LinkConditions, seed: UInt64?) throws(KernelLinkError) -> EgressPlan {
        guard layout.joined(with: QueueLayout(direction, [conditions])) == layout else { throw .unforeseen(direction) }
        if layout.isEmpty { return EgressPlan() }
        do {
            let seed = seed.map { $0 &+ (direction == .downlink ? 0 : Self.otherSeed) }
            return try EgressPlan(conditions, direction, layout: layout, headerBytes: headerBytes, seed: seed)
                .keepingSeeds(of: plan)
        } catch {
            throw .inexpressible([error])
        }
    }

    /// Makes the queues, and keeps packets as they are on the wire: one segment each.
    ///
    /// If that fails, the interface is as it was.
    func start(by socket: borrowing RouteSocket) throws(NetlinkError) {
        let messages = plan.messages(on: interface)
        guard let root = messages.first else { return }
        // Alone: until this is granted, what is there may belong to another program.
        try socket.request(root)
        do {
            let wire = InterfaceChange(mostSegments: 1).message(for: interface.index, name: interface.name)
            try socket.request([wire] + messages.dropFirst())
        } catch {
            try? end(by: socket)
            throw error
        }
    }

    /// Removes the queues; the interface is as it was.
    ///
    /// An interface that is gone is no failure. If the kernel refuses a part, the rest is done all the same, and the
    /// first error is thrown.
    func end(by socket: borrowing RouteSocket) throws(NetlinkError) {
        guard let root = plan.queues.first else { return }
        var refusal: NetlinkError?
        let wire = InterfaceChange(mostSegments: mostSegments).message(for: interface.index, name: interface.name)
        for message in [root.message(.delete, on: interface), wire] {
            do {
                try socket.request(message)
            } catch {
                if !error.isAboutWhatIsNotThere { refusal = refusal ?? error }
            }
        }
        if let refusal { throw refusal }
    }

    /// The differences between the interface and the plan.
    func differences(by socket: borrowing RouteSocket) throws(NetlinkError) -> [Difference] {
        try ReadBack.unplanned(plan.queues, on: interface, by: socket)
            + ReadBack.differences(plan.queues, plan.classes, plan.filters, on: interface, by: socket)
    }

    func counters(by socket: borrowing RouteSocket) throws(NetlinkError) -> EgressCounters {
        EgressCounters(plan, plan.queues.isEmpty ? [] : try socket.queues(of: interface))
    }

    /// Added to the seed of the uplink, so that the directions do not draw the same numbers.
    private static let otherSeed: UInt64 = 0x9e37_79b9_7f4a_7c15
}
