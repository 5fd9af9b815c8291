import CNetlink

extension RouteSocket {
    /// The queues of an interface, including those that the kernel made.
    package func queues(of interface: NetworkInterface) throws(NetlinkError) -> [InstalledTraffic] {
        try traffic(RTM_GETQDISC, "queues", of: interface, below: .unspecified)
    }

    /// The classes of an interface's queues, or of one `queue`.
    ///
    /// Without `queue`, older kernels (6.1) leave out the classes of queues that are in another queue's class.
    package func classes(
        of interface: NetworkInterface, below queue: TrafficHandle = .unspecified
    ) throws(NetlinkError) -> [InstalledTraffic] {
        try traffic(RTM_GETTCLASS, "classes", of: interface, below: queue)
    }

    /// The filters of one of an interface's queues.
    package func filters(
        of interface: NetworkInterface, at parent: TrafficHandle
    ) throws(NetlinkError) -> [InstalledTraffic] {
        try traffic(RTM_GETTFILTER, "filters", of: interface, below: parent)
    }

    private func traffic(
        _ type: Int, _ what: String, of interface: NetworkInterface, below parent: TrafficHandle
    ) throws(NetlinkError) -> [InstalledTraffic] {
        let header = trafficHeader(interface, handle: .unspecified, parent: parent)
        let purpose = RequestPurpose("list the \(what) of interface \(interface)")
        // Some kernels list those of all interfaces.
        return try list(RouteMessage(type, header: header, for: purpose)).compactMap(InstalledTraffic.init)
            .filter { $0.interface == interface.index }
    }
}
