import LinkModel
import Netlink

/// One direction of a link: the interface by which its packets leave, and what that has.
struct Egress {
    let direction: Direction
    let interface: NetworkInterface
    let shape: EgressShape
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
        shape = EgressShape(direction, profile)
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
        guard shape.joined(with: EgressShape(direction, [conditions])) == shape else { throw .unforeseen(direction) }
        if shape.isEmpty { return EgressPlan() }
        do {
            let seed = seed.map { $0 &+ (direction == .downlink ? 0 : Self.otherSeed) }
            return try EgressPlan(conditions, direction, shape: shape, headerBytes: headerBytes, seed: seed)
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
        let queues = try socket.queues(of: interface)
        let foreign = queues.filter { found in
            // The kernel's own have no number.
            found.handle.major != 0 && !plan.queues.contains { $0.handle == found.handle }
        }
        let unplanned = foreign.map {
            Difference(property: "what else is there", wanted: "nothing", found: "the \($0.kind) queue \($0.handle)")
        }
        if plan.queues.isEmpty { return unplanned }
        let classes = plan.classes.isEmpty ? [] : try socket.classes(of: interface)
        var found = unplanned
        found += plan.queues.flatMap { queue in
            queues.first { $0.handle == queue.handle }.map(queue.differences) ?? Self.missing(queue.description)
        }
        found += plan.classes.flatMap { wanted in
            classes.first { $0.handle == wanted.handle }.map(wanted.differences) ?? Self.missing(wanted.description)
        }
        guard let root = plan.queues.first?.handle, !plan.filters.isEmpty else { return found }
        let priorities = Set(try socket.filters(of: interface, at: root).map { UInt16($0.info >> 16) })
        return found
            + plan.filters.filter { !priorities.contains($0.priority) }.flatMap { Self.missing($0.description) }
    }

    func counters(by socket: borrowing RouteSocket) throws(NetlinkError) -> EgressCounters {
        EgressCounters(plan, plan.queues.isEmpty ? [] : try socket.queues(of: interface))
    }

    private static func missing(_ what: String) -> [Difference] {
        [Difference(property: "what is planned", wanted: "'\(what)'", found: "missing")]
    }

    /// Directions do not draw the same numbers.
    private static let otherSeed: UInt64 = 0x9e37_79b9_7f4a_7c15
}
