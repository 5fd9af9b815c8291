package import LinkModel
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
        /// Whether packets that waited have kept their places.
        package let isChangedInPlace: Bool
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
                "Could not shape interface \(target.interface): it is one that Headwind has made for another. "
                    + "See 'headwind link show'.")
        }
        let plan = try InterfacePlan(shape, on: target)
        var mark = wanted
        (mark.interface, mark.form) = (target.interface.index, plan.form)
        mark.state = LinkMark.State(directions: plan.directions)
        let found = try find(on: target)
        mark.replaced = found?.mark?.replaced
        mark = mark.kept
        if let found, let ifb = found.ifb, found.mark?.form == plan.form {
            do throws(NetlinkError) {
                if try plan.isThere(ifb.interface, by: socket) {
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
                predecessor: found?.mark?.keeper, isChangedInPlace: false)
        } catch {
            if let rest = try? find(on: target) { _ = try? remove(rest) }
            throw InterfaceLinkError(error)
        }
    }

    /// Lets what the profile has at another time hold; what waits stays.
    ///
    /// Throws where the shape is not as it was left.
    package func play(_ conditions: LinkConditions, on applied: inout Applied) throws(InterfaceLinkError) {
        var conditions = conditions
        conditions.mtu = Int(applied.plan.target.mtu)
        let next = try applied.plan.at(conditions)
        let target = applied.plan.target.interface
        let messages =
            next.uplink.plan.messages(changing: applied.plan.uplink.plan, on: target)
            + next.downlink.plan.messages(changing: applied.plan.downlink.plan, on: applied.intermediate)
        try change(to: next, by: messages, &applied)
    }

    /// Gives packets the room that they need since somebody has raised the MTU of an interface; what waits stays.
    package func follow(
        _ shape: InterfaceShape, _ conditions: LinkConditions, on applied: inout Applied
    ) throws(InterfaceLinkError) {
        let old = applied.plan.target
        let states: [InterfaceState]
        do { states = try socket.interfaces() } catch { throw InterfaceLinkError(error) }
        guard let target = states.first(where: { $0.interface.index == old.interface.index }), target.mtu > old.mtu
        else { return }
        var conditions = conditions
        conditions.mtu = Int(target.mtu)
        let next = try InterfacePlan(shape, on: target, keepsPace: true).at(conditions)
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

    private func change(
        to plan: InterfacePlan, _ ifb: NetworkInterface, _ mark: LinkMark, from found: Found
    ) throws(NetlinkError) -> Applied {
        let messages = plan.uplink.changes(on: plan.target.interface) + plan.downlink.changes(on: ifb)
        try socket.request(messages)
        // While it is not as it was asked for it stays its process's, which takes it off in time.
        try check(plan, ifb)
        return Applied(
            mark: try sealed(mark, on: plan.target.interface, ifb), intermediate: ifb, plan: plan,
            predecessor: found.mark?.keeper, isChangedInPlace: true)
    }
}
