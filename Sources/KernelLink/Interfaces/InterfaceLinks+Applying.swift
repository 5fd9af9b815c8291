package import Netlink

extension InterfaceLinks {
    /// What ``apply(_:on:mark:replaces:)`` has done.
    package struct Applied {
        package fileprivate(set) var mark: LinkMark
        /// The index of the `ifb`.
        let intermediate: NetworkInterface
        var plan: InterfacePlan
        /// The process that had the shape before, and finds that it is another's now.
        package let predecessor: LinkMark.Keeper?
        /// The rules before whose queues are gone, where all other packets that waited have kept their places; nil where none has.
        package let ended: [String]?

        /// When one of its profiles changes next, as a time since the shape has begun; nil: never.
        package func nextChange(after elapsed: Duration) -> Duration? { plan.nextChange(after: elapsed) }
    }

    /// Puts a shape on an interface.
    ///
    /// One of Headwind's that is there already is changed in place, if it has the same queues, and replaced else. Throws where the interface is
    /// somebody else's, or the kernel refuses; then it is as it was. All is first tried on an `ifb` of Headwind's own.
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
            do throws(NetlinkError) {
                if try plan.frame.isThere(ifb.interface, by: socket) {
                    return try change(to: plan, ifb.interface, mark, from: found)
                }
            } catch {
                throw InterfaceLinkError(error)
            }
        }
        let replaced = try place(for: plan, found, replaces: replaces)
        if let replaced { mark.replaced = replaced }
        mark = mark.kept
        // What it has replaced is back in between, so that it is not lost with this process.
        if let found {
            do { try rehearse(plan) } catch { throw InterfaceLinkError(error) }
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

    /// Lets what the profiles have at another time hold; what waits stays.
    ///
    /// Throws where the shape is not as it was left.
    package func play(_ elapsed: Duration, on applied: inout Applied) throws(InterfaceLinkError) {
        let next = try applied.plan.at(elapsed)
        let messages =
            next.uplink.messages(changing: applied.plan.uplink, on: applied.plan.target.interface)
            + next.downlink.messages(changing: applied.plan.downlink, on: applied.intermediate)
        try change(to: next, by: messages, &applied)
    }

    /// Gives packets the room that they need since somebody has raised the MTU of an interface; what waits stays.
    package func follow(
        _ shape: InterfaceShape, _ elapsed: Duration, on applied: inout Applied
    ) throws(InterfaceLinkError) {
        let old = applied.plan.target
        let states: [InterfaceState]
        do { states = try socket.interfaces() } catch { throw InterfaceLinkError(error) }
        guard let target = states.first(where: { $0.interface.index == old.interface.index }), target.mtu > old.mtu
        else { return }
        let places = applied.plan.rules.map(\.place)
        let next = try InterfacePlan(shape, on: target, places: places, keepsPace: true).at(elapsed)
        guard next.form == applied.mark.form else { return }
        let messages = next.uplink.changes(on: target.interface) + next.downlink.changes(on: applied.intermediate)
        try change(to: next, by: messages, &applied)
    }

    /// What somebody has changed before is not taken for Headwind's by that.
    private func change(
        to next: InterfacePlan, by messages: [RouteMessage], _ applied: inout Applied
    ) throws(InterfaceLinkError) {
        let (target, ifb) = (applied.plan.target.interface, applied.intermediate)
        do throws(NetlinkError) {
            let found = try digest(of: next.directions, on: target, ifb)
            try socket.request(messages)
            applied.plan = next
            if found == applied.mark.state?.digest { applied.mark = try sealed(applied.mark, on: target, ifb) }
        } catch {
            throw InterfaceLinkError(error)
        }
    }

    /// What has become of a shape.
    package enum Standing: Sendable {
        case own
        /// It is another process's now, or is no more.
        case others
        /// Its interface, the `ifb` or a queue is no more; what is left is its process's to take off.
        case broken
    }

    package func standing(of applied: Applied) throws(InterfaceLinkError) -> Standing {
        let states: [InterfaceState]
        do { states = try socket.interfaces() } catch { throw InterfaceLinkError(error) }
        let target = states.first { $0.interface.index == applied.plan.target.interface.index }
        let name = Self.intermediateName(for: applied.plan.target.interface.index)
        if let ifb = states.first(where: { $0.interface.name == name && Self.isOwn($0) }) {
            guard LinkMark(parsing: ifb.alias)?.keeper == applied.mark.keeper else { return .others }
            guard target != nil, ifb.isUp else { return .broken }
            do { return try applied.plan.isThere(ifb.interface, by: socket) ? .own : .broken } catch {
                throw InterfaceLinkError(error)
            }
        }
        guard let target else { return .others }
        return try find(on: target) == nil ? .others : .broken
    }

    /// Takes a shape off that is still its process's, and leaves it alone else.
    package func remove(_ applied: Applied) throws(InterfaceLinkError) {
        guard try standing(of: applied) != .others else { return }
        let target = applied.plan.target.interface.index
        let name = Self.intermediateName(for: target)
        let found = try all().first { $0.target?.interface.index == target || $0.ifb?.interface.name == name }
        if let found { try remove(found) }
    }
}

extension InterfaceLinks {
    /// The filters in an ingress queue; none where they are those of a block, which others may have too.
    func ingressFilters(
        _ ingress: InstalledTraffic, of target: NetworkInterface
    ) throws(NetlinkError) -> [InstalledTraffic] {
        guard ingress.kind == InterfacePlan.ingressQueue.discipline.kind, !ingress.hasBlock else { return [] }
        return try socket.filters(of: target, at: InterfacePlan.ingress)
    }

    /// Whether an ingress queue is provably Headwind's: it has filters of Headwind's alone, or none in the moment in which the mark says that
    /// it was just made.
    static func isOwn(_ filters: [InstalledTraffic], _ mark: LinkMark?, _ ingress: InstalledTraffic) -> Bool {
        guard ingress.kind == InterfacePlan.ingressQueue.discipline.kind, !ingress.hasBlock else { return false }
        return filters.isEmpty ? mark?.ownsEmptyIngress == true : filters.allSatisfy(isOwnFilter)
    }

    static func isOwnFilter(_ filter: InstalledTraffic) -> Bool {
        filter.kind == TrafficFilter.kind && SelectorFilters.Priority.all.contains(UInt16(filter.info >> 16))
    }
}
