import Results

/// An attempt whose timeline may be in a page, with its priority.
struct TimelineCandidate: Sendable {
    /// The cell's name; events are stored under it, or under the scenario's name.
    let name: String
    let scenario: String
    let attempt: Int
    /// The priority; 0 is looked at first.
    let rank: Int
    let seconds: Double
    let origin: Int64?
    /// The JSON of its conduct; empty if there is none.
    let conduct: [UInt8]

    /// The attempts of a cell, with their ranks.
    ///
    /// First comes the first broken attempt of a failed cell, then that of an undecided cell, then all others that
    /// broke something.
    static func all(of cell: CellResult) -> [TimelineCandidate] {
        let checks = cell.checks.filter { $0.verdict != .pass }
        let broken = Set(checks.flatMap(\.brokenIn) + cell.findings.compactMap(\.attempt))
        let first = cell.attempts.first { broken.contains($0.number) }?.number ?? cell.attempts.first?.number
        return cell.attempts.map { attempt in
            let isFirst = cell.verdict != .pass && attempt.number == first
            let rank = isFirst ? (cell.verdict == .fail ? 0 : 1) : broken.contains(attempt.number) ? 2 : 3
            var conduct = PageJSON()
            if let record = attempt.conduct { conduct.object { $0.conduct(record) } }
            return TimelineCandidate(
                name: cell.name, scenario: cell.scenario, attempt: attempt.number, rank: rank,
                seconds: attempt.durationSeconds, origin: attempt.conduct?.startedNanoseconds, conduct: conduct.bytes)
        }
    }

    /// The JSON of the attempt's timeline and conduct; nil if there is neither.
    func block(_ events: EventFile?) -> [UInt8]? {
        var timeline = AttemptTimeline(origin: origin)
        var isWhole = true
        var hasEvents = false
        if let events {
            isWhole = events.read(key(in: events)) { event in
                timeline.add(event)
                hasEvents = true
            }
        }
        guard hasEvents || !conduct.isEmpty else { return nil }
        var json = PageJSON()
        json.object { json in
            if hasEvents { json.timeline(timeline, isWhole: isWhole) }
            if !conduct.isEmpty { json.add("conduct", json: conduct) }
        }
        return json.bytes
    }

    /// The size of its lines in `events` in bytes; 0 if it has none.
    func eventBytes(in events: EventFile?) -> Int64 { events.map { $0.bytes(of: key(in: $0)) } ?? 0 }

    private func key(in events: EventFile) -> EventFile.Key {
        let key = EventFile.Key(cell: name, attempt: attempt)
        return events.bytes(of: key) > 0 ? key : EventFile.Key(cell: scenario, attempt: attempt)
    }
}
