import Documents
import FoundationEssentials
package import Results
import SystemPackage

/// One metric of one cell over runs with equal fingerprints.
package struct HistorySeries: Hashable, Sendable, Codable {
    /// The measurement of one run.
    package struct Point: Hashable, Sendable, Codable {
        package var run: Int64
        /// When the run started: RFC 3339, in UTC.
        package var startedAt: String
        package var verdict: String
        /// The median of its attempts; nil if it is not finite.
        package var median: Double?
        /// The number of attempts that measured it.
        package var attempts: Int

        private enum CodingKeys: String, SnakeCaseKey { case run, verdict, median, attempts, startedAt }
    }

    /// A change of the numbers; see ``ChangePoint``.
    package struct Change: Hashable, Sendable, Codable {
        package var run: Int64
        package var startedAt: String
        package var before: Double
        package var after: Double
        /// The change as a share of `before`; nil if that is 0.
        package var changeRatio: Double?
        /// Whether the change is for the worse.
        package var isWorse: Bool

        private enum CodingKeys: String, SnakeCaseKey { case run, before, after, startedAt, changeRatio, isWorse }
    }

    package var cell: String
    package var metric: Metric
    package var unit: MetricUnit
    package var fingerprint: Fingerprint
    package var points: [Point]
    package var changes: [Change]
}

extension RunHistory {
    /// The series of cells whose name contains `cell`, and of one metric if given, by cell, metric and time.
    ///
    /// Runs with different fingerprints make separate series. Throws ``HistoryError``.
    package func series(cell: String? = nil, metric: Metric? = nil) throws(HistoryError) -> [HistorySeries] {
        let samples = try telling { try rows(cell, metric) }
        return try telling { try Self.grouped(samples).map { try Self.series($0, at: path) } }
    }

    /// One sample, with its cell and run.
    private struct Row {
        var cell: String
        var metric: Metric
        var fingerprint: String
        var run: Int64
        var startedAt: String
        var verdict: String
        var value: Double?
    }

    private func rows(_ cell: String?, _ metric: Metric?) throws -> [Row] {
        let columns = [
            "cell.name", "sample.metric", "fingerprint.json", "run.id", "run.started_at", "cell.verdict",
            "sample.value",
        ]
        // Columns have their full names, which errors show.
        let selected = columns.map { "\($0) AS \"\($0)\"" }.joined(separator: ", ")
        let row = try SQLiteStatement(
            """
            SELECT \(selected)
            FROM sample JOIN cell ON sample.cell = cell.id JOIN run ON cell.run = run.id
            JOIN fingerprint ON cell.fingerprint = fingerprint.id
            WHERE (?1 IS NULL OR instr(cell.name, ?1) > 0) AND (?2 IS NULL OR sample.metric = ?2)
            ORDER BY cell.name, fingerprint.id, run.started_at, run.id
            """, in: database)
        try row.bind([.text(cell), .text(metric?.rawValue)])
        var rows: [Row] = []
        while try row.next() {
            // This version does not know a later version's metric.
            guard let metric = Metric(rawValue: try row.text(1)) else { continue }
            rows.append(
                Row(
                    cell: try row.text(0), metric: metric, fingerprint: try row.text(2), run: try row.integer(3),
                    startedAt: try row.text(4), verdict: try row.text(5), value: try row.real(6)))
        }
        return rows
    }

    private static func grouped(_ rows: [Row]) -> [[Row]] {
        struct Key: Hashable { var cell: String, metric: Metric, fingerprint: String }
        let groups = rows.grouped { Key(cell: $0.cell, metric: $0.metric, fingerprint: $0.fingerprint) }
        let places = Dictionary(uniqueKeysWithValues: zip(Metric.allCases, 0...))
        let sorted = groups.enumerated().sorted {
            ($0.element[0].cell, places[$0.element[0].metric] ?? 0, $0.offset)
                < ($1.element[0].cell, places[$1.element[0].metric] ?? 0, $1.offset)
        }
        return sorted.map(\.element)
    }

    private static func series(_ rows: [Row], at path: FilePath) throws -> HistorySeries {
        guard let first = rows.first else { preconditionFailure("a group has a row") }
        let json = Data(first.fingerprint.utf8)
        let fingerprint: Fingerprint
        do { fingerprint = try JSONDecoder().decode(Fingerprint.self, from: json) } catch {
            let reason = "a value of the column fingerprint.json: \(error.decodingReason(in: json))"
            throw HistoryError.damaged(path, reason: reason)
        }
        var points: [HistorySeries.Point] = []
        var start = 0
        while start < rows.count {
            let run = rows[start...].prefix { $0.run == rows[start].run }
            let worst: Double = first.metric.definition.better == .lower ? .infinity : -.infinity
            points.append(
                .init(
                    run: run[start].run, startedAt: run[start].startedAt, verdict: run[start].verdict,
                    median: Statistics.median(run.map { $0.value ?? worst })?.finite,
                    attempts: run.count))
            start += run.count
        }
        return HistorySeries(
            cell: first.cell, metric: first.metric, unit: first.metric.unit, fingerprint: fingerprint, points: points,
            changes: changes(points, first.metric))
    }

    private static func changes(_ points: [HistorySeries.Point], _ metric: Metric) -> [HistorySeries.Change] {
        let known = points.filter { $0.median != nil }
        return ChangePoint.all(in: known.compactMap(\.median)).map { change in
            let isMore = change.after > change.before
            return .init(
                run: known[change.place].run, startedAt: known[change.place].startedAt, before: change.before,
                after: change.after, changeRatio: change.share.finite,
                isWorse: isMore == (metric.definition.better == .lower))
        }
    }

    /// The number of latest runs of a cell that its duration is computed from.
    private static let latestRuns = 5

    /// The duration of each cell in seconds, by name: the median of its five latest runs.
    ///
    /// Cells recorded by 0.2.0 have no duration, and are left out. Throws ``HistoryError``.
    package func durations() throws(HistoryError) -> [String: Double] {
        try telling {
            guard try Schema.hasDurations(database, at: path) else { return [:] }
            let row = try SQLiteStatement(
                """
                SELECT cell.name, cell.duration_seconds FROM cell JOIN run ON cell.run = run.id
                WHERE cell.duration_seconds IS NOT NULL ORDER BY run.started_at DESC, run.id DESC
                """, in: database)
            var latest: [String: [Double]] = [:]
            while try row.next() {
                let name = try row.text(0)
                guard latest[name, default: []].count < Self.latestRuns, let seconds = try row.real(1) else { continue }
                latest[name, default: []].append(seconds)
            }
            return latest.compactMapValues(Statistics.median)
        }
    }
}
