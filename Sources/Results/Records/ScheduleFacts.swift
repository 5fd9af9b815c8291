/// A summary of the fault schedule of an attempt: everything that went wrong, on purpose or by chance.
package struct ScheduleFacts: Hashable, Sendable, Codable {
    /// The schedule's file, relative to the results.
    package var file: String
    package var lines: Int
    /// A hash of its lines in any order: two attempts with the same hash met the same faults.
    package var hash: String
    /// The same hash, but only of the lines that are the same in every play of a schedule, whatever the timing.
    ///
    /// These are the data that was lost when it was sent for the first time.
    package var firstTransmissionHash: String
    /// The number of decisions that were not kept because there were too many.
    package var omitted: Int
    /// The hash of the schedule that was played; nil if chance decided.
    package var playedHash: String?
    /// How many faults of the played schedule did not happen; nil if none was played.
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

    private enum CodingKeys: String, SnakeCaseKey {
        case file, lines, hash, omitted, unmet, firstTransmissionHash, playedHash
    }
}
