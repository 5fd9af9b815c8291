import NIOCore

/// What a step of a probe is to bring: a value, or an error that says what was attempted.
///
/// It is settled once; what comes later is ignored.
struct Goal<Value: Sendable>: Sendable {
    let attempt: String
    let peer: String
    let promise: EventLoopPromise<Value>

    /// Settles it with `value`.
    func reach(_ value: Value) { promise.succeed(value) }

    /// Settles it with an error.
    func miss(_ outcome: ProbeError.Outcome) {
        promise.fail(ProbeError(attempt: attempt, peer: peer, outcome: outcome))
    }
}
