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
