/// A client's bug that explains an attempt's failure, and the evidence for it.
package struct BugDiagnosis: Hashable, Sendable, Codable {
    package var bug: ClientBug
    package var attempt: Int
    /// What happened, with its numbers, as a sentence without a full stop.
    package var detail: String
    /// The identifier of the pack that it happened with; nil if it concerns no pack.
    package var pack: String?
    /// The byte of the pack or of the file at which it shows; nil if it concerns no byte.
    package var byte: Int64?
    /// The moment at which it shows, in seconds since the client's start.
    package var seconds: Double?
    /// The same moment as `t` of a line in `events.jsonl`, in CLOCK_MONOTONIC nanoseconds.
    package var nanoseconds: Int64?

    private enum CodingKeys: String, CodingKey {
        case bug, attempt, detail, pack, byte, seconds
        case nanoseconds = "t"
    }
}

extension BugDiagnosis {
    /// A bug with its evidence; the number of the attempt is 0 until it is known.
    package init(
        _ bug: ClientBug, attempt: Int = 0, _ detail: String, pack: String? = nil, byte: Int64? = nil,
        seconds: Double? = nil, nanoseconds: Int64? = nil
    ) {
        self.init(
            bug: bug, attempt: attempt, detail: detail, pack: pack, byte: byte, seconds: seconds,
            nanoseconds: nanoseconds)
    }

    /// The moment at which it shows: `3.21 s after the client's start`; nil if unknown.
    package var moment: String? { seconds.map { "\(Quantity($0, .seconds).rounded()) after the client's start" } }

    /// Its place in the timeline: `events.jsonl, attempt 1, "t":81234567890`; nil if unknown.
    package var event: String? { nanoseconds.map { "events.jsonl, attempt \(attempt), \"t\":\($0)" } }
}
