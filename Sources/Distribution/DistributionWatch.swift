/// The progress of a divided run: the states of its shards and of their cells.
struct DistributionWatch {
    private struct Shard {
        var log: ShardLog
        var isRunning = false
        var isDone = false
        var running: Set<String> = []
        var done: [String: Bool] = [:]
    }

    private let plan: ShardPlan
    private let places: ShardFolder
    private var shards: [Shard]
    private let seconds: [String: Double]
    private let start: ContinuousClock.Instant
    /// The work that was done at the start, in expected seconds; nil before the first poll.
    private var before: Double?

    init(_ plan: ShardPlan, _ places: ShardFolder, now: ContinuousClock.Instant = .now) {
        (self.plan, self.places, start) = (plan, places, now)
        shards = (1...plan.count).map { Shard(log: ShardLog(places.log($0))) }
        seconds = Dictionary(zip(plan.cells.joined(), plan.seconds.joined()), uniquingKeysWith: { first, _ in first })
    }

    /// The shard starts again, with an empty log.
    mutating func restart(_ shard: Int) { shards[shard - 1] = Shard(log: ShardLog(places.log(shard))) }

    mutating func note(_ shard: Int, isRunning: Bool) { shards[shard - 1].isRunning = isRunning }

    /// The shard has ended, with these cells finished.
    mutating func end(_ shard: Int, failed: [String: Bool]?) {
        (shards[shard - 1].isRunning, shards[shard - 1].isDone) = (false, true)
        shards[shard - 1].running = []
        if let failed { shards[shard - 1].done = failed }
    }

    /// The new lines in the logs of running shards.
    mutating func read() -> [(shard: Int, line: CellLine)] {
        shards.indices.filter { shards[$0].isRunning }.flatMap { index in read(index + 1).map { (index + 1, $0) } }
    }

    /// The new lines in the log of one shard.
    mutating func read(_ shard: Int) -> [CellLine] {
        let lines = shards[shard - 1].log.next()
        for line in lines { take(line, of: shard - 1) }
        return lines
    }

    private mutating func take(_ line: CellLine, of index: Int) {
        switch line.event {
        case .began, .calibrating, .attempt: shards[index].running.insert(line.cell)
        case .postponed, .ended: shards[index].running.remove(line.cell)
        case .judged:
            shards[index].running.remove(line.cell)
            shards[index].done[line.cell] = line.verdict == "fail"
        }
    }

    mutating func totals(now: ContinuousClock.Instant = .now) -> DistributionTotals {
        var totals = DistributionTotals()
        totals.cells = plan.cells.map(\.count).reduce(0, +)
        totals.shards = plan.count
        for shard in shards {
            totals.done += shard.done.count
            totals.failed += shard.done.values.count { $0 }
            totals.running += shard.running.count
            totals.shardsRunning += shard.isRunning ? 1 : 0
            totals.shardsDone += shard.isDone ? 1 : 0
        }
        let all = seconds.values.reduce(0, +)
        let done = shards.flatMap(\.done.keys).reduce(0) { $0 + (seconds[$1] ?? 0) }
        let earlier = before ?? done
        before = earlier
        let elapsed = start.duration(to: now) / .seconds(1)
        // Until a tenth is done, any figure would be a guess.
        if done - earlier > all / 10, elapsed > 0 {
            totals.remaining = .seconds(max(0, all - done) * elapsed / (done - earlier))
        }
        return totals
    }
}
