import Netlink

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
