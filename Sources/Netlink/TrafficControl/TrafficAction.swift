import CNetlink

/// What a request does with a queue, a class or a filter.
package enum TrafficAction: Hashable, Sendable {
    /// Makes it; refused if there is one with its handle.
    case add
    /// Makes it, or changes one of its handle and kind in place: waiting packets stay.
    case replace
    /// Changes it in place; refused if there is none.
    case change
    case delete

    var flags: Int32 {
        switch self {
        case .add: NLM_F_CREATE | NLM_F_EXCL
        case .replace: NLM_F_CREATE | NLM_F_REPLACE
        case .change, .delete: 0
        }
    }

    var verb: String {
        switch self {
        case .add: "add"
        case .replace: "set"
        case .change: "change"
        case .delete: "remove"
        }
    }
}

/// The fixed part of a message about traffic control, `struct tcmsg`.
func trafficHeader(
    _ interface: NetworkInterface, handle: TrafficHandle, parent: TrafficHandle, info: UInt32 = 0
) -> [UInt8] {
    [UInt8](native: [0, interface.index, handle.number, parent.number, info])
}
