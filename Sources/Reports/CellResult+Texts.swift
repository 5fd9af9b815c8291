import Results

extension CellResult {
    /// The command that replays a failure from a copy of the results, on any machine; nil if there is no bundle.
    var replayElsewhere: String? { bundle.map { "headwind replay --trust \($0.shellQuoted)" } }

    /// The measured time nearest to its limit: `longest_stall 19.6 s of 22.9 s`; nil if no measured time has a limit.
    var nearestLimit: String? {
        let times = checks.compactMap { check -> (metric: Metric, measured: Double, limit: Double)? in
            guard check.kind == .budget, check.asked.contains("<"), let evidence = check.evidence,
                evidence.unit == .seconds, let measured = evidence.measured, let limit = evidence.limit, limit > 0
            else { return nil }
            return (evidence.metric, measured, limit)
        }
        guard let nearest = times.max(by: { $0.measured / $0.limit < $1.measured / $1.limit }) else { return nil }
        let (was, most) = Quantity.pair(
            Quantity(nearest.measured, .seconds), limit: Quantity(nearest.limit, .seconds))
        return "\(nearest.metric.rawValue) \(was) of \(most)"
    }
}
