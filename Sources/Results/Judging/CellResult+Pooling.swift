/// Why attempts of one cell cannot be judged together, as the end of a sentence.
package struct PoolingObstacle: Error, Hashable {
    package let reason: String
}

extension CellResult {
    /// One cell of all attempts that several machines made, judged anew.
    ///
    /// `parts` are shares of one cell's attempts; `names` are the names of the results that they come from. Throws if
    /// the machines, links or plans differ, because then their times cannot be judged together.
    package static func pooled(_ parts: [CellResult], named names: [String]) throws(PoolingObstacle) -> CellResult {
        let parts = zip(parts, names).map { (cell: $0, name: $1) }.sorted {
            ($0.cell.share?.index ?? 0) < ($1.cell.share?.index ?? 0)
        }
        guard let (first, firstName) = parts.first.map({ ($0.cell, $0.name) }), let share = first.share,
            var plan = share.whole
        else { throw PoolingObstacle(reason: "its result does not say what all attempts have to do") }
        var taken: [Int: String] = [:]
        var extra: [Finding] = []
        for (cell, name) in parts {
            guard let own = cell.share, own.count == share.count, own.isOfOnePlan(as: share),
                (1...own.count).contains(own.index), cell.textDigest == first.textDigest
            else {
                throw PoolingObstacle(reason: "'\(firstName)' and '\(name)' have different plans")
            }
            try check(cell, name, first, firstName)
            for attempt in cell.attempts {
                guard (attempt.number - own.index).isMultiple(of: own.count), attempt.number >= own.index else {
                    throw PoolingObstacle(reason: "attempt \(attempt.number) in '\(name)' does not belong to its shard")
                }
                if let other = taken.updateValue(name, forKey: attempt.number) {
                    throw PoolingObstacle(reason: "attempt \(attempt.number) is in '\(other)' and in '\(name)'")
                }
            }
            if let plan = (own.whole ?? plan).share(own.index, of: own.count) {
                let known = Set(plan.judge(cell.attempts).findings)
                extra += cell.findings.filter { $0.attempt == nil && !known.contains($0) && !extra.contains($0) }
            }
        }
        plan.day = parts.compactMap { $0.cell.share?.whole?.day }.max() ?? plan.day
        plan.numbering = .pooled
        let attempts = parts.flatMap(\.cell.attempts).sorted { $0.number < $1.number }
        var pooled = CellResult(
            scenario: first.scenario, title: first.title, point: first.point, link: first.link, storage: first.storage,
            slice: first.slice, plan: plan, attempts: attempts, findings: extra,
            startedAt: parts.map(\.cell.startedAt).min() ?? first.startedAt,
            durationSeconds: parts.map(\.cell.durationSeconds).max() ?? 0)
        (pooled.farSide, pooled.place, pooled.source) = (first.farSide, first.place, first.source)
        (pooled.textDigest, pooled.client, pooled.fingerprint) = (first.textDigest, first.client, first.fingerprint)
        pooled.baseline = first.baseline
        if first.baseline?.kind == .interleaved { pooled.baseline?.attempts = attempts.count(where: \.isCompared) }
        pooled.retriedInfrastructure = parts.lazy.compactMap(\.cell.retriedInfrastructure).first
        pooled.notes = parts.flatMap(\.cell.notes).grouped { $0 }.map { $0[0] }
        pooled.notes.append(
            "\(parts.count) of \(share.count) shards made its attempts, which are judged together")
        if pooled.verdict == .fail { pooled.bundle = parts.lazy.compactMap(\.cell.bundle).first }
        return pooled
    }

    private static func check(
        _ cell: CellResult, _ name: String, _ first: CellResult, _ firstName: String
    ) throws(PoolingObstacle) {
        guard let own = cell.fingerprint, let other = first.fingerprint else {
            throw PoolingObstacle(reason: "the machines that made them are unknown")
        }
        let (here, there) = ("in '\(name)'", "in '\(firstName)'")
        let differences =
            own.differences(from: other, here: here, there: there)
            + calibrations(of: cell).flatMap { key, one -> [String] in
                guard let other = calibrations(of: first)[key], !one.agrees(with: other) else { return [] }
                return ["measured \(key): \(one.text) \(here), \(other.text) \(there)"]
            }.sorted()
        guard differences.isEmpty else { throw PoolingObstacle(reason: differences.joined(separator: "; ")) }
    }

    /// The link measurements of the attempts that count, by the direction and the name of the property.
    private static func calibrations(of cell: CellResult) -> [String: PooledMeasurement] {
        let measurements = cell.attempts.filter(\.counts).flatMap(\.link)
        return Dictionary(grouping: measurements, by: \.name).compactMapValues(PooledMeasurement.init)
    }
}

/// The median of the measurements of one link property on one machine.
private struct PooledMeasurement {
    let median: Double
    let tolerance: Double
    let unit: MetricUnit

    init?(_ measurements: [LinkMeasurement]) {
        guard let first = measurements.first, let set = first.set,
            let median = Statistics.median(measurements.compactMap(\.measured))
        else { return nil }
        self.median = median
        tolerance = max(set.magnitude * first.toleranceRatio, first.toleranceFloor)
        unit = first.property.unit
    }

    /// Whether two machines' links differ by no more than one of them may differ from its setting.
    func agrees(with other: Self) -> Bool { (median - other.median).magnitude <= max(tolerance, other.tolerance) }

    var text: String { Quantity(median, unit).rounded() }
}
