package import Results

/// A result in the text format of OpenMetrics 1.0, for GitLab's metrics reports and for Prometheus.
///
/// It has a family for each measured metric, a series for each cell and statistic, and the verdicts of the cells.
/// GitLab compares numbers as texts: numbers with noise have two digits, others have all. Numbers that say nothing
/// about the client are left out.
package enum OpenMetricsReport {
    /// The whole result, with its end line.
    package static func render(_ run: RunResult) -> String { render(redacted: run.redacted) }

    /// The same for a result that is already redacted.
    static func render(redacted run: RunResult) -> String {
        var writer = OpenMetricsWriter()
        writer.family("headwind_run_exit_code", .gauge, help: "exit code of the run")
        writer.sample([], "\(run.exitCode)")
        writer.family("headwind_cells", .gauge, help: "cells of the run by their verdict")
        for verdict in Verdict.allCases {
            let count = run.cells.count { $0.verdict == verdict } + (run.left?.count { $0.verdict == verdict } ?? 0)
            writer.sample([("verdict", verdict.rawValue)], "\(count)")
        }
        if let left = run.left {
            writer.family("headwind_cells_left_out", .gauge, help: "cells of the run that have no series here")
            writer.sample([], "\(left.count)")
        }
        var names = OpenMetricsLabels()
        let cells = run.cells.map { (cell: $0, labels: names.labels(of: $0)) }
        guard !cells.isEmpty else { return writer.end() }
        writer.family("headwind_cell_exit_code", .gauge, help: "exit code of the cell alone")
        for (cell, labels) in cells { writer.sample(labels, "\(cell.exitCode)") }
        writer.family("headwind_attempts", .counter, help: "attempts that count")
        for (cell, labels) in cells { writer.sample(labels, "\(cell.countedAttempts.count)") }
        writer.family("headwind_checks", .counter, help: "budgets and expectations by their verdict")
        for (cell, labels) in cells {
            for verdict in Verdict.allCases {
                let count = cell.checks.count { $0.verdict == verdict }
                if count > 0 { writer.sample(labels + [("verdict", verdict.rawValue)], "\(count)") }
            }
        }
        for metric in Metric.allCases { add(metric, of: cells, to: &writer) }
        return writer.end()
    }

    private static func add(
        _ metric: Metric, of cells: [(cell: CellResult, labels: [OpenMetricsWriter.Label])],
        to writer: inout OpenMetricsWriter
    ) {
        let rows = cells.map { (labels: $0.labels, statistics: statistics(of: metric, in: $0.cell)) }
        guard rows.contains(where: { !$0.statistics.isEmpty }) else { return }
        writer.family(name(of: metric), .gauge, unit: unit(of: metric), help: metric.definition.title)
        for (labels, statistics) in rows {
            for (statistic, value) in statistics { writer.sample(labels + [("stat", statistic)], value) }
        }
    }

    /// The numbers of a metric in a cell: the usual statistic, and those that budgets name.
    ///
    /// Empty for a cell with infrastructure trouble, and if an attempt's number is unknown.
    private static func statistics(of metric: Metric, in cell: CellResult) -> [(statistic: String, value: String)] {
        let samples = cell.countedAttempts.map { $0.samples[metric] }
        guard cell.verdict != .infrastructure, !samples.isEmpty, !samples.contains(.unknown) else { return [] }
        let isLow = metric.definition.better == .lower
        let worst = isLow ? Double.infinity : -.infinity
        let values = samples.map { $0.value ?? worst }
        let usual: (String, Double?) =
            metric.isNoiseFree
            ? (isLow ? ("max", values.max()) : ("min", values.min())) : ("median", Statistics.median(values))
        var found = [usual.0: usual.1 ?? worst]
        for check in cell.checks where check.verdict != .infrastructure {
            // A time from the first packet is another number than the time from the begin.
            guard let evidence = check.evidence, evidence.metric == metric, evidence.origin != .firstPacket else {
                continue
            }
            found[evidence.statistic] = evidence.measured ?? worst
        }
        return found.sorted { $0.key < $1.key }.map { ($0.key, text($0.value, of: metric)) }
    }

    /// The family's name, which ends in its unit as OpenMetrics requires: `headwind_on_wire_bytes`.
    static func name(of metric: Metric) -> String {
        var stem = metric.rawValue
        guard let unit = unit(of: metric) else { return "headwind_" + stem }
        if stem.hasPrefix("bytes_") { stem = String(stem.dropFirst("bytes_".count)) }
        return "headwind_" + (stem.hasSuffix("_" + unit) ? stem : "\(stem)_\(unit)")
    }

    private static func unit(of metric: Metric) -> String? {
        switch metric.unit {
        case .seconds, .bytes, .ratio: metric.unit.rawValue
        // OpenMetrics has no unit for bits.
        case .bitsPerSecond: "bytes_per_second"
        case .count, .truth: nil
        }
    }

    private static func text(_ value: Double, of metric: Metric) -> String {
        guard value.isFinite else { return value < 0 ? "-Inf" : "+Inf" }
        let number = metric.unit == .bitsPerSecond ? value / 8 : value
        let isExact = metric.isNoiseFree && metric.unit != .ratio
        return (isExact ? number : number.rounded(toDigits: 2)).openMetricsText
    }
}

extension Double {
    /// The number rounded to this many significant digits.
    func rounded(toDigits digits: Int) -> Double {
        guard isFinite, self != 0 else { return self }
        var (scale, unit) = (1.0, 1.0)
        let floor = (1..<digits).reduce(1.0) { product, _ in product * 10 }
        while magnitude * scale < floor, scale < 1e18 { scale *= 10 }
        while magnitude / unit >= floor * 10, unit < 1e18 { unit *= 10 }
        return scale > 1 ? (self * scale).rounded() / scale : (self / unit).rounded() * unit
    }

    /// The number in OpenMetrics' form, without a fraction if it is whole.
    fileprivate var openMetricsText: String {
        magnitude < 1e15 && self == rounded() ? "\(Int64(self))" : "\(self)"
    }
}
