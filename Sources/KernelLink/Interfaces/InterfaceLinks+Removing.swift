package import Netlink

extension InterfaceLinks {
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
