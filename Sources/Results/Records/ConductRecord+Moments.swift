extension ConductRecord {
    /// A request to the host for a cancelled request's pack, after its callback.
    package struct Afterwards: Hashable, Sendable, Codable {
        package var request: String
        package var pack: String
        /// CLOCK_MONOTONIC nanoseconds: its line in `events.jsonl`.
        package var nanoseconds: Int64
        /// How long after the callback it came.
        package var seconds: Double

        package init(_ request: String, pack: String, nanoseconds: Int64 = 0, seconds: Double) {
            self.request = request
            self.pack = pack
            self.nanoseconds = nanoseconds
            self.seconds = seconds
        }

        private enum CodingKeys: String, CodingKey {
            case request, pack
            case nanoseconds = "t"
            case seconds = "after_seconds"
        }
    }

    /// A time in which the link let nothing pass, or the moment at which its connections were cut.
    package struct Outage: Hashable, Sendable, Codable {
        /// `no-route`, `silent`, `refused`, `no-name` or `cut`.
        package var kind: String
        package var fromSeconds: Double
        /// When it ended; nil if it lasted until the client had ended.
        package var untilSeconds: Double?
        /// How many of the client's connections and lookups reached the link in it; nil if they cannot be seen.
        package var tries: Int?
        /// When the last of them came; nil if there was none.
        package var lastTrySeconds: Double?

        package init(_ kind: String, from: Double, until: Double?) {
            self.kind = kind
            fromSeconds = from
            untilSeconds = until
        }

        private enum CodingKeys: String, SnakeCaseKey { case kind, tries, fromSeconds, untilSeconds, lastTrySeconds }
    }

    /// A moment at which a fault killed the client.
    package struct Kill: Hashable, Sendable, Codable {
        /// When none of its processes ran any more.
        package var seconds: Double
        /// The bytes of the largest file in the client's own folders then; nil if it could not be read.
        package var savedBytes: Int64?

        package init(seconds: Double, savedBytes: Int64?) {
            self.seconds = seconds
            self.savedBytes = savedBytes
        }

        private enum CodingKeys: String, SnakeCaseKey { case seconds, savedBytes }
    }

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

    /// When the kill came that ended a try; nil if none did.
    func killSeconds(of fetch: Fetch) -> Double? {
        // The kernel ends the connection before the last process of the client is gone.
        kills?.lazy.map(\.seconds).first {
            fetch.beganSeconds <= $0 && fetch.endedSeconds > $0 - 0.25 && !fetch.isWhole
        }
    }
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
