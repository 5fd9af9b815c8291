/// What an app has done with a request object, as a value: Apple's raises an exception for a wrong order, this says
/// what is wrong with it.
enum RequestLifecycle: Hashable, Sendable, CaseIterable {
    /// Made, or answered `false` by the conditional call.
    case idle
    /// The conditional call has not answered yet.
    case checking
    /// The begin call has not called back yet.
    case beginning
    /// All resources are there and pinned.
    case accessing
    /// The callback carried an error; an end is still owed.
    case failed
    /// Used up.
    case ended

    /// A call of the app's.
    enum Call: Hashable, Sendable, CaseIterable { case begin, conditionallyBegin, end }

    /// Takes a call.
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

    /// The callback of `begin` was made.
    mutating func calledBack(isAvailable: Bool) { self = isAvailable ? .accessing : .failed }

    /// The conditional call answered.
    mutating func answered(isAvailable: Bool) { self = isAvailable ? .accessing : .idle }
}

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
        case .begunTwice: "The request was begun again before its end: create another request for another use."
        case .endedBeforeBegin: "The request was ended before it was begun: end a request only after its callback."
        case .endedBeforeCallback: "The request was ended before its callback: cancel its progress instead."
        case .endedTwice: "The request was ended twice: end it once for each callback of begin."
        case .begunAfterEnd: "The request was begun after its end: a request works once, so create another one."
        }
    }
}

/// What a request is for, which says by which limits it is judged.
package enum RequestPurpose: Hashable, Sendable {
    /// The app's own: its packs are in use.
    case use
    /// The install of an app, or of an update: its packs come with the app.
    case install
    /// The system's, which brings packs before anybody asks for them.
    case prefetch
}
