import Results

/// Which attempts' timelines are in a page: all, as long as they do not make it slow to open.
struct TimelineChoice {
    /// The most bytes that they take.
    var mostBytes = 0

    /// An attempt, and how soon somebody may want to look at it.
    private struct Candidate {
        var cell: Int
        /// The cell's name, and its scenario's: events are found under either.
        var name: String
        var scenario: String
        var attempt: Int
        var rank: Int
        var seconds: Double
        var origin: Int64?
        /// The JSON of its conduct; empty where there is none.
        var conduct: [UInt8]
    }

    private var candidates: [Candidate] = []

    var count: Int { candidates.count }

    /// Takes the attempts of a cell: first of all one that broke it, where it failed, then one where it came to nothing,
    /// then all that broke something.
    mutating func add(_ cell: CellResult, at index: Int) {
        let checks = cell.checks.filter { $0.verdict != .pass }
        let broken = Set(checks.flatMap(\.brokenIn) + cell.findings.compactMap(\.attempt))
        let first = cell.attempts.first { broken.contains($0.number) }?.number ?? cell.attempts.first?.number
        for attempt in cell.attempts {
            let rank =
                switch cell.verdict {
                case .pass: broken.contains(attempt.number) ? 2 : 3
                case .fail where attempt.number == first: 0
                case _ where attempt.number == first: 1
                case _: broken.contains(attempt.number) ? 2 : 3
                }
            var conduct = PageJSON()
            if let record = attempt.conduct { conduct.object { $0.conduct(record) } }
            candidates.append(
                Candidate(
                    cell: index, name: cell.name, scenario: cell.scenario, attempt: attempt.number, rank: rank,
                    seconds: attempt.durationSeconds, origin: attempt.conduct?.startedNanoseconds,
                    conduct: conduct.bytes))
        }
    }

    /// The blocks of the attempts that have a place, the slowest before others of their kind, and how many they are.
    func blocks(_ events: EventFile?) -> (bytes: [UInt8], count: Int) {
        let order = candidates.indices.sorted { first, second in
            let (one, other) = (candidates[first], candidates[second])
            return (one.rank, -one.seconds, first) < (other.rank, -other.seconds, second)
        }
        var bytes: [UInt8] = []
        var count = 0
        for index in order {
            guard let block = Self.block(of: candidates[index], events) else { continue }
            guard bytes.count + block.count <= mostBytes else { break }
            HTMLReport.append(block, id: "t\(candidates[index].cell)-\(candidates[index].attempt)", to: &bytes)
            count += 1
        }
        return (bytes, count)
    }

    /// nil where nothing is known of it.
    private static func block(of candidate: Candidate, _ events: EventFile?) -> [UInt8]? {
        var timeline = AttemptTimeline(origin: candidate.origin)
        var isWhole = true
        var hasEvents = false
        if let events {
            let key = EventFile.Key(cell: candidate.name, attempt: candidate.attempt)
            let other = EventFile.Key(cell: candidate.scenario, attempt: candidate.attempt)
            isWhole = events.read(events.bytes(of: key) > 0 ? key : other) { event in
                timeline.add(event)
                hasEvents = true
            }
        }
        guard hasEvents || !candidate.conduct.isEmpty else { return nil }
        var json = PageJSON()
        json.object { json in
            if hasEvents { json.timeline(timeline, isWhole: isWhole) }
            if !candidate.conduct.isEmpty { json.add("conduct", json: candidate.conduct) }
        }
        return json.bytes
    }
}
