extension ConductRecord {
    /// One start of a command that is started more than once.
    package struct Start: Hashable, Sendable, Codable {
        package var beganSeconds: Double
        package var endedSeconds: Double
        /// Its exit status; nil if it did not end by itself with one.
        package var exitStatus: Int?
        /// The last line that it wrote to standard error; nil if it wrote none, or if that is unknown.
        package var lastWords: String?

        package init(began: Double, ended: Double, exitStatus: Int?, lastWords: String? = nil) {
            (beganSeconds, endedSeconds, self.exitStatus, self.lastWords) = (began, ended, exitStatus, lastWords)
        }

        private enum CodingKeys: String, SnakeCaseKey { case beganSeconds, endedSeconds, exitStatus, lastWords }
    }

    /// Two starts that ran at the same time; nil if there are none.
    var sideBySide: (first: Start, second: Start)? {
        guard let starts, starts.count > 1, starts[1].beganSeconds < starts[0].endedSeconds else { return nil }
        return (starts[0], starts[1])
    }

    /// A start that followed one that had ended; nil if there is none.
    var startAgain: Start? {
        guard let starts, let last = starts.last, starts.count > 1, sideBySide == nil else { return nil }
        return last
    }
}
