import LinkModel
import Netlink

/// One direction of a link: the interface by which its packets leave, and what that has.
struct Egress {
    let direction: Direction
    let interface: NetworkInterface
    let layout: QueueLayout
    var plan: EgressPlan
    private let headerBytes: Int32
    private let mostSegments: UInt32

    /// Looks at the interface, and plans; nothing is changed.
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
        // Those that the kernel puts there by itself have no number.
        if let root = queues.first(where: { $0.parent == .root && $0.handle.number != 0 }) {
            throw .occupied(interface, kind: root.kind)
        }
        plan = EgressPlan()
        plan = try self.plan(profile.conditions, seed: configuration.seed)
    }

    /// What it is to have under other conditions; nothing is changed.
    ///
    /// Where all but a seed stays, the seed does too.
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

    /// Brings it up: its queues, and packets as they are on the wire.
    ///
    /// Where that fails it is as it was.
    func start(by socket: borrowing RouteSocket) throws(NetlinkError) {
        let messages = plan.messages(on: interface)
        guard let root = messages.first else { return }
        // Alone, because what is there may be somebody else's until this is granted.
        try socket.request(root)
        do {
            let wire = InterfaceChange(mostSegments: 1).message(for: interface.index, name: interface.name)
            try socket.request([wire] + messages.dropFirst())
        } catch {
            try? end(by: socket)
            throw error
        }
    }

    /// Takes it down: the interface is as it was.
    ///
    /// One that is no more is no failure. Where the kernel refuses a part, the rest is done all the same.
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

    /// What is not as it is planned.
    func differences(by socket: borrowing RouteSocket) throws(NetlinkError) -> [Difference] {
        try ReadBack.unplanned(plan.queues, on: interface, by: socket)
            + ReadBack.differences(plan.queues, plan.classes, plan.filters, on: interface, by: socket)
    }

    func counters(by socket: borrowing RouteSocket) throws(NetlinkError) -> EgressCounters {
        EgressCounters(plan, plan.queues.isEmpty ? [] : try socket.queues(of: interface))
    }

    /// Directions do not draw the same numbers.
    private static let otherSeed: UInt64 = 0x9e37_79b9_7f4a_7c15
}
