import SystemPackage

/// The outcome of a client's attempt to connect, and how long it took.
struct Opening: Sendable {
    enum Refusal: Sendable, Equatable {
        case error(Errno)
        /// The answer of a proxy.
        case answer(String)
    }

    var socket: PlainSocket?
    var refusal: Refusal?
    var took: Duration
}
