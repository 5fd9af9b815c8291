/// The baseline that a cell was compared with.
package struct BaselineFacts: Hashable, Sendable, Codable {
    package enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
        /// Its attempts alternated with those of the tested side, in the same cell.
        case interleaved
        /// An earlier run measured it.
        case stored
    }

    package var kind: Kind
    /// The program, the command or the address of an interleaved baseline, or the file of a stored one.
    package var name: String
    /// When a stored baseline was measured, RFC 3339, in UTC; nil for an interleaved one.
    package var madeAt: String?
    /// The conditions in which a stored baseline was measured; nil for an interleaved one, or if it was not found.
    package var fingerprint: Fingerprint?
    /// How many of its attempts count.
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

    private enum CodingKeys: String, SnakeCaseKey { case kind, name, fingerprint, attempts, madeAt }
}
