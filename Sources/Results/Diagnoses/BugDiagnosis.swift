/// A bug of the client's by which an attempt's failure is explained, and what shows it.
package struct BugDiagnosis: Hashable, Sendable, Codable {
    package var bug: ClientBug
    package var attempt: Int
    /// What happened, with its numbers, as a sentence without a full stop.
    package var detail: String
    /// The pack that it happened with, by its identifier; nil where it is none's.
    package var pack: String?
    /// The byte of the pack, or of the file, at which it shows; nil where it is none's.
    package var byte: Int64?
    /// The moment at which it shows, in seconds since the client's start.
    package var seconds: Double?
    /// The same moment as a line of `events.jsonl` has it.
    package var nanoseconds: Int64?

    package init(
        _ bug: ClientBug, attempt: Int = 0, _ detail: String, pack: String? = nil, byte: Int64? = nil,
        seconds: Double? = nil, nanoseconds: Int64? = nil
    ) {
        self.bug = bug
        self.attempt = attempt
        self.detail = detail
        self.pack = pack
        self.byte = byte
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    private enum CodingKeys: String, CodingKey {
        case bug, attempt, detail, pack, byte, seconds
        case nanoseconds = "t"
    }
}

extension BugDiagnosis {
    /// When it is seen: `3.21 s after the client's start`; nil where unknown.
    package var moment: String? { seconds.map { "\(Quantity($0, .seconds).rounded()) after the client's start" } }

    /// Where it stands in the timeline: `events.jsonl, attempt 1, "t":81234567890`; nil where unknown.
    package var event: String? { nanoseconds.map { "events.jsonl, attempt \(attempt), \"t\":\($0)" } }
}
