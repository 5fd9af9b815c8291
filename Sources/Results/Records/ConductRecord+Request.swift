extension ConductRecord {
    /// What a client reported about a request of the workload.
    package struct Request: Hashable, Sendable, Codable {
        package var id: String
        package var beganSeconds: Double
        /// When the first callback came; nil if there was none.
        package var calledBackSeconds: Double?
        /// CLOCK_MONOTONIC nanoseconds of the second callback; nil if there was none.
        package var repeatedNanoseconds: Int64?
        package var isAvailable: Bool
        /// Whether the workload ends it, and whether the client reported that it ended.
        package var isToEnd: Bool
        package var isEnded: Bool
        /// Whether the workload cancels it.
        package var isToCancel: Bool
        /// The share of the download, 0 to 1, at which the workload cancels it; nil if it does not.
        package var cancelAt: Double?
        /// Whether it is urgent, so that nothing may come before it.
        package var isUrgent: Bool
        /// The packs that it asks for, by their identifiers at the host.
        package var packs: [String]
        /// Whether its packs fit into the in-use limit together with those of the requests that were not over when it
        /// began.
        ///
        /// Nil if requests that were over make no difference, or if it is unknown.
        package var isWithinLimit: Bool?
        package var progress: Progress?

        private enum CodingKeys: String, SnakeCaseKey {
            case id, packs, progress, isUrgent, isWithinLimit, cancelAt, beganSeconds, calledBackSeconds, isAvailable,
                isToEnd, isEnded, isToCancel
            case repeatedNanoseconds = "repeated_t"
        }
    }

    /// A request's progress, compared with the bytes that had reached the client.
    package struct Progress: Hashable, Sendable, Codable {
        /// How often it was reported.
        package var reports: Int
        /// The highest share that was reported; nil if none was a number.
        package var most: Double?
        /// The first report that was less than the one before it; nil if there is none.
        package var fall: Report?
        /// The reports that were furthest ahead of and furthest behind what had arrived; nil if that is unknown.
        package var ahead: Report?
        package var behind: Report?
        /// The longest time in which bytes came but the reported share stayed the same; nil as ``ahead``.
        package var standstill: Standstill?
    }

    /// One report of progress.
    package struct Report: Hashable, Sendable, Codable {
        /// CLOCK_MONOTONIC nanoseconds: its line in `events.jsonl`.
        package var nanoseconds: Int64 = 0
        package var seconds: Double
        package var fraction: Double
        /// The share that had arrived, 0 to 1; nil if unknown.
        package var share: Double?
        /// The report before it, and the share that had arrived then; 0 for the first report.
        package var fractionBefore = 0.0
        package var shareBefore: Double?

        private enum CodingKeys: String, SnakeCaseKey {
            case seconds, fraction, share
            case nanoseconds = "t"
            case fractionBefore, shareBefore
        }
    }

    /// A time in which progress stood still.
    package struct Standstill: Hashable, Sendable, Codable {
        package var fromSeconds: Double
        package var untilSeconds: Double
        package var fraction: Double
        /// The bytes that came meanwhile, as a share of all that come.
        package var share: Double

        package init(from: Double, until: Double, fraction: Double, share: Double) {
            fromSeconds = from
            untilSeconds = until
            self.fraction = fraction
            self.share = share
        }

        private enum CodingKeys: String, SnakeCaseKey { case fraction, share, fromSeconds, untilSeconds }
    }
}

extension ConductRecord.Request {
    /// A request with the properties that are given; by default the workload lets it run, and does not end it.
    package init(
        _ id: String, began: Double, calledBack: Double?, isAvailable: Bool, isToEnd: Bool = false,
        isEnded: Bool = false, isToCancel: Bool = false, cancelAt: Double? = nil, isUrgent: Bool = false,
        packs: [String] = [], progress: ConductRecord.Progress? = nil
    ) {
        self.init(
            id: id, beganSeconds: began, calledBackSeconds: calledBack, isAvailable: isAvailable, isToEnd: isToEnd,
            isEnded: isEnded, isToCancel: isToCancel, cancelAt: cancelAt, isUrgent: isUrgent, packs: packs,
            progress: progress)
    }
}

extension ConductRecord.Progress {
    /// A progress that is not compared with the bytes yet.
    package init(reports: Int, most: Double?) { self.init(reports: reports, most: most, fall: nil) }
}

extension ConductRecord.Report {
    /// A report that is not compared with the bytes yet.
    package init(nanoseconds: Int64, seconds: Double, fraction: Double, fractionBefore: Double) {
        self.init(
            nanoseconds: nanoseconds, seconds: seconds, fraction: fraction, share: nil, fractionBefore: fractionBefore)
    }
}
