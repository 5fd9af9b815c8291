import Netlink

/// Replaces a shape by one that has the same queues for all but some rules.
extension InterfaceLinks {
    /// Changes only what differs from the plan; unchanged rules are not affected.
    func change(
        to plan: InterfacePlan, _ ifb: NetworkInterface, _ mark: LinkMark, from found: Found
    ) throws(NetlinkError) -> Applied {
        let target = plan.target.interface
        let leaving = try changes(to: plan.uplink, on: target)
        let entering = try changes(to: plan.downlink, on: ifb)
        let incoming = try changes(ofIncoming: plan, ifb)
        // What the kernel refuses is known before anything is changed.
        if !(leaving.additions + entering.additions).isEmpty { try rehearse(plan) }
        try socket.request(
            incoming.removals + leaving.removals + entering.removals + entering.additions + leaving.additions
                + incoming.additions + leaving.numbers + entering.numbers)
        if plan.notes != found.rules { try write(plan.notes, of: target) }
        // If this throws, the shape still belongs to its previous process, which removes it in time.
        try check(plan, ifb)
        let ended = leaving.ended.union(entering.ended)
        return Applied(
            mark: try sealed(mark, on: target, ifb), intermediate: ifb, plan: plan, predecessor: found.mark?.keeper,
            ended: (found.rules ?? []).filter { ended.contains($0.slot) }.map(\.selector))
    }

    private struct Changes {
        var removals: [RouteMessage] = []
        var additions: [RouteMessage] = []
        /// Changes of the numbers of what stays.
        var numbers: [RouteMessage] = []
        /// Rules whose queues are removed, or made again.
        var ended: Set<RuleSlot> = []
    }

    private func changes(to tree: InterfaceTree, on interface: NetworkInterface) throws(NetlinkError) -> Changes {
        guard !tree.isEmpty else { return Changes() }
        let queues = try socket.queues(of: interface)
        let filters = try socket.filters(of: interface, at: InterfaceTree.root)
        var changes = Changes()
        var gone = Set(queues.compactMap { RuleSlot.having(queue: $0.handle.major) })
        gone.formUnion(filters.compactMap(\.slot))
        for branch in tree.branches {
            let slot = branch.slot
            guard gone.remove(slot) != nil else {
                changes.additions += branch.messages(on: interface)
                continue
            }
            if try isThere(branch, queues, filters, on: interface) {
                changes.numbers += try numbers(branch.queues, branch.classes, queues, on: interface)
            } else {
                changes.removals += removals(of: slot, queues, filters, on: interface)
                changes.additions += branch.messages(on: interface)
                changes.ended.insert(slot)
            }
        }
        changes.ended.formUnion(gone)
        for slot in gone.sorted() { changes.removals += removals(of: slot, queues, filters, on: interface) }
        let frame = tree.frame
        changes.numbers += try numbers(frame.queues, frame.classes, queues, on: interface)
        return changes
    }

    /// Whether a branch has the queues and filters that it should have, and no others, whatever their numbers.
    private func isThere(
        _ branch: RuleBranch, _ queues: [InstalledTraffic], _ filters: [InstalledTraffic],
        on interface: NetworkInterface
    ) throws(NetlinkError) -> Bool {
        let own = filters.filter { $0.slot == branch.slot && FilterRule($0) != nil }
        guard own.count == branch.filters.count, branch.filters.missing(from: own).isEmpty else { return false }
        let there = queues.filter { RuleSlot.having(queue: $0.handle.major) == branch.slot }
        guard Set(there.map(\.place)) == Set(branch.queues.map(\.place)) else { return false }
        return try ReadBack.missing(branch.plan.filters, on: interface, by: socket).isEmpty
    }

    /// The requests that change parts whose numbers differ; waiting packets stay.
    private func numbers(
        _ queues: [TrafficQueue], _ classes: [TrafficClass], _ installed: [InstalledTraffic],
        on interface: NetworkInterface
    ) throws(NetlinkError) -> [RouteMessage] {
        var messages: [RouteMessage] = []
        for major in Set(classes.map(\.handle.major)).sorted() {
            let there = try socket.classes(of: interface, below: TrafficHandle(major))
            messages += classes.filter { $0.handle.major == major }.filter { wanted in
                there.first { $0.handle == wanted.handle }.map { !wanted.differences(from: $0).isEmpty } ?? true
            }.map { $0.message(.change, on: interface) }
        }
        return messages
            + queues.filter { queue in
                switch queue.discipline {
                // It has no numbers that could change.
                case .hierarchy: false
                // A bucket that limits nothing is set again, because the kernel does not report its largest packet.
                case .tokenBucket(let bucket) where bucket.rate == Netem.orderly: true
                // The kernel gives a FIFO directly in a bucket the bucket's limit.
                case .byteFIFO, .packetFIFO: true
                // The kernel does not report the shape of a jitter.
                case .netem(let netem) where netem.jitter > 0: true
                default:
                    installed.first { $0.handle == queue.handle }.map { !queue.differences(from: $0).isEmpty } ?? true
                }
            }.map { $0.message(.change, on: interface) }
    }

    /// The requests that remove a rule: its filters first, because a class that one of them leads to cannot be removed.
    private func removals(
        of slot: RuleSlot, _ queues: [InstalledTraffic], _ filters: [InstalledTraffic], on interface: NetworkInterface
    ) -> [RouteMessage] {
        let hasClass = queues.contains { $0.handle.major == slot.queues.lowerBound }
        let way = TrafficClass(
            handle: slot.way, parent: InterfaceTree.root, rate: Netem.orderly, burst: 0, quantum: 0)
        return Self.removals(of: filters.filter { $0.slot == slot }, at: InterfaceTree.root, on: interface)
            + (hasClass ? [way.message(.delete, on: interface)] : [])
    }

    private func changes(ofIncoming plan: InterfacePlan, _ ifb: NetworkInterface) throws(NetlinkError) -> Changes {
        let target = plan.target.interface
        let there = try socket.filters(of: target, at: InterfacePlan.ingress).filter { $0.slot != nil }
        var wanted = Dictionary(
            grouping: plan.incoming(to: ifb.index).filter { RuleSlot.having(priority: $0.priority) != nil }
        ) { RuleSlot.having(priority: $0.priority) }
        var changes = Changes()
        for (slot, filters) in Dictionary(grouping: there, by: \.slot) {
            let own = filters.filter { FilterRule($0) != nil }
            if let rules = wanted[slot], rules.count == own.count, rules.missing(from: own).isEmpty {
                wanted[slot] = nil
            } else {
                changes.removals += Self.removals(of: filters, at: InterfacePlan.ingress, on: target)
            }
        }
        changes.additions = wanted.values.flatMap(\.self).map { $0.message(.add, on: target) }
        return changes
    }

    /// The requests that remove filters, each with all of its priority and protocol, the last first.
    static func removals(
        of filters: [InstalledTraffic], at parent: TrafficHandle, on interface: NetworkInterface
    ) -> [RouteMessage] {
        Set(filters.map(\.info)).sorted { $0 >> 16 > $1 >> 16 }.compactMap { info in
            TrafficFilter.NetworkProtocol(info: info).map { kind in
                TrafficFilter(
                    parent: parent, priority: UInt16(info >> 16), kind, matches: [.any], .redirect(0)
                ).message(.delete, on: interface)
            }
        }
    }
}

extension InstalledTraffic {
    /// The slot of the rule that a filter belongs to; nil for others.
    var slot: RuleSlot? { kind == TrafficFilter.kind ? RuleSlot.having(priority: UInt16(info >> 16)) : nil }
}
