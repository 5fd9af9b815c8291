package import Netlink

extension InterfaceLinks {
    /// Takes a shape off, whole or half done, in one request; what waits in its queues is gone.
    ///
    /// What is not Headwind's stays, and what it has replaced is put back where that is possible. Where the kernel refuses a part the rest is done
    /// all the same, and the error thrown.
    package func remove(_ found: Found) throws(InterfaceLinkError) {
        do throws(NetlinkError) {
            var messages: [RouteMessage] = []
            if let target = found.target?.interface {
                let queues = try socket.queues(of: target)
                // First, as packets for an ifb that is gone would be lost.
                messages += try ingressRemovals(queues, of: target, found)
                if let root = queues.first(where: Self.isOwnRoot) {
                    messages.append(rootRemoval(root, of: target))
                    if let restoration = found.mark?.replaced?.restoration(on: target) { messages.append(restoration) }
                }
            }
            if let ifb = found.ifb?.interface { messages.append(VirtualInterface.removal(of: ifb)) }
            if !messages.isEmpty { try socket.request(messages) }
        } catch  where error.code == .operationNotSupportedByDevice {
            // It went by itself meanwhile.
            return
        } catch {
            throw InterfaceLinkError(error)
        }
    }

    /// Whether others have filters in the ingress queue that is Headwind's: then it stays when a shape goes.
    package func sharesIngress(_ target: InterfaceState) throws(InterfaceLinkError) -> Bool {
        do {
            let queues = try socket.queues(of: target.interface)
            guard queues.contains(where: { $0.parent == .ingress }) else { return false }
            let filters = try socket.filters(of: target.interface, at: InterfacePlan.ingress)
            return filters.contains(where: Self.isOwnFilter) && !filters.allSatisfy(Self.isOwnFilter)
        } catch {
            throw InterfaceLinkError(error)
        }
    }

    /// Whether a queue that was replaced is at the root again.
    package func isThere(_ replaced: ReplacedQueue, on target: InterfaceState) throws(InterfaceLinkError) -> Bool {
        do {
            return try socket.queues(of: target.interface).contains {
                $0.parent == .root && $0.handle == replaced.handle && $0.kind == replaced.kind
            }
        } catch {
            throw InterfaceLinkError(error)
        }
    }

    private func ingressRemovals(
        _ queues: [InstalledTraffic], of target: NetworkInterface, _ found: Found
    ) throws(NetlinkError) -> [RouteMessage] {
        guard queues.contains(where: { $0.kind == InterfacePlan.ingressQueue.discipline.kind }) else { return [] }
        let filters = try socket.filters(of: target, at: InterfacePlan.ingress)
        let own = Set(filters.filter(Self.isOwnFilter).map { UInt16($0.info >> 16) })
        if filters.allSatisfy(Self.isOwnFilter) {
            let isOwn = found.ifb != nil || !own.isEmpty
            return isOwn ? [InterfacePlan.ingressQueue.message(.delete, on: target)] : []
        }
        // The redirection first.
        return own.sorted(by: >).compactMap { priority in
            Self.protocols[priority].map { kind in
                TrafficFilter(parent: InterfacePlan.ingress, priority: priority, kind, matches: [.any], .redirect(0))
                    .message(.delete, on: target)
            }
        }
    }

    private func rootRemoval(_ root: InstalledTraffic, of target: NetworkInterface) -> RouteMessage {
        let discipline: QueueDiscipline =
            root.kind == "htb"
            ? .hierarchy(defaultMinor: 0)
            : .tokenBucket(TokenBucket(rate: Netem.orderly, burst: 0, limit: 0))
        return TrafficQueue(discipline, handle: root.handle).message(.delete, on: target)
    }

    private static let protocols: [UInt16: TrafficFilter.NetworkProtocol] = [
        ExceptionFilters.Priority.arp: .arp, ExceptionFilters.Priority.ipv4: .ipv4,
        ExceptionFilters.Priority.ipv6: .ipv6, ExceptionFilters.Priority.redirection: .all,
    ]
}
