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
        filter.kind == TrafficFilter.kind && ExceptionFilters.Priority.all.contains(UInt16(filter.info >> 16))
    }
}

extension InterfaceLinks {
    /// A connection of the user's that must not be lost.
    package struct Connection: Hashable, Sendable, CustomStringConvertible {
        package var peer: InternetAddress
        package var peerPort: UInt16
        package var local: InternetAddress?
        package var localPort: UInt16
        /// The interface that its addresses hold on, where they say one.
        package var scope: String?

        package init(
            peer: InternetAddress, peerPort: UInt16, local: InternetAddress?, localPort: UInt16, scope: String? = nil
        ) {
            (self.peer, self.peerPort, self.local, self.localPort) = (peer, peerPort, local, localPort)
            self.scope = scope
        }

        package var description: String { "from \(peer), port \(peerPort), to port \(localPort)" }

        /// Whether an exception has it bypass a shape.
        package func isCovered(by exceptions: [LinkException]) -> Bool {
            exceptions.contains { exception in
                if case .port(let port) = exception { return port == peerPort || port == localPort }
                return exception.has(peer)
            }
        }
    }

    /// How packets of a connection pass by an interface.
    package enum Passage: Hashable, Sendable {
        /// As the filters of exceptions see them.
        case plain
        /// With the tag of this VLAN before what filters look at.
        case tagged(String)
    }

    /// How packets of a connection pass by an interface, by itself or by what is made on it, as far as ways and addresses tell; nil where they do not.
    package func passage(
        of connection: Connection, by target: InterfaceState
    ) throws(InterfaceLinkError) -> Passage? {
        do throws(NetlinkError) {
            let states = try socket.interfaces()
            var reached: Set<UInt32> = []
            let peer = connection.peer
            if let scope = connection.scope {
                reached.formUnion(states.filter { $0.interface.name == scope }.map(\.interface.index))
            } else if let index = try socket.interface(towards: peer.bytes, peer.family) {
                reached.insert(index)
            }
            if let local = connection.local, let index = try socket.interface(having: local.bytes, local.family) {
                reached.insert(index)
            }
            return InterfaceTies.passage(
                from: reached, to: target.interface.index, among: states.map(InterfaceTies.init))
        } catch {
            throw InterfaceLinkError(error)
        }
    }
}
