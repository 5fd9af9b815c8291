/// What an app has done with a request object, as a value.
///
/// For a wrong order of calls Apple's class raises an exception; this type says what is wrong.
enum RequestLifecycle: Hashable, Sendable, CaseIterable {
    /// New, or answered `false` by the conditional call.
    case idle
    /// The conditional call has not answered yet.
    case checking
    /// The begin call has not called back yet.
    case beginning
    /// All resources are there and pinned.
    case accessing
    /// The callback carried an error; the request must still be ended.
    case failed
    /// Ended: the request cannot be used again.
    case ended

    /// A call by the app.
    enum Call: Hashable, Sendable, CaseIterable { case begin, conditionallyBegin, end }

    /// Records a call.
    ///
    /// Throws what is wrong with it, and then changes nothing.
    mutating func take(_ call: Call) throws(RequestMisuse) {
        switch (call, self) {
        case (.begin, .idle): self = .beginning
        case (.conditionallyBegin, .idle): self = .checking
        case (.end, .accessing), (.end, .failed): self = .ended
        case (.end, .idle): throw .endedBeforeBegin
        case (.end, .checking), (.end, .beginning): throw .endedBeforeCallback
        case (.end, .ended): throw .endedTwice
        case (_, .ended): throw .begunAfterEnd
        case (_, .checking), (_, .beginning), (_, .accessing), (_, .failed): throw .begunTwice
        }
    }

    /// Records that `begin` called back.
    mutating func calledBack(isAvailable: Bool) { self = isAvailable ? .accessing : .failed }

    /// Records the answer of the conditional call.
    mutating func answered(isAvailable: Bool) { self = isAvailable ? .accessing : .idle }
}

/// A call that is out of order.
///
/// It is the programmer's error, not the request's: Apple's class raises an exception for it, which no app catches. The
/// raw value is the rule's name in events.
package enum RequestMisuse: String, Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Begun again while a callback is still to come, or between its callback and its end.
    case begunTwice = "begun-twice"
    /// Ended, but never begun, or not since the conditional call answered `false`.
    case endedBeforeBegin = "ended-before-begin"
    /// Ended before its callback.
    case endedBeforeCallback = "ended-before-callback"
    /// Ended a second time.
    case endedTwice = "ended-twice"
    /// Begun after its end.
    case begunAfterEnd = "begun-after-end"

    /// What was wrong, and what to do instead.
    package var description: String {
        switch self {
        case .begunTwice: "The request was begun again before its end: create another request for another use."
        case .endedBeforeBegin: "The request was ended before it was begun: end a request only after its callback."
        case .endedBeforeCallback: "The request was ended before its callback: cancel its progress instead."
        case .endedTwice: "The request was ended twice: end it once for each callback of begin."
        case .begunAfterEnd: "The request was begun after its end: a request works once, so create another one."
        }
    }
}

/// What a request is for, which determines the limits that it is checked against.
package enum RequestPurpose: Hashable, Sendable {
    /// A request of the app: its packs are in use.
    case use
    /// The install of an app, or of an update: its packs come with the app.
    case install
    /// A request of the system, which downloads packs before an app asks for them.
    case prefetch
}
