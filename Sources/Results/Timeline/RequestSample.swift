/// One HTTP request for a pack, as the host saw it.
package struct RequestSample: Hashable, Sendable {
    /// CLOCK_MONOTONIC nanoseconds of the request's head.
    package var at: Int64
    package var pack: String
    /// The first byte of the answer's body within the pack.
    package var from: Int64
    /// Body bytes of the answer that reached the client.
    package var length: Int64
    /// The answer's status; nil if none was sent.
    package var status: Int?
    /// Whether the whole body of the answer was sent.
    package var isComplete: Bool

    package init(at: Int64, pack: String, from: Int64 = 0, length: Int64, status: Int?, isComplete: Bool = true) {
        self.at = at
        self.pack = pack
        self.from = from
        self.length = length
        self.status = status
        self.isComplete = isComplete
    }

    /// Whether a client has reason to ask again.
    ///
    /// A redirect or "not modified" is no failure.
    package var hasFailed: Bool { !isComplete || status.map { $0 >= 400 } ?? true }
}
