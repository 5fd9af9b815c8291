import LinkModel
import Netlink

extension InterfaceLinks {
    /// What is not as the process of a shape has left it, as far as its mark says.
    package func damage(to found: Found) throws(InterfaceLinkError) -> ShapeDamage {
        var damage = ShapeDamage()
        guard let state = found.mark?.state, let ifb = found.ifb else { return damage }
        guard let target = found.target?.interface else {
            damage.missing.append("its interface is gone")
            return damage
        }
        try asking { () throws(NetlinkError) in
            damage.missing = try missing(state, target, ifb, hasExceptions: found.mark?.exceptions.isEmpty == false)
            if found.rules == nil { damage.changed.append("another program has removed the record of its rules") }
            guard damage.missing.isEmpty, state.digest != 0 else { return }
            if try digest(of: state.directions, on: target, ifb.interface) != state.digest {
                let places = "'tc -d qdisc show dev \(target)' and '… dev \(ifb.interface)'"
                damage.changed.append("another program has changed its queues: see \(places)")
            }
        }
        return damage
    }

    private func missing(
        _ state: LinkMark.State, _ target: NetworkInterface, _ ifb: InterfaceState, hasExceptions: Bool
    ) throws(NetlinkError) -> [String] {
        var missing: [String] = []
        let queues = try socket.queues(of: target)
        if state.directions.contains(.uplink), Self.ownRoot(in: queues, hasIntermediate: true) == nil {
            missing.append("its root queue \(InterfaceTree.root) is gone")
        }
        if state.directions.contains(.uplink), hasExceptions, missing.isEmpty,
            try socket.filters(of: target, at: InterfaceTree.root).isEmpty
        {
            missing.append("excepted traffic is shaped")
        }
        guard state.directions.contains(.downlink) else { return missing }
        if try !ownIngressFilters(queues, of: target).contains(where: {
            $0.priority >= SelectorFilters.Priority.redirection
        }) {
            missing.append("incoming traffic is not sent to \(ifb.interface)")
        }
        if !ifb.isUp { missing.append("\(ifb.interface) is down") }
        if Self.ownRoot(in: try socket.queues(of: ifb.interface), hasIntermediate: true) == nil {
            missing.append("the queue of \(ifb.interface) is gone")
        }
        return missing
    }

    /// A digest that changes if another program changes any queue, class or filter of a shape; never 0.
    func digest(
        of directions: Set<Direction>, on target: NetworkInterface, _ ifb: NetworkInterface
    ) throws(NetlinkError) -> UInt32 {
        var lines: [String] = []
        if directions.contains(.uplink) { lines += ["up"] + (try parts(of: target)) }
        if directions.contains(.downlink) {
            lines += ["down"] + (try parts(of: ifb))
            lines += try ownIngressFilters(try socket.queues(of: target), of: target).map { "\($0.bytes)" }.sorted()
        }
        return max(1, UInt32(truncatingIfNeeded: FNV.digest(lines)) & LinkMark.State.mostDigests)
    }

    /// Writes the mark of a complete shape on the `ifb`, with a digest of the shape's present state, and returns it.
    func sealed(
        _ mark: LinkMark, on target: NetworkInterface, _ ifb: NetworkInterface
    ) throws(NetlinkError) -> LinkMark {
        guard let directions = mark.state?.directions else { return mark }
        var mark = mark
        mark.state?.digest = try digest(of: directions, on: target, ifb)
        try socket.request(Self.alias(mark, of: ifb))
        return mark
    }

    private func ownIngressFilters(
        _ queues: [InstalledTraffic], of target: NetworkInterface
    ) throws(NetlinkError) -> [FilterRule] {
        guard let ingress = queues.first(where: { $0.parent == .ingress }) else { return [] }
        return try ingressFilters(ingress, of: target).filter(Self.isOwnFilter).compactMap(FilterRule.init)
    }

    /// All parts below the root of an interface, without their counters.
    private func parts(of interface: NetworkInterface) throws(NetlinkError) -> [String] {
        var lines: [String] = []
        for queue in try socket.queues(of: interface) where queue.parent != .ingress {
            let isHierarchy = queue.kind == "htb"
            // The options of a hierarchy have a counter in them.
            let options = isHierarchy ? [] : queue.options.array
            lines.append("\(queue.handle) \(queue.parent) \(queue.kind) \(options) \(queue.sizes?.array ?? [])")
            guard isHierarchy else { continue }
            for one in try socket.classes(of: interface, below: queue.handle) {
                lines.append("\(one.handle) \(one.parent) \(one.options.array)")
            }
            for one in try socket.filters(of: interface, at: queue.handle) {
                lines.append("\(one.handle) \(one.info) \(one.kind) \(FilterRule(one)?.bytes ?? [])")
            }
        }
        return lines.sorted()
    }
}

/// What other programs have done to a shape, as clauses.
package struct ShapeDamage: Hashable, Sendable {
    /// Parts that are gone, such as "its root queue 4857: is gone"; without them the shape does not do what was
    /// promised.
    package var missing: [String] = []
    /// Parts that have other numbers, or other parts in them.
    package var changed: [String] = []
}
