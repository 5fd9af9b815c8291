extension ConductRecord {
    /// A time in which the client waited for the host, and nothing came, and what it took of a processor meanwhile.
    ///
    /// Half a second at each end is left out: what came last may take a while.
    package struct Silence: Hashable, Sendable, Codable {
        package var fromSeconds: Double
        package var untilSeconds: Double
        /// Processor time of all its threads, where they wanted a processor for half of the time or more; else 0.
        package var ranSeconds: Double
        /// How long they could run meanwhile, and waited for a processor; of several threads the sum.
        package var waitedSeconds: Double

        package init(from: Double, until: Double, ran: Double = 0, waited: Double = 0) {
            (fromSeconds, untilSeconds, ranSeconds, waitedSeconds) = (from, until, ran, waited)
        }

        private enum CodingKeys: String, CodingKey {
            case fromSeconds = "from_seconds"
            case untilSeconds = "until_seconds"
            case ranSeconds = "ran_seconds"
            case waitedSeconds = "waited_seconds"
        }
    }

    /// The least time without a byte that counts, in seconds, its ends among it.
    package static let leastSilence = 3.0
}

extension ConductRecord.Silence {
    package var seconds: Double { untilSeconds - fromSeconds }

    /// Whether the client took a processor for half of the time or more, or for a tenth where it wanted one all the time.
    ///
    /// A machine that is busy makes the first less, and never more. The second is not reached by one that sleeps between:
    /// where it has to wait for a processor for so long each time, it takes next to nothing of it.
    var isBusy: Bool {
        ranSeconds >= 0.5 * seconds || ranSeconds >= 0.1 * seconds && ranSeconds + waitedSeconds >= 0.95 * seconds
    }
}
