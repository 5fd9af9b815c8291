extension ConductRecord {
    /// A time in which the client waited for the host and nothing came, with its use of the processor.
    ///
    /// It leaves out half a second at each end, because the last bytes may take a while to process.
    package struct Silence: Hashable, Sendable, Codable {
        package var fromSeconds: Double
        package var untilSeconds: Double
        /// The processor time of all its threads if they wanted a processor for at least half of the time; otherwise 0.
        package var ranSeconds: Double
        /// How long its threads were ready to run but waited for a processor, as the sum of all threads.
        package var waitedSeconds: Double

        package init(from: Double, until: Double, ran: Double = 0, waited: Double = 0) {
            (fromSeconds, untilSeconds, ranSeconds, waitedSeconds) = (from, until, ran, waited)
        }

        private enum CodingKeys: String, SnakeCaseKey { case fromSeconds, untilSeconds, ranSeconds, waitedSeconds }
    }

    /// The least time without a byte that counts, in seconds, including its two ends.
    package static let leastSilence = 3.0
}

extension ConductRecord.Silence {
    package var seconds: Double { untilSeconds - fromSeconds }

    /// Whether the client used a processor for half of the time, or for a tenth if it wanted one nearly all the time.
    ///
    /// A busy machine makes the first share smaller, and never larger. A client that sleeps in between does not meet
    /// the second condition: if it waits that long for a processor each time, it uses almost none of it.
    var isBusy: Bool {
        ranSeconds >= 0.5 * seconds || ranSeconds >= 0.1 * seconds && ranSeconds + waitedSeconds >= 0.95 * seconds
    }
}
