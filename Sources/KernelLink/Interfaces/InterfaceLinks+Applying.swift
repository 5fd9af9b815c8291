package import LinkModel
package import Netlink

extension InterfaceLinks {
    /// What ``apply(_:on:mark:replaces:)`` has done.
    package struct Applied {
        package let mark: LinkMark
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
    /// somebody else's, or the kernel refuses; then it is as it was, or without the shape that it had. All is first tried on an `ifb` of Headwind's own.
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
        let found = try find(on: target)
        mark.replaced = found?.mark?.replaced
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
        if let found { try remove(found) }
        do throws(NetlinkError) {
            return Applied(
                mark: mark, intermediate: try make(plan, mark, replaces: mark.replaced != nil), plan: plan,
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
        do { try socket.request(messages) } catch { throw InterfaceLinkError(error) }
        applied.plan = next
    }

    /// What has become of a shape.
    package enum Standing: Sendable {
        case own
        /// It is another process's now, or is no more.
        case others
        /// Its interface, or the `ifb`, is no more; what is left is its process's to take off.
        case broken
    }

    package func standing(of applied: Applied) throws(InterfaceLinkError) -> Standing {
        let states: [InterfaceState]
        do { states = try socket.interfaces() } catch { throw InterfaceLinkError(error) }
        let target = states.first { $0.interface.index == applied.plan.target.interface.index }
        let name = Self.intermediateName(for: applied.plan.target.interface.index)
        if let ifb = states.first(where: { $0.interface.name == name && Self.isOwn($0) }) {
            guard LinkMark(parsing: ifb.alias)?.keeper == applied.mark.keeper else { return .others }
            return target == nil ? .broken : .own
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
        try socket.request([Self.alias(mark, of: ifb)] + messages)
        try check(plan, ifb)
        return Applied(
            mark: mark, intermediate: ifb, plan: plan, predecessor: found.mark?.keeper, isChangedInPlace: true)
    }
}
