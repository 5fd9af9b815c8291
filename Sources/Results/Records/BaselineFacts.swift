/// What a cell was compared with.
package struct BaselineFacts: Hashable, Sendable, Codable {
    package enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
        /// It ran in turns with what was tested, in the same cell.
        case interleaved
        /// It was measured by an earlier run.
        case stored
    }

    package var kind: Kind
    /// The program, the command or the address that ran in turns, or the file.
    package var name: String
    /// RFC 3339, in UTC, when what is stored was measured; nil where it ran in turns.
    package var madeAt: String?
    /// What that was measured on and with; nil where it ran in turns, or was not found.
    package var fingerprint: Fingerprint?
    /// How many attempts of it count.
    package var attempts: Int

    package init(
        kind: Kind, name: String, madeAt: String? = nil, fingerprint: Fingerprint? = nil, attempts: Int
    ) {
        self.kind = kind
        self.name = name
        self.madeAt = madeAt
        self.fingerprint = fingerprint
        self.attempts = attempts
    }

    private enum CodingKeys: String, CodingKey {
        case kind, name, fingerprint, attempts
        case madeAt = "made_at"
    }
}
