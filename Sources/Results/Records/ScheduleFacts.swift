/// The list of everything that went wrong in an attempt, on purpose or by chance, in short.
package struct ScheduleFacts: Hashable, Sendable, Codable {
    /// The list's file, relative to the results.
    package var file: String
    package var lines: Int
    /// A hash of its lines in any order: two attempts with the same one met the same faults.
    package var hash: String
    /// The same, of the lines alone that are promised to be the same in every play of a list, whatever the timing: the
    /// data that was lost when it was sent for the first time.
    package var firstTransmissionHash: String
    /// Decisions that were too many to be kept.
    package var omitted: Int
    /// The hash of the list that was played; nil where chance decided.
    package var playedHash: String?
    /// Faults of the list that was played that were not met; nil where none was played.
    package var unmet: Int?

    package init(
        file: String, lines: Int, hash: String, firstTransmissionHash: String, omitted: Int = 0,
        playedHash: String? = nil, unmet: Int? = nil
    ) {
        self.file = file
        self.lines = lines
        self.hash = hash
        self.firstTransmissionHash = firstTransmissionHash
        self.omitted = omitted
        self.playedHash = playedHash
        self.unmet = unmet
    }

    private enum CodingKeys: String, CodingKey {
        case file, lines, hash, omitted, unmet
        case firstTransmissionHash = "first_transmission_hash"
        case playedHash = "played_hash"
    }
}
