package import Netlink

extension InterfaceLinks {
    /// The result of ``apply(_:on:mark:replaces:)``.
    package struct Applied {
        package fileprivate(set) var mark: LinkMark
        /// The `ifb`.
        let intermediate: NetworkInterface
        var plan: InterfacePlan
        /// The process that held the shape before, and will find that it is another's now; nil if there was none.
        package let predecessor: LinkMark.Keeper?
        /// The previous rules whose queues are gone, while all other waiting packets kept their places; nil if none
        /// did.
        package let ended: [String]?

        /// When one of its profiles changes next, as a duration since the shape began; nil: never.
        package func nextChange(after elapsed: Duration) -> Duration? { plan.nextChange(after: elapsed) }
    }

    /// Puts a shape on an interface.
    ///
    /// A shape of Headwind that is already there is changed in place if it has the same queues, and replaced otherwise.
    /// Throws if another program has set a queue of the interface, or the kernel refuses; then the interface is as it
    /// was. New queues are first tried on an `ifb` of Headwind's own.
    package func apply(
        _ shape: InterfaceShape, on target: InterfaceState, mark wanted: LinkMark, replaces: Bool
    ) throws(InterfaceLinkError) -> Applied {
        guard !Self.isOwn(target) else {
            throw InterfaceLinkError(
                .request,
                "Could not shape interface \(target.interface): Headwind made it to shape another one. "
                    + "See 'headwind link show'.")
        }
        let found = try find(on: target)
        let plan = try InterfacePlan(
            shape, on: target, places: RulePlace.keeping(found?.rules ?? [], for: shape.rules, at: wanted.since))
        var mark = wanted
        (mark.interface, mark.form) = (target.interface.index, plan.form)
        mark.state = LinkMark.State(directions: plan.directions)
        mark.replaced = found?.mark?.replaced
        mark = mark.kept
        if let found, let ifb = found.ifb, found.mark?.form == plan.form, found.rules != nil {
            let changed = try asking { () throws(NetlinkError) in
                try plan.frame.isThere(ifb.interface, by: socket)
                    ? change(to: plan, ifb.interface, mark, from: found) : nil
            }
            if let changed { return changed }
        }
        let replaced = try place(for: plan, found, replaces: replaces)
        if let replaced { mark.replaced = replaced }
        mark = mark.kept
        // Removal restores the replaced queue meanwhile, so that it is not lost if this process ends.
        if let found {
            try asking { () throws(NetlinkError) in try rehearse(plan) }
            try remove(found)
        }
        do throws(NetlinkError) {
            let ifb = try make(plan, mark, replaces: mark.replaced != nil)
            return Applied(
                mark: try sealed(mark, on: target.interface, ifb), intermediate: ifb, plan: plan,
                predecessor: found?.mark?.keeper, ended: nil)
        } catch {
            if let rest = try? find(on: target) { _ = try? remove(rest) }
            throw InterfaceLinkError(error)
        }
    }

    /// Applies what the profiles have at `elapsed` since the shape began; waiting packets stay.
    ///
    /// Throws if the shape is not as it was left.
    package func play(_ elapsed: Duration, on applied: inout Applied) throws(InterfaceLinkError) {
        let next = try applied.plan.at(elapsed)
        let messages =
            next.uplink.messages(changing: applied.plan.uplink, on: applied.plan.target.interface)
            + next.downlink.messages(changing: applied.plan.downlink, on: applied.intermediate)
        try change(to: next, by: messages, &applied)
    }

    /// Makes room for larger packets after the MTU of an interface was raised; waiting packets stay.
    package func follow(
        _ shape: InterfaceShape, _ elapsed: Duration, on applied: inout Applied
    ) throws(InterfaceLinkError) {
        let old = applied.plan.target
        let states = try asking { () throws(NetlinkError) in try socket.interfaces() }
        guard let target = states.first(where: { $0.interface.index == old.interface.index }), target.mtu > old.mtu
        else { return }
        let places = applied.plan.rules.map(\.place)
        let next = try InterfacePlan(shape, on: target, places: places, keepsPace: true).at(elapsed)
        guard next.form == applied.mark.form else { return }
        let messages = next.uplink.changes(on: target.interface) + next.downlink.changes(on: applied.intermediate)
        try change(to: next, by: messages, &applied)
    }

    /// Changes the shape; its mark gets a new digest only if no other program had changed the shape before.
    private func change(
        to next: InterfacePlan, by messages: [RouteMessage], _ applied: inout Applied
    ) throws(InterfaceLinkError) {
        let (target, ifb) = (applied.plan.target.interface, applied.intermediate)
        try asking { () throws(NetlinkError) in
            let found = try digest(of: next.directions, on: target, ifb)
            try socket.request(messages)
            applied.plan = next
            if found == applied.mark.state?.digest { applied.mark = try sealed(applied.mark, on: target, ifb) }
        }
    }

    /// The state of a shape.
    package enum Standing: Sendable {
        case own
        /// It belongs to another process now, or is gone.
        case others
        /// Its interface, the `ifb` or a queue is gone; its process removes the rest.
        case broken
    }

    package func standing(of applied: Applied) throws(InterfaceLinkError) -> Standing {
        let states = try asking { () throws(NetlinkError) in try socket.interfaces() }
        let target = states.first { $0.interface.index == applied.plan.target.interface.index }
        let name = Self.intermediateName(for: applied.plan.target.interface.index)
        if let ifb = states.first(where: { $0.interface.name == name && Self.isOwn($0) }) {
            guard LinkMark(parsing: ifb.alias)?.keeper == applied.mark.keeper else { return .others }
            guard target != nil, ifb.isUp else { return .broken }
            let isThere = try asking { () throws(NetlinkError) in try applied.plan.isThere(ifb.interface, by: socket) }
            return isThere ? .own : .broken
        }
        guard let target else { return .others }
        return try find(on: target) == nil ? .others : .broken
    }

    /// Removes a shape that still belongs to its process; leaves it alone otherwise.
    package func remove(_ applied: Applied) throws(InterfaceLinkError) {
        guard try standing(of: applied) != .others else { return }
        let target = applied.plan.target.interface.index
        let name = Self.intermediateName(for: target)
        let found = try all().first { $0.target?.interface.index == target || $0.ifb?.interface.name == name }
        if let found { try remove(found) }
    }

    /// The filters in an ingress queue; none if they are those of a block, which other queues may have too.
    func ingressFilters(
        _ ingress: InstalledTraffic, of target: NetworkInterface
    ) throws(NetlinkError) -> [InstalledTraffic] {
        guard ingress.kind == InterfacePlan.ingressQueue.discipline.kind, !ingress.hasBlock else { return [] }
        return try socket.filters(of: target, at: InterfacePlan.ingress)
    }

    /// Whether an ingress queue is provably Headwind's.
    ///
    /// It is if all of its filters are Headwind's, or if it has none and the mark says that it was just made.
    static func isOwn(_ filters: [InstalledTraffic], _ mark: LinkMark?, _ ingress: InstalledTraffic) -> Bool {
        guard ingress.kind == InterfacePlan.ingressQueue.discipline.kind, !ingress.hasBlock else { return false }
        return filters.isEmpty ? mark?.ownsEmptyIngress == true : filters.allSatisfy(isOwnFilter)
    }

    static func isOwnFilter(_ filter: InstalledTraffic) -> Bool {
        filter.kind == TrafficFilter.kind && SelectorFilters.Priority.all.contains(UInt16(filter.info >> 16))
    }

    /// Removes a shape, complete or not, in one request; packets in its queues are lost.
    ///
    /// What is not Headwind's stays, and a replaced queue is restored if that is possible. If the kernel refuses a
    /// part, the rest is done all the same, and the error is thrown.
    package func remove(_ found: Found) throws(InterfaceLinkError) {
        do throws(NetlinkError) {
            var messages: [RouteMessage] = []
            if let target = found.target?.interface {
                let queues = try socket.queues(of: target)
                // First, because packets for an ifb that is gone would be lost.
                messages += try ingressRemovals(queues, of: target, found)
                if let root = Self.ownRoot(in: queues, hasIntermediate: found.ifb != nil) {
                    messages.append(rootRemoval(root, of: target))
                    if let restoration = found.mark?.replaced?.restoration(on: target) { messages.append(restoration) }
                }
            }
            if let ifb = found.ifb?.interface { messages.append(VirtualInterface.removal(of: ifb)) }
            messages += try notes(of: found).map { VirtualInterface.removal(of: $0.interface) }
            if !messages.isEmpty { try socket.request(messages) }
        } catch  where error.code == .operationNotSupportedByDevice {
            // The interface has gone meanwhile.
            return
        } catch {
            throw InterfaceLinkError(error)
        }
    }

    /// Why an ingress queue stays when a shape is removed.
    package enum KeptIngress: Sendable {
        case hasFiltersOfOthers
        /// It has no filter of Headwind any more, so another program may have made it.
        case hasNoMark
    }

    /// Why the ingress queue that shaped incoming traffic is to stay; nil if it is removed, or is not part of the
    /// shape.
    package func keptIngress(_ found: Found) throws(InterfaceLinkError) -> KeptIngress? {
        guard let target = found.target?.interface else { return nil }
        return try asking { () throws(NetlinkError) in
            let queues = try socket.queues(of: target)
            guard let ingress = queues.first(where: { $0.parent == .ingress }) else { return nil }
            if Self.isOwn(try ingressFilters(ingress, of: target), found.mark, ingress) { return nil }
            if try ingressFilters(ingress, of: target).contains(where: Self.isOwnFilter) { return .hasFiltersOfOthers }
            guard let ifb = found.ifb?.interface else { return nil }
            let isDownShaped = Self.ownRoot(in: try socket.queues(of: ifb), hasIntermediate: true) != nil
            return isDownShaped ? .hasNoMark : nil
        }
    }

    /// Whether a replaced queue is at the root again.
    package func isThere(_ replaced: ReplacedQueue, on target: InterfaceState) throws(InterfaceLinkError) -> Bool {
        let queues = try asking { () throws(NetlinkError) in try socket.queues(of: target.interface) }
        return queues.contains { $0.parent == .root && $0.handle == replaced.handle && $0.kind == replaced.kind }
    }

    private func ingressRemovals(
        _ queues: [InstalledTraffic], of target: NetworkInterface, _ found: Found
    ) throws(NetlinkError) -> [RouteMessage] {
        guard let ingress = queues.first(where: { $0.parent == .ingress }) else { return [] }
        let filters = try ingressFilters(ingress, of: target)
        if Self.isOwn(filters, found.mark, ingress) { return [InterfacePlan.ingressQueue.message(.delete, on: target)] }
        return Self.removals(of: filters.filter(Self.isOwnFilter), at: InterfacePlan.ingress, on: target)
    }

    private func rootRemoval(_ root: InstalledTraffic, of target: NetworkInterface) -> RouteMessage {
        let discipline: QueueDiscipline =
            root.kind == "htb"
            ? .hierarchy(defaultMinor: 0)
            : .tokenBucket(TokenBucket(rate: Netem.orderly, burst: 0, limit: 0))
        return TrafficQueue(discipline, handle: root.handle).message(.delete, on: target)
    }
}
