import PackFormat

/// The bytes of one response as steps, with the faults among them.
///
/// A fault takes part only if the response has the byte at its place, and reaches it.
struct FaultyBody {
    /// What to send, up to a cut or an endless silence, if there is one.
    private(set) var steps: [ResponseScript.Step] = []
    /// The faults that take part, with their places in bytes.
    private(set) var notes: [HostFault.Action] = []

    private var sent: Int64

    /// The bytes in `range` of a resource of `size` bytes.
    init(_ range: Range<Int64>, of size: Int64, faults: [HostFault.Action]) {
        sent = range.lowerBound
        let placed = faults.compactMap { Placed($0, size: size) }.filter { range.contains($0.place) }
        // At one place, a stall comes before a flipped byte, and that before a cut; two of one kind keep their order.
        let inOrder = placed.enumerated().sorted { left, right in
            (left.element.place, left.element.rank, left.offset)
                < (right.element.place, right.element.rank, right.offset)
        }
        for fault in inOrder.map(\.element) where fault.place >= sent {
            send(to: fault.place)
            notes.append(fault.action)
            switch fault.action {
            case .stall(_, let duration?):
                steps.append(.pause(duration))
            case .corrupt:
                steps.append(.flipped(fault.place))
                sent += 1
            case .cut(_, let how):
                steps.append(.cut(how))
                return
            default:
                steps.append(.silence)
                return
            }
        }
        send(to: range.upperBound)
    }

    private mutating func send(to place: Int64) {
        guard sent < place else { return }
        steps.append(.body(sent..<place))
        sent = place
    }
}

/// A fault with a place in the body, as a number of bytes.
private struct Placed {
    let place: Int64
    let rank: Int
    let action: HostFault.Action

    /// Nil for a fault without a place.
    init?(_ fault: HostFault.Action, size: Int64) {
        switch fault {
        case .stall(let offset, let duration):
            (place, rank) = (offset.resolved(in: size), 0)
            action = .stall(at: .bytes(place), for: duration)
        case .corrupt(let offset):
            (place, rank) = (offset.resolved(in: size), 1)
            action = .corrupt(at: .bytes(place))
        case .cut(let offset, let how):
            (place, rank) = (offset.resolved(in: size), 2)
            action = .cut(at: .bytes(place), how: how)
        default:
            return nil
        }
    }
}
