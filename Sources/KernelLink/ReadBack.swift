import Netlink

/// Compares what an interface has with what is planned for it.
enum ReadBack {
    /// The parts of a plan that are not as they were set, or are missing.
    static func differences(
        _ queues: [TrafficQueue], _ classes: [TrafficClass], _ filters: [TrafficFilter], on interface: NetworkInterface,
        by socket: borrowing RouteSocket
    ) throws(NetlinkError) -> [Difference] {
        let installed = try socket.queues(of: interface)
        var found = queues.flatMap { wanted in
            installed.first { $0.handle == wanted.handle }.map(wanted.differences) ?? missing(wanted.description)
        }
        // The kernel lists the classes of a hierarchy that is no root only if these alone are requested.
        for queue in Set(classes.map(\.handle.major)).sorted() {
            let there = try socket.classes(of: interface, below: TrafficHandle(queue))
            found += classes.filter { $0.handle.major == queue }.flatMap { wanted in
                there.first { $0.handle == wanted.handle }.map(wanted.differences) ?? missing(wanted.description)
            }
        }
        return found + (try missing(filters, on: interface, by: socket)).flatMap { missing($0.description) }
    }

    /// The filters that are not there.
    static func missing(
        _ filters: [TrafficFilter], on interface: NetworkInterface, by socket: borrowing RouteSocket
    ) throws(NetlinkError) -> [TrafficFilter] {
        var missing: [TrafficFilter] = []
        for parent in Set(filters.map(\.parent)).sorted(by: { $0.number < $1.number }) {
            let there = try socket.filters(of: interface, at: parent)
            missing += filters.filter { $0.parent == parent }.missing(from: there)
        }
        return missing
    }

    /// Queues that were not planned, except those that the kernel makes by itself, which have no handle number.
    static func unplanned(
        _ queues: [TrafficQueue], on interface: NetworkInterface, by socket: borrowing RouteSocket
    ) throws(NetlinkError) -> [Difference] {
        try socket.queues(of: interface).filter { found in
            found.handle.major != 0 && !queues.contains { $0.handle == found.handle }
        }.map {
            Difference(property: "the \($0.kind) queue \($0.handle)", wanted: "absent", found: "present")
        }
    }

    private static func missing(_ what: String) -> [Difference] {
        [Difference(property: "'\(what)'", wanted: "present", found: "missing")]
    }
}
