import Results

/// Chooses the attempts whose timelines are in a page: all, unless the page would open slowly.
struct TimelineChoice {
    /// The most bytes of all timelines.
    var mostBytes = 0

    /// An attempt, and the index of its cell in the page.
    private typealias Candidate = (cell: Int, attempt: TimelineCandidate)

    private var candidates: [Candidate] = []

    /// How many are made at a time, and so the most that are made in vain.
    private static let mostTogether = 16

    var count: Int { candidates.count }

    mutating func add(_ cell: HTMLCell, at index: Int) {
        candidates += cell.candidates.map { (cell: index, attempt: $0) }
    }

    /// The blocks of the attempts that fit, and their number; with equal rank the slowest come first.
    func blocks(_ events: EventFile?) -> (bytes: [UInt8], count: Int) {
        var rest = inOrder[...]
        var bytes: [UInt8] = []
        var count = 0
        while !rest.isEmpty {
            let batch = Self.batch(of: rest, events)
            rest = rest.dropFirst(batch.count)
            for (candidate, block) in zip(batch, batch.map(\.attempt).concurrentMap { $0.block(events) }) {
                guard let block else { continue }
                guard bytes.count + block.count <= mostBytes else { return (bytes, count) }
                HTMLReport.append(block, id: "t\(candidate.cell)-\(candidate.attempt.attempt)", to: &bytes)
                count += 1
            }
        }
        return (bytes, count)
    }

    private var inOrder: [Candidate] {
        candidates.enumerated().sorted { first, second in
            let (one, other) = (first.element.attempt, second.element.attempt)
            return (one.rank, -one.seconds, first.offset) < (other.rank, -other.seconds, second.offset)
        }.map(\.element)
    }

    /// The first candidate, and as many more as need no more memory than one attempt may.
    private static func batch(of rest: ArraySlice<Candidate>, _ events: EventFile?) -> ArraySlice<Candidate> {
        var bytes: Int64 = 0
        var count = 0
        for candidate in rest.prefix(mostTogether) {
            bytes += candidate.attempt.eventBytes(in: events)
            if count > 0, bytes > EventFile.mostAttemptBytes { break }
            count += 1
        }
        return rest.prefix(count)
    }
}
