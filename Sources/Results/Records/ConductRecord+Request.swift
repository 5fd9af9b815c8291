extension ConductRecord {
    /// What a client told of a request of the workload.
    package struct Request: Hashable, Sendable, Codable {
        package var id: String
        package var beganSeconds: Double
        /// The first callback; nil where there was none.
        package var calledBackSeconds: Double?
        /// CLOCK_MONOTONIC nanoseconds of the second callback; nil where there was none.
        package var repeatedNanoseconds: Int64?
        package var isAvailable: Bool
        /// Whether the workload ends it, and whether the client told that it is ended.
        package var isToEnd: Bool
        package var isEnded: Bool
        /// Whether the workload cancels it.
        package var isToCancel: Bool
        /// The share at which the workload cancels it; nil where it does not.
        package var cancelAt: Double?
        /// Whether nothing is to come before it.
        package var isUrgent: Bool
        /// The packs that it asks for, as the host calls them.
        package var packs: [String]
        /// Whether its packs are within the in-use limit, together with those of the requests that were not over when it
        /// began; nil where those that were over make no difference, or it is unknown.
        package var isWithinLimit: Bool?
        package var progress: Progress?

        package init(
            _ id: String, began: Double, calledBack: Double?, isAvailable: Bool, isToEnd: Bool = false,
            isEnded: Bool = false, isToCancel: Bool = false, cancelAt: Double? = nil, isUrgent: Bool = false,
            packs: [String] = [],
            progress: Progress? = nil
        ) {
            self.id = id
            beganSeconds = began
            calledBackSeconds = calledBack
            self.isAvailable = isAvailable
            self.isToEnd = isToEnd
            self.isEnded = isEnded
            self.isToCancel = isToCancel
            self.cancelAt = cancelAt
            self.isUrgent = isUrgent
            self.packs = packs
            self.progress = progress
        }

        private enum CodingKeys: String, CodingKey {
            case id, packs, progress
            case isUrgent = "urgent"
            case isWithinLimit = "within_limit"
            case cancelAt = "cancel_at"
            case beganSeconds = "began_seconds"
            case calledBackSeconds = "called_back_seconds"
            case repeatedNanoseconds = "repeated_t"
            case isAvailable = "available"
            case isToEnd = "to_end"
            case isEnded = "ended"
            case isToCancel = "to_cancel"
        }
    }

    /// What a request's progress was, against what had reached the client.
    package struct Progress: Hashable, Sendable, Codable {
        /// How often it was told.
        package var reports: Int
        /// The highest share that was told; nil where none was a number.
        package var most: Double?
        /// The first report that was less than the one before it.
        package var fall: Report?
        /// The report that was furthest ahead of what had arrived, and the one that was furthest behind; nil where what
        /// had arrived is unknown.
        package var ahead: Report?
        package var behind: Report?
        /// The longest stretch in which bytes came and the share that was told stayed the same; nil as those.
        package var standstill: Standstill?

        package init(
            reports: Int, most: Double? = nil, fall: Report? = nil, ahead: Report? = nil, behind: Report? = nil,
            standstill: Standstill? = nil
        ) {
            self.reports = reports
            self.most = most
            self.fall = fall
            self.ahead = ahead
            self.behind = behind
            self.standstill = standstill
        }
    }

    /// One report of progress.
    package struct Report: Hashable, Sendable, Codable {
        /// CLOCK_MONOTONIC nanoseconds: its line in `events.jsonl`.
        package var nanoseconds: Int64
        package var seconds: Double
        package var fraction: Double
        /// The share that had arrived; nil where unknown.
        package var share: Double?
        /// What the report before it was, and what had arrived then; 0 for the first one.
        package var fractionBefore: Double
        package var shareBefore: Double?

        package init(
            nanoseconds: Int64 = 0, seconds: Double, fraction: Double, share: Double? = nil, fractionBefore: Double = 0,
            shareBefore: Double? = nil
        ) {
            self.nanoseconds = nanoseconds
            self.seconds = seconds
            self.fraction = fraction
            self.share = share
            self.fractionBefore = fractionBefore
            self.shareBefore = shareBefore
        }

        private enum CodingKeys: String, CodingKey {
            case seconds, fraction, share
            case nanoseconds = "t"
            case fractionBefore = "fraction_before"
            case shareBefore = "share_before"
        }
    }

    /// A stretch in which progress stood still.
    package struct Standstill: Hashable, Sendable, Codable {
        package var fromSeconds: Double
        package var untilSeconds: Double
        package var fraction: Double
        /// Bytes that came meanwhile, of all that come.
        package var share: Double

        package init(from: Double, until: Double, fraction: Double, share: Double) {
            fromSeconds = from
            untilSeconds = until
            self.fraction = fraction
            self.share = share
        }

        private enum CodingKeys: String, CodingKey {
            case fraction, share
            case fromSeconds = "from_seconds"
            case untilSeconds = "until_seconds"
        }
    }
}
