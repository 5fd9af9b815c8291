import CNetlink

/// A queue discipline in its place; see tc(8).
///
/// Its messages are built here and not by libnl-route, which depends on /proc/net/psched. libnl-route reads that file
/// once, under a lock that it may keep. It assumes a tick of a microsecond if the file is missing, and ends the process
/// if the file is not as it should be. It also knows no rate of more than 32 bits, and loading it takes 0.3 ms of the
/// start of each cell.
package struct TrafficQueue: Hashable, Sendable {
    package var handle: TrafficHandle
    package var parent: TrafficHandle
    package var discipline: QueueDiscipline
    /// Bytes that are added to the size of each packet, or subtracted if negative: −14 leaves out an Ethernet header.
    ///
    /// It also holds for the rates, limits and counters of all queues below. Nil (the default): packets count as they
    /// are.
    package var overhead: Int32?

    package init(
        _ discipline: QueueDiscipline, handle: TrafficHandle = .unspecified, parent: TrafficHandle = .root,
        overhead: Int32? = nil
    ) {
        (self.discipline, self.handle, self.parent, self.overhead) = (discipline, handle, parent, overhead)
    }

    /// The request for an action on it.
    ///
    /// Each has all parameters of the kind, because the kernel keeps what a message leaves out.
    package func message(_ action: TrafficAction, on interface: NetworkInterface) -> RouteMessage {
        let type = action == .delete ? RTM_DELQDISC : RTM_NEWQDISC
        let purpose = RequestPurpose(
            "\(action.verb) the \(discipline.kind) queue \(handle.number == 0 ? "" : "\(handle) ")"
                + "at \(parent) of interface \(interface)", part: discipline.part)
        let header = trafficHeader(interface, handle: handle, parent: parent)
        return RouteMessage(Int(type), flags: action.flags, header: header, for: purpose) { attributes in
            attributes.add(Int(TCA_KIND), discipline.kind)
            guard action != .delete else { return }
            discipline.addOptions(to: &attributes)
            if let overhead { attributes.nest(Int(TCA_STAB)) { $0.add(Int(TCA_STAB_BASE), Self.sizes(overhead)) } }
        }
    }

    /// `struct tc_sizespec` without a table: only the overhead counts.
    private static func sizes(_ overhead: Int32) -> [UInt8] {
        [UInt8](native: [0, UInt32(bitPattern: overhead), UInt32(TC_LINKLAYER_ETHERNET.rawValue), 0, 0, 0])
    }

    /// The differences of a queue that the kernel reports from this one.
    package func differences(from installed: InstalledTraffic) -> [Difference] {
        let name = "the \(discipline.kind) queue \(handle)"
        let kind = Difference.between("the kind of \(name)", discipline.kind, installed.kind)
        guard kind.isEmpty else { return kind }
        return Difference.between("the parent of \(name)", parent, installed.parent)
            + Difference.between("the overhead of \(name)", overhead ?? 0, installed.overhead ?? 0)
            + discipline.differences(from: installed.options, of: name)
    }
}

extension TrafficQueue: CustomStringConvertible {
    /// The queue in the notation of tc(8).
    package var description: String {
        let place = parent == .root ? "root" : parent == .ingress ? "ingress" : "parent \(parent)"
        let overhead = overhead.map { " overhead \($0)" } ?? ""
        return "qdisc \(discipline.kind) \(handle) \(place)\(discipline.parameters)\(overhead)"
    }
}
