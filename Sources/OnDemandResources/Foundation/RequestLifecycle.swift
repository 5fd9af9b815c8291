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
    /// Returns what is wrong with it, and then changes nothing; nil if it is in order.
    mutating func take(_ call: Call) -> String? {
        switch (call, self) {
        case (.begin, .idle): self = .beginning
        case (.conditionallyBegin, .idle): self = .checking
        case (.end, .accessing), (.end, .failed): self = .ended
        case (.end, .idle): return "The request was ended before it was begun."
        case (.end, .checking), (.end, .beginning):
            return "The request was ended before its callback: cancel its progress instead."
        case (_, .ended): return "The request was used after its end: make another one."
        case (_, .checking), (_, .beginning): return "The request was begun again before its callback."
        case (_, .accessing), (_, .failed): return "The request was begun again before its end."
        }
        return nil
    }

    /// The callback of `begin` was made.
    mutating func calledBack(isAvailable: Bool) { self = isAvailable ? .accessing : .failed }

    /// The conditional call answered.
    mutating func answered(isAvailable: Bool) { self = isAvailable ? .accessing : .idle }
}
