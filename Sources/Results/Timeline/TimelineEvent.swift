package import Documents

/// One thing that happened during an attempt: a line of `events.jsonl`.
package struct TimelineEvent: Hashable, Sendable {
    /// What observed the event.
    package enum Source: String, CaseIterable, Sendable { case link, host, client, device, harness }

    /// The schema that this version writes and reads.
    package static let currentSchema = 2

    /// The moment at which it happened, in CLOCK_MONOTONIC nanoseconds.
    package var nanoseconds: Int64
    /// The cell's name; nil for the run as a whole.
    package var cell: String?
    /// The attempt's number; nil for the cell as a whole.
    package var attempt: Int?
    package var source: Source
    package var name: String
    /// The particulars, as the event's declaration names and orders them.
    package var fields: [JSONTree.Member]

    package init(
        nanoseconds: Int64,
        cell: String? = nil,
        attempt: Int? = nil,
        source: Source,
        name: String,
        fields: [JSONTree.Member] = []
    ) {
        self.nanoseconds = nanoseconds
        self.cell = cell
        self.attempt = attempt
        self.source = source
        self.name = name
        self.fields = fields
    }

    /// An event that a client, the host or the link reported, as it encodes itself: its moment is `t`, its name
    /// `event`.
    ///
    /// Left out are `v` and `n`, which number a client's own lines, and `connection` if it is 0, the whole link or
    /// host.
    package init(_ told: some Encodable, source: Source, cell: String, attempt: Int) {
        self.init(nanoseconds: 0, cell: cell, attempt: attempt, source: source, name: "")
        for member in JSONTree(encoding: told).members {
            switch (member.key, member.value) {
            case ("t", .integer(let moment)): nanoseconds = Int64(clamping: moment)
            case ("event", .text(let text)): name = text
            case ("v", _), ("n", _), ("connection", .integer(0)): break
            default: fields.append(member)
            }
        }
    }

    /// The value of a field; nil if there is none of that name.
    package subscript(field: some CodingKey) -> JSONTree? { fields.first { $0.key == field.stringValue }?.value }
}
