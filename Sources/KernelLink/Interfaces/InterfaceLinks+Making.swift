import Netlink

extension InterfaceLinks {
    /// Throws if another program has a queue where a shape is to be.
    ///
    /// Returns the root queue that the shape is to replace, if that is allowed; nil if there is none.
    func place(
        for plan: InterfacePlan, _ found: Found?, replaces: Bool
    ) throws(InterfaceLinkError) -> ReplacedQueue? {
        let target = plan.target.interface
        let queues = try asking { () throws(NetlinkError) in try socket.queues(of: target) }
        if !plan.downlink.isEmpty, let ingress = queues.first(where: { $0.parent == .ingress }) {
            let filters = try asking { () throws(NetlinkError) in try ingressFilters(ingress, of: target) }
            guard Self.isOwn(filters, found?.mark, ingress) else {
                throw InterfaceLinkError(
                    .machine,
                    "Could not shape incoming traffic of interface \(target): another program has a queue of the kind \(ingress.kind) there, "
                        + "whose filters Headwind could not restore. See 'tc filter show dev \(target) ingress'; remove it with "
                        + "'tc qdisc del dev \(target) \(ingress.kind)', or use another interface.")
            }
        }
        // Queues that the kernel makes by itself have no handle number.
        let own = Self.ownRoot(in: queues, hasIntermediate: found?.ifb != nil)
        let root = queues.first { $0.parent == .root && $0.handle.number != 0 && $0.handle != own?.handle }
        guard !plan.uplink.isEmpty, let root else { return nil }
        guard root.handle != InterfaceTree.root else {
            throw InterfaceLinkError(
                .machine,
                "Could not shape interface \(target): its root queue, \(root.kind) \(root.handle), belongs to another program, and has the "
                    + "handle that Headwind needs. Give it another handle, or remove it: tc qdisc del dev \(target) root."
            )
        }
        guard replaces else {
            throw InterfaceLinkError(
                .machine,
                "Could not shape interface \(target): its root queue, \(root.kind) \(root.handle), is not the kernel's default: another program "
                    + "has set it. Replace it with --replace, or use another interface.")
        }
        let children = queues.filter { $0.parent.major == root.handle.major && $0.handle.number != 0 }
        let filters = try asking { () throws(NetlinkError) in try socket.filters(of: target, at: root.handle) }
        return ReplacedQueue(root, isAlone: children.isEmpty && filters.isEmpty)
    }

    /// Makes a whole shape where nothing is; the interface itself is changed last.
    ///
    /// Each step is one request, which the kernel completes whatever happens to this process. ``sealed(_:on:_:)``
    /// writes the last mark. It does not say that the ingress queue is Headwind's, because the filters in it do.
    func make(_ plan: InterfacePlan, _ mark: LinkMark, replaces: Bool) throws(NetlinkError) -> NetworkInterface {
        let target = plan.target.interface
        let ifb = try makeIntermediate(Self.intermediateName(for: target.index))
        try rehearse(plan, on: ifb)
        // This fails without IPv6, and then it is not needed.
        try? socket.request(InterfaceChange(makesAddresses: false).message(for: ifb.index, name: ifb.name))
        try write(plan.notes, of: target)
        let alias = Self.alias(mark, of: ifb)
        let up = InterfaceChange(isUp: true).message(for: ifb.index, name: ifb.name)
        try socket.request([alias] + plan.downlink.messages(on: ifb) + [up])

        let incoming = plan.incoming(to: ifb.index)
        if !incoming.isEmpty { try makeIngress(on: target, ifb, mark) }
        let root = plan.uplink.messages(on: target, replacing: replaces)
        // Exceptions for incoming traffic come before anything is shaped; the redirection of all other traffic comes
        // last.
        try socket.request(
            incoming.filter { !$0.redirects }.map { $0.message(.add, on: target) } + root
                + incoming.filter(\.redirects).map { $0.message(.add, on: target) })
        try check(plan, ifb)
        return ifb
    }

    /// Makes an `ifb` of Headwind's own, or returns the one that is there if `isThere`.
    func makeIntermediate(_ text: String, isThere: Bool = false) throws(NetlinkError) -> NetworkInterface {
        guard let name = try? InterfaceName(text) else { preconditionFailure("ten digits and five letters fit") }
        if !isThere { try socket.request(VirtualInterface.intermediate(name, group: Self.group)) }
        return try socket.interface(name).interface
    }

    /// Makes an ingress queue, and notes on the `ifb` that it is Headwind's while it has no filters that show it.
    ///
    /// No filter is in the same request: until it is granted, what is there may belong to another program.
    private func makeIngress(
        on target: NetworkInterface, _ ifb: NetworkInterface, _ mark: LinkMark
    ) throws(NetlinkError) {
        var owning = mark
        owning.ownsEmptyIngress = true
        do {
            try socket.request([InterfacePlan.ingressQueue.message(.add, on: target), Self.alias(owning, of: ifb)])
        } catch {
            try? socket.request(Self.alias(mark, of: ifb))
            throw error
        }
    }

    static func alias(_ mark: LinkMark, of ifb: NetworkInterface) -> RouteMessage {
        InterfaceChange(alias: mark.text).message(for: ifb.index, name: ifb.name)
    }

    /// Tries a plan on an `ifb` of its own, while another shape is still in use.
    func rehearse(_ plan: InterfacePlan) throws(NetlinkError) {
        let text = Self.trialName(for: plan.target.interface.index)
        // A killed process may have left one.
        if let rest = try socket.interfaces().first(where: { $0.interface.name == text && Self.isOwn($0) }) {
            try socket.request(VirtualInterface.removal(of: rest.interface))
        }
        let trial = try makeIntermediate(text)
        do throws(NetlinkError) {
            try rehearse(plan, on: trial)
            try socket.request(plan.downlink.messages(on: trial))
        } catch {
            try? socket.request(VirtualInterface.removal(of: trial))
            throw error
        }
        try socket.request(VirtualInterface.removal(of: trial))
    }

    /// Makes and removes on an interface of Headwind's own, which is down, what the user's is to have.
    ///
    /// So what the kernel lacks or refuses is known before the user's interface is changed.
    private func rehearse(_ plan: InterfacePlan, on ifb: NetworkInterface) throws(NetlinkError) {
        let incoming = plan.incoming(to: ifb.index).map { $0.message(.add, on: ifb) }
        if !incoming.isEmpty { try socket.request([InterfacePlan.ingressQueue.message(.add, on: ifb)] + incoming) }
        try socket.request(plan.uplink.messages(on: ifb))
        var removals = incoming.isEmpty ? [] : [InterfacePlan.ingressQueue.message(.delete, on: ifb)]
        if let root = plan.uplink.queues.first { removals.append(root.message(.delete, on: ifb)) }
        try socket.request(removals)
    }

    /// Throws if the kernel reports something else than was requested.
    func check(_ plan: InterfacePlan, _ ifb: NetworkInterface) throws(NetlinkError) {
        let target = plan.target.interface
        let found =
            try plan.uplink.differences(on: target, by: socket) + plan.downlink.differences(on: ifb, by: socket)
            + ReadBack.unplanned(plan.downlink.queues, on: ifb, by: socket)
        let isLed = try plan.leads(to: ifb, by: socket)
        guard !found.isEmpty || !isLed else { return }
        let words = found.map(\.description) + (isLed ? [] : ["incoming traffic is not sent to \(ifb)"])
        throw NetlinkError(
            // Another program has changed it: the kernel has accepted all of it.
            RequestPurpose("shape interface \(target) as requested"), .resourceBusy,
            words: words.joined(separator: "; "))
    }
}

extension TrafficFilter {
    fileprivate var redirects: Bool { if case .redirect = action { true } else { false } }
}

extension InterfacePlan {
    /// Whether the filters are there that send incoming traffic to an `ifb`.
    func leads(to ifb: NetworkInterface, by socket: borrowing RouteSocket) throws(NetlinkError) -> Bool {
        try ReadBack.missing(incoming(to: ifb.index), on: target.interface, by: socket).isEmpty
    }

    /// Whether all parts of it are there, whatever their numbers.
    func isThere(_ ifb: NetworkInterface, by socket: borrowing RouteSocket) throws(NetlinkError) -> Bool {
        for (tree, interface) in [(uplink, target.interface), (downlink, ifb)] {
            let there = Set(try socket.queues(of: interface).map(\.place))
            guard there.isSuperset(of: tree.queues.map(\.place)) else { return false }
            guard try ReadBack.missing(tree.filters, on: interface, by: socket).isEmpty else { return false }
        }
        return try leads(to: ifb, by: socket)
    }
}
