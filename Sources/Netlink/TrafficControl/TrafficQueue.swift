import CNetlink

/// A queue discipline in its place; see tc(8).
///
/// Its messages are built here and not by libnl-route: what that fills in goes by /proc/net/psched, which it reads once, under a lock that
/// it may keep; it takes a tick for a microsecond where the file is missing, and ends the process where the file is not as it should be. It
/// also knows no rate of more than 32 bits, and loading it takes 0.3 ms of the start of each cell.
package struct TrafficQueue: Hashable, Sendable {
    package var handle: TrafficHandle
    package var parent: TrafficHandle
    package var discipline: QueueDiscipline
    /// Bytes by which each packet counts for more than it has, or less where it is negative: −14 leaves an Ethernet header out.
    ///
    /// It holds for all queues below too, for their rates, limits and counters. Nil (the default): packets count as they are.
    package var overhead: Int32?

    package init(
        _ discipline: QueueDiscipline, handle: TrafficHandle = .unspecified, parent: TrafficHandle = .root,
        overhead: Int32? = nil
    ) {
        (self.discipline, self.handle, self.parent, self.overhead) = (discipline, handle, parent, overhead)
    }

    /// The request to do something with it.
    ///
    /// Each says all that the kind has: where a message leaves something out, the kernel keeps what was there.
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
        var bytes: [UInt8] = [0, 0, 0, 0]
        bytes.append(native: overhead)
        for field in [UInt32(TC_LINKLAYER_ETHERNET.rawValue), 0, 0, 0] { bytes.append(native: field) }
        return bytes
    }
}
