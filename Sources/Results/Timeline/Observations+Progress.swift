extension Observations {
    /// The time from the first begin to the first progress above 0; never came if there was none.
    var timeToFirstProgress: Sample {
        guard let told = progressTold, !told.isEmpty else { return .unknown }
        let first = told.flatMap { $0.samples }.filter { $0.fraction > 0 }.map(\.at).min()
        return first.flatMap(seconds(to:)).map(Sample.value) ?? .neverCame
    }

    /// Whether no request's progress ever fell; a fraction that is no number is a fall, and so is a missing report.
    var isProgressMonotonic: Bool? {
        isProgressWithheld
            ? false
            : progressShown?.allSatisfy {
                zip($0.samples, $0.samples.dropFirst()).allSatisfy { $0.fraction <= $1.fraction }
            }
    }

    /// Whether progress ended at exactly 1 if a request became available, and stayed below 1 otherwise.
    ///
    /// Only reports up to the callback count.
    var doesProgressEndAtOne: Bool? {
        guard !isProgressWithheld else { return false }
        return progressShown?.allSatisfy { request, samples in
            let before = samples.filter { $0.at <= request.endedAt }
            guard request.result == .available else { return before.allSatisfy { $0.fraction < 1 } }
            return before.last?.fraction == 1
        }
    }

    /// The longest time between two progress events of a request, or from the last one to the callback.
    ///
    /// In seconds. Time in which the request was paused is left out, because no progress is expected then.
    var progressLongestGap: Double? {
        progressTold?.map { request, samples in
            let told = samples.map(\.at).filter { $0 <= request.endedAt }
            let moments = (told.isEmpty ? [request.beganAt] : told) + [request.endedAt]
            return zip(moments, moments.dropFirst()).map { request.awake(from: $0, to: $1) }.max() ?? 0
        }.max()
    }

    /// How far the bar jumps with the last event: its fraction minus the one before it, the largest of all requests.
    var progressLastUpdateShare: Sample {
        guard !isProgressWithheld else { return .neverCame }
        let shares = progressShown?.compactMap { _, samples in
            samples.last.map { last in last.fraction - (samples.dropLast().last?.fraction ?? 0) }
        }
        return shares?.max().map(Sample.value) ?? .unknown
    }

    /// How far a report may be from its delivery in time (50 ms), because client and link are separate processes.
    package static let progressSlackNanoseconds: Int64 = 50_000_000

    /// The largest difference between what the client reported and the share of bytes that it had.
    ///
    /// Bytes delivered shortly before or after a report may be in it or not, so the difference is to the nearest share
    /// within the slack. Nil if a request that reported progress has no deliveries of its own to compare with, or an
    /// unknown size.
    var progressDeviation: Double? {
        guard let told = progressShown else { return nil }
        let slack = Self.progressSlackNanoseconds
        var largest = 0.0
        for (request, samples) in told where !samples.isEmpty {
            guard let shares = ArrivedShares(request) else { return nil }
            for sample in samples {
                guard sample.fraction.isFinite else { return 1 }
                let (early, late) = (shares.share(at: sample.at - slack), shares.share(at: sample.at + slack))
                largest = max(largest, early - sample.fraction, sample.fraction - late)
            }
        }
        return largest
    }

    /// Every request that had something to fetch, with its progress.
    ///
    /// Nil if the client cannot report progress, or there was no request. A request for stored packs may be called back
    /// without any report of progress.
    private var progressTold: [(request: RequestObservation, samples: [ProgressSample])]? {
        let told = requests.compactMap { request in request.progress.map { (request, $0) } }
        guard !told.isEmpty, told.count == requests.count else { return nil }
        return told.filter { request, samples in !samples.isEmpty || !request.isHeld }
    }

    /// Whether a client that can report progress reported none for a successful download.
    ///
    /// False if it is unknown whether there was anything to download.
    var isProgressWithheld: Bool { silent.contains { $0.totalBytes != nil } }

    /// Requests that became available without any report of progress, and were not already stored, as far as is known.
    private var silent: [RequestObservation] {
        (progressTold ?? []).filter { $0.samples.isEmpty && $0.request.result == .available }.map(\.request)
    }

    /// The requests with their progress; nil if there is no report to judge, or a request lacks its reports.
    private var progressShown: [(request: RequestObservation, samples: [ProgressSample])]? {
        guard let told = progressTold, silent.isEmpty, told.contains(where: { !$0.samples.isEmpty }) else { return nil }
        return told
    }
}

extension RequestObservation {
    /// The seconds between two moments, without those in which the request was paused.
    fileprivate func awake(from start: Int64, to end: Int64) -> Double {
        let asleep = pauses.map { max(0, min($0.upperBound, end) - max($0.lowerBound, start)) }.reduce(0, +)
        return Observations.seconds(from: start, to: max(start, end - asleep))
    }

    /// Whether the client had all of the request's bytes before it began.
    fileprivate var isHeld: Bool { totalBytes.map { heldBytes >= $0 } ?? false }
}
