/// A call that the order of a request's calls forbids.
///
/// It is the programmer's error, and none of the request's: Apple's class raises an exception for it, which no app
/// catches. The raw value is the rule's name in events.
package enum RequestMisuse: String, Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Begun while it waits for a callback, or between its callback and its end.
    case begunTwice = "begun-twice"
    /// Ended, and never begun, or not since the conditional call answered `false`.
    case endedBeforeBegin = "ended-before-begin"
    /// Ended while it waits for a callback.
    case endedBeforeCallback = "ended-before-callback"
    /// Ended once more.
    case endedTwice = "ended-twice"
    /// Begun after its end.
    case begunAfterEnd = "begun-after-end"

    /// What was wrong, and what to do in its place.
    package var description: String {
        switch self {
        case .begunTwice: "The request was begun again before its end: make another one for another use."
        case .endedBeforeBegin: "The request was ended before it was begun: end what was called back, and only that."
        case .endedBeforeCallback: "The request was ended before its callback: cancel its progress instead."
        case .endedTwice: "The request was ended twice: one end is owed for each callback of begin."
        case .begunAfterEnd: "The request was begun after its end: a request is good for one use, make another one."
        }
    }
}
