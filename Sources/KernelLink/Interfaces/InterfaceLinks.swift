package import LinkModel
package import Netlink

/// Headwind's shapes on the interfaces of this network; all of their state is in the kernel.
///
/// A shape takes the root queue and the ingress queue of its interface, and an `ifb` of a reserved name and group,
/// whose alias is a ``LinkMark``. For one thread at a time.
package final class InterfaceLinks {
    let socket: RouteSocket

    /// Opens a socket in the network of the calling thread.
    package init() throws(InterfaceLinkError) {
        do { socket = try RouteSocket() } catch { throw InterfaceLinkError(error) }
    }

    /// An interface that has a shape or is to have one, in the state in which it was read.
    package typealias Target = InterfaceState

    /// What Headwind has on one interface.
    package struct Found: Sendable {
        /// Nil if the interface is gone.
        package let target: InterfaceState?
        /// Nil if it was removed.
        package let ifb: InterfaceState?
        /// Nil if the shape was left incomplete.
        package let mark: LinkMark?
        /// The notes about its rules, empty if it has none; nil if a part of them is gone.
        package let rules: [RuleNote]?

        init(target: InterfaceState?, ifb: InterfaceState?, mark: LinkMark?, rules: [RuleNote]? = []) {
            (self.target, self.ifb, self.mark) = (target, ifb, mark)
            self.rules = rules?.count == mark?.rules ?? 0 ? rules : nil
        }

        /// Its name in messages, also if its interface is gone.
        package var name: String {
            target?.interface.name ?? mark.map { "interface \($0.interface)" } ?? ifb?.interface.name ?? "?"
        }
    }

    /// The group of each `ifb`: "HW".
    static let group: UInt32 = 0x4857

    static func intermediateName(for index: UInt32) -> String { "hwin\(index)" }

    /// The name of an `ifb` on which a shape is tried.
    static func trialName(for index: UInt32) -> String { "hwin\(index)t" }

    /// Whether Headwind has made an interface.
    static func isOwn(_ state: InterfaceState) -> Bool {
        state.kind == "ifb" && state.group == group && state.interface.name.hasPrefix("hwin")
    }

    /// Throws if no interface can have this name.
    package static func check(name: String) throws(InterfaceLinkError) { _ = try read(name) }

    private static func read(_ name: String) throws(InterfaceLinkError) -> InterfaceName {
        do { return try InterfaceName(name) } catch { throw InterfaceLinkError(.request, error.description) }
    }

    /// The interface of a name; throws if there is none.
    package func interface(named name: String) throws(InterfaceLinkError) -> InterfaceState {
        let name = try Self.read(name)
        do {
            return try socket.interface(name)
        } catch  where error.code == .operationNotSupportedByDevice {
            throw InterfaceLinkError(
                .request, "Could not find interface \(name): this network has no interface of that name. See 'ip link'."
            )
        } catch {
            throw InterfaceLinkError(error)
        }
    }

    /// The shape on the interface of a name; without a name, all of Headwind's shapes in this network.
    package func find(named name: String?) throws(InterfaceLinkError) -> [Found] {
        guard let name else { return try all() }
        let state = try interface(named: name)
        // The name of an `ifb` stands for the whole shape.
        if Self.isOwn(state) { return try all().filter { $0.ifb?.interface == state.interface } }
        return try find(on: state).map { [$0] } ?? []
    }

    /// All of Headwind's shapes in this network, complete or not.
    package func all() throws(InterfaceLinkError) -> [Found] {
        try asking { () throws(NetlinkError) in
            let states = try socket.interfaces()
            let own = states.filter(Self.isOwn)
            // Notes about rules belong to the shape of their interface; they are listed by themselves only if that is
            // gone.
            let names = states.map { Self.intermediateName(for: $0.interface.index) }
            let listed = own.filter { one in Self.noted(one).map { !names.contains($0) } ?? true }
            var found = listed.map { ifb in
                let target = states.first { Self.intermediateName(for: $0.interface.index) == ifb.interface.name }
                return Self.found(target, ifb, among: states)
            }
            // If the ifb was removed, the rest is recognised by its handles.
            for state in states where !own.contains(where: { $0.interface == state.interface }) {
                let isListed = found.contains { $0.target?.interface == state.interface }
                guard !isListed else { continue }
                if try hasRest(state, among: own) { found.append(Found(target: state, ifb: nil, mark: nil)) }
            }
            return found.sorted { $0.name < $1.name }
        }
    }

    /// The shape on one interface; nil if there is none.
    package func find(on target: InterfaceState) throws(InterfaceLinkError) -> Found? {
        try asking { () throws(NetlinkError) in
            let name = Self.intermediateName(for: target.interface.index)
            let states = try socket.interfaces()
            let ifb = states.first { $0.interface.name == name && Self.isOwn($0) }
            if let ifb { return Self.found(target, ifb, among: states) }
            return try hasRest(target, among: states) ? Found(target: target, ifb: nil, mark: nil) : nil
        }
    }

    /// What `body` returns; its error is one of the interface's.
    func asking<Value>(_ body: () throws(NetlinkError) -> Value) throws(InterfaceLinkError) -> Value {
        do { return try body() } catch { throw InterfaceLinkError(error) }
    }

    /// Whether an interface has the rest of a shape whose `ifb` is gone: notes, or queues and filters.
    private func hasRest(_ target: InterfaceState, among states: [InterfaceState]) throws(NetlinkError) -> Bool {
        let name = Self.intermediateName(for: target.interface.index)
        if states.contains(where: { Self.noted($0) == name }) { return true }
        let interface = target.interface
        let queues = try socket.queues(of: interface)
        if Self.ownRoot(in: queues, hasIntermediate: false) != nil { return true }
        guard queues.contains(where: { $0.kind == "ingress" && !$0.hasBlock }) else { return false }
        return try socket.filters(of: interface, at: InterfacePlan.ingress).contains(where: Self.isOwnFilter)
    }

    /// The root queue of a shape; nil if there is none.
    ///
    /// Any program may have taken its handle. Without an `ifb` that shows a shape, it is Headwind's only if it has the
    /// bucket with a rate that no other program has a use for (1 Tbit/s).
    static func ownRoot(in queues: [InstalledTraffic], hasIntermediate: Bool) -> InstalledTraffic? {
        guard let root = queues.first(where: { $0.parent == .root && $0.handle == InterfaceTree.root }) else {
            return nil
        }
        func isWide(_ queue: InstalledTraffic) -> Bool { queue.bucketRate == Netem.orderly.bytesPerSecond }
        let isOwn =
            switch root.kind {
            case "tbf": hasIntermediate || isWide(root)
            case "htb": hasIntermediate || queues.contains { $0.parent.major == root.handle.major && isWide($0) }
            default: false
            }
        return isOwn ? root : nil
    }

    /// The state of a shape, in the directions of profiles: of traffic without a rule, and of each of its rules.
    package func state(
        of found: Found
    ) throws(InterfaceLinkError) -> (others: TrafficState, rules: [(note: RuleNote, state: TrafficState)]) {
        var others = TrafficState()
        var rules = (found.rules ?? []).map { (note: $0, state: TrafficState()) }
        try asking { () throws(NetlinkError) in
            for (own, interface) in [(Direction.uplink, found.target), (.downlink, found.ifb)] {
                guard let interface = interface?.interface else { continue }
                let direction = found.mark?.leadsToDevices == true ? own.opposite : own
                let queues = try socket.queues(of: interface)
                guard let root = Self.ownRoot(in: queues, hasIntermediate: found.ifb != nil) else { continue }
                // One by one: older kernels leave out the classes of queues that are in another queue's class.
                var classes: [InstalledTraffic] = []
                for queue in queues where queue.kind == "htb" {
                    classes += try socket.classes(of: interface, below: TrafficHandle(queue.handle.major, 0))
                }
                func tell(_ state: inout TrafficState, _ slot: RuleSlot?) {
                    let own = queues.filter { RuleSlot.having(queue: $0.handle.major) == slot }
                    guard
                        let counters = EgressCounters(
                            own, below: slot.map { TrafficHandle($0.queues.lowerBound) } ?? root.handle)
                    else { return }
                    state.counters[direction] = counters
                    state.readings[direction] = ShapeReading(
                        shape: own, classes: classes.filter { RuleSlot.having(queue: $0.handle.major) == slot })
                }
                tell(&others, nil)
                for index in rules.indices { tell(&rules[index].state, rules[index].note.slot) }
            }
        }
        return (others, rules)
    }
}

/// The state of a part of a shape's traffic: that of a rule, or all traffic without one.
package struct TrafficState: Sendable {
    /// The counters of each direction since its queues were made; a direction without queues has no entry.
    package internal(set) var counters: [Direction: EgressCounters] = [:]
    /// The present settings of each direction.
    package internal(set) var readings: [Direction: ShapeReading] = [:]

    package init() {}
}
