import Results

extension Conduct {
    /// A request's progress, compared with the bytes that had arrived; nil if the client has no way to report progress.
    func progress(of request: RequestObservation) -> ConductRecord.Progress? {
        guard let told = request.progress else { return nil }
        let samples = told.filter { $0.fraction.isFinite }
        let shares = ArrivedShares(request)
        var result = ConductRecord.Progress(reports: told.count, most: samples.map(\.fraction).max())
        var (mostAhead, mostBehind) = (0.0, 0.0)
        var before: ProgressSample?
        for sample in samples {
            var report = ConductRecord.Report(
                nanoseconds: sample.at, seconds: trace.seconds(sample.at), fraction: sample.fraction,
                fractionBefore: before?.fraction ?? 0)
            if let before, sample.fraction < before.fraction, result.fall == nil { result.fall = report }
            if let shares {
                let (early, late) = (shares.share(at: sample.at - Self.slack), shares.share(at: sample.at + Self.slack))
                report.shareBefore = before.map { shares.share(at: $0.at + Self.slack) } ?? 0
                report.share = late
                if sample.fraction - late > mostAhead {
                    (mostAhead, result.ahead) = (sample.fraction - late, report)
                }
                if early - sample.fraction > mostBehind {
                    report.share = early
                    (mostBehind, result.behind) = (early - sample.fraction, report)
                }
            }
            before = sample
        }
        result.standstill = shares.flatMap { standstill(of: request, samples, $0) }
        return result
    }

    private static let slack = Observations.progressSlackNanoseconds

    /// The stretch in which the largest share arrived while the reported progress stayed the same.
    private func standstill(
        of request: RequestObservation, _ samples: [ProgressSample], _ shares: ArrivedShares
    ) -> ConductRecord.Standstill? {
        var longest: ConductRecord.Standstill?
        var (from, fraction) = (request.beganAt, 0.0)
        for (at, next) in samples.map({ ($0.at, Optional($0.fraction)) }) + [(request.endedAt, nil)] {
            guard next != fraction else { continue }
            let share = shares.share(at: at) - shares.share(at: from)
            if share > longest?.share ?? 0 {
                longest = .init(from: trace.seconds(from), until: trace.seconds(at), fraction: fraction, share: share)
            }
            (from, fraction) = (at, next ?? fraction)
        }
        return longest
    }
}
