/// A requirement on a client's conduct, besides the outcomes of its requests; each is a separate check.
package enum ConductExpectation: Hashable, Sendable, Codable {
    /// Every request that was begun is called back exactly once.
    case callbackOnce
    /// Every request that the workload ends is reported as ended, and no call is out of order.
    case endsBalanced
    /// The low-space notification is posted, at most once for each request and step of pressure, or is not posted.
    case notification(isPosted: Bool)
    /// Exactly these packs are in the store when the client has ended, each as the host serves it; named as in faults.
    case stored([String])
    /// Exactly these packs are purged, in this order; named as in faults.
    ///
    /// While an app runs, packs that the system removes to make room go only after the low-space notification.
    case purged([String])
    /// These packs are never purged, and are in the store when the client has ended.
    case kept([String])
    /// At most this many body bytes cross the link more than once.
    case refetched(mostBytes: Int64)
    /// The number of requests beyond the first, for each pack that is requested at all.
    case retries(ClosedRange<Int>)
    /// The least time from the end of a failed try to the next one for the same pack, in seconds.
    ///
    /// If the host asks for a longer time by Retry-After, that counts.
    case backOff(leastSeconds: Double)
    /// Nothing is requested from the host for a cancelled request after its callback.
    case afterCancelNothing
    /// These requests become available in this order.
    case order([String])
    /// A line of a command's standard output or error has a match of this regular expression.
    case output(String)
    /// This shell command, which judges what a command has left, exits with status 0.
    case oracle(String)
    /// Files of these kinds, put into the client's folders before it starts, stay as they are.
    case keeps([ConductRecord.Before.Kind])
    /// Tries that fail leave no files behind.
    case leavesNothing

    /// The requirement's name in a scenario; its check has the same name.
    package enum Word: String, CaseIterable, Sendable {
        case callback, ends, notification, stored, purged, kept, refetched, retries
        case backOff = "back-off"
        case afterCancel = "after-cancel"
        case order, output, oracle, keeps, leftovers
    }

    /// The requirement's name in a scenario.
    package var word: Word { notation.word }
}

extension ConductExpectation: CustomStringConvertible {
    /// The text after the word in a scenario: `once`, `1-3`, `500 ms`.
    package var description: String { notation.text }

    /// The requirement's name in a scenario, and the text after it.
    private var notation: (word: Word, text: String) {
        switch self {
        case .callbackOnce: (.callback, "once")
        case .endsBalanced: (.ends, "balanced")
        case .notification(let isPosted): (.notification, isPosted ? "low-space" : "none")
        case .stored(let names): (.stored, names.isEmpty ? "none" : names.joined(separator: ", "))
        case .purged(let names): (.purged, names.isEmpty ? "none" : names.joined(separator: ", "))
        case .kept(let names): (.kept, names.joined(separator: ", "))
        case .refetched(let bytes): (.refetched, Quantity(Double(bytes), .bytes).description)
        case .retries(let range):
            (.retries, range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)")
        case .backOff(let seconds): (.backOff, Quantity(seconds, .seconds).description)
        case .afterCancelNothing: (.afterCancel, "nothing")
        case .order(let ids): (.order, ids.joined(separator: ", "))
        case .output(let pattern): (.output, pattern)
        case .oracle(let command): (.oracle, command)
        case .keeps(let kinds): (.keeps, kinds.map(\.rawValue).joined(separator: ", "))
        case .leavesNothing: (.leftovers, "none")
        }
    }
}
