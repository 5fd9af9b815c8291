/// One thing that happened during an attempt: a line of `events.jsonl`.
package struct TimelineEvent: Hashable, Sendable {
    /// Who saw it.
    package enum Source: String, CaseIterable, Codable, Sendable { case link, host, client, device, harness }

    /// The schema that this version writes.
    package static let currentSchema = 1

    /// CLOCK_MONOTONIC of the moment it happened.
    package var nanoseconds: Int64
    /// The cell's name; nil for the run as a whole.
    package var cell: String?
    /// The attempt's number; nil for the cell as a whole.
    package var attempt: Int?
    package var source: Source
    package var name: String
    /// The particulars, in no order.
    package var fields: [String: FieldValue]

    package init(
        nanoseconds: Int64,
        cell: String? = nil,
        attempt: Int? = nil,
        source: Source,
        name: String,
        fields: [String: FieldValue] = [:]
    ) {
        self.nanoseconds = nanoseconds
        self.cell = cell
        self.attempt = attempt
        self.source = source
        self.name = name
        self.fields = fields
    }
}

extension TimelineEvent: Codable {
    private enum CodingKeys: String, CodingKey {
        case schema = "v"
        case nanoseconds = "t"
        case name = "event"
        case cell, attempt, source, fields
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let schema = try container.decode(Int.self, forKey: .schema)
        guard schema == Self.currentSchema else {
            throw DecodingError.dataCorruptedError(
                forKey: .schema, in: container, debugDescription: "schema version \(schema) is not known")
        }
        nanoseconds = try container.decode(Int64.self, forKey: .nanoseconds)
        cell = try container.decodeIfPresent(String.self, forKey: .cell)
        attempt = try container.decodeIfPresent(Int.self, forKey: .attempt)
        source = try container.decode(Source.self, forKey: .source)
        name = try container.decode(String.self, forKey: .name)
        fields = try container.decodeIfPresent([String: FieldValue].self, forKey: .fields) ?? [:]
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.currentSchema, forKey: .schema)
        try container.encode(nanoseconds, forKey: .nanoseconds)
        try container.encodeIfPresent(cell, forKey: .cell)
        try container.encodeIfPresent(attempt, forKey: .attempt)
        try container.encode(source, forKey: .source)
        try container.encode(name, forKey: .name)
        if !fields.isEmpty { try container.encode(fields, forKey: .fields) }
    }
}
