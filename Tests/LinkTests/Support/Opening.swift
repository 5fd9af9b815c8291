import SystemPackage

/// What a client's attempt to connect came to, and how long it took.
struct Opening: Sendable {
    enum Refusal: Sendable, Equatable {
        case error(Errno)
        /// What a proxy says.
        case answer(String)
    }

    var socket: PlainSocket?
    var refusal: Refusal?
    var took: Duration
}
