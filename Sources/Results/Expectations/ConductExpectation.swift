/// What must hold of a client's conduct, beside what becomes of its requests; each is a check of its own.
package enum ConductExpectation: Hashable, Sendable, Codable {
    /// Every request that was begun is called back exactly once.
    case callbackOnce
    /// Every request that the workload ends is told to be ended, and no call is out of order.
    case endsBalanced
    /// The low-space notification is posted, once a request at most; or it is not.
    case notification(isPosted: Bool)
    /// Exactly these packs are in the store when the client has ended, each as the host serves it: names as in faults.
    case stored([String])
    /// Exactly these packs are purged, in this order: names as in faults.
    ///
    /// While an app runs, packs that the system needs the room of go after the low-space notification alone.
    case purged([String])
    /// These packs are never purged, and are in the store when the client has ended.
    case kept([String])
    /// At most so many body bytes cross more than once.
    case refetched(mostBytes: Int64)
    /// So many requests beyond the first for each pack that is asked for at all.
    case retries(ClosedRange<Int>)
    /// At least so long lies between the end of a failed try and the next one for the same pack, and at least what the host
    /// asks for by Retry-After.
    case backOff(leastSeconds: Double)
    /// Nothing is asked of the host for a cancelled request after its callback.
    case afterCancelNothing
    /// These requests become available in this order.
    case order([String])
    /// A line of a command's standard output or error has a match of this regular expression.
    case output(String)
    /// This command of a shell, which judges what a command has left, ends with 0.
    case oracle(String)
    /// What is put into the client's folders before it starts stays as it is.
    case keeps([ConductRecord.Before.Kind])
    /// Tries that fail leave no files behind.
    case leavesNothing

    /// What a scenario calls it; a check of it has the same name.
    package enum Word: String, CaseIterable, Sendable {
        case callback, ends, notification, stored, purged, kept, refetched, retries
        case backOff = "back-off"
        case afterCancel = "after-cancel"
        case order, output, oracle, keeps, leftovers
    }

    /// What a scenario calls it.
    package var word: Word {
        switch self {
        case .callbackOnce: .callback
        case .endsBalanced: .ends
        case .notification: .notification
        case .stored: .stored
        case .purged: .purged
        case .kept: .kept
        case .refetched: .refetched
        case .retries: .retries
        case .backOff: .backOff
        case .afterCancelNothing: .afterCancel
        case .order: .order
        case .output: .output
        case .oracle: .oracle
        case .keeps: .keeps
        case .leavesNothing: .leftovers
        }
    }
}

extension ConductExpectation: CustomStringConvertible {
    /// What stands behind the word in a scenario: `once`, `1-3`, `500 ms`.
    package var description: String {
        switch self {
        case .callbackOnce: "once"
        case .endsBalanced: "balanced"
        case .notification(let isPosted): isPosted ? "low-space" : "none"
        case .stored(let names), .purged(let names): names.isEmpty ? "none" : names.joined(separator: ", ")
        case .kept(let names): names.joined(separator: ", ")
        case .refetched(let bytes): Quantity(Double(bytes), .bytes).description
        case .retries(let range):
            range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
        case .backOff(let seconds): Quantity(seconds, .seconds).description
        case .afterCancelNothing: "nothing"
        case .order(let ids): ids.joined(separator: ", ")
        case .output(let pattern): pattern
        case .oracle(let command): command
        case .keeps(let kinds): kinds.map(\.rawValue).joined(separator: ", ")
        case .leavesNothing: "none"
        }
    }
}
