import FoundationEssentials
import Glibc
import SystemPackage

/// An event that a coordinator reports while shards run.
package enum DistributionProgress: Sendable {
    /// Shards were started.
    case submitted(Submission)
    /// The state of a shard has changed.
    case changed(shard: Int, ShardState)
    /// A line about a cell, from the log of its shard.
    case cell(shard: Int, CellLine)
    /// A shard is started again; why, as the end of a sentence.
    case again(shard: Int, why: String)
    /// A shard ends without a result, or with a part of one; why, as the end of a sentence.
    case gaveUp(shard: Int, why: String)
    /// The whole result of a shard has been collected.
    case collected(shard: Int)
    /// The state of the engine is unknown; why.
    case unknown(why: String)
    /// The totals of the run, each second.
    case totals(DistributionTotals)
}

/// The number of cells and shards of a divided run in each state.
package struct DistributionTotals: Hashable, Sendable {
    package var cells = 0
    package var done = 0
    /// The number of failed cells among those that are done.
    package var failed = 0
    package var running = 0
    package var shards = 0
    package var shardsRunning = 0
    package var shardsDone = 0
    /// The expected remaining time; nil if unknown.
    package var remaining: Duration?

    package init() {}

    package var waiting: Int { max(0, cells - done - running) }
    package var shardsWaiting: Int { shards - shardsRunning - shardsDone }
}

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

/// A line of `headwind run --progress json` about a cell; see `RunProgress`.
package struct CellLine: Hashable, Sendable, Codable {
    package enum Event: String, Codable, Sendable {
        case began
        case calibrating
        case attempt
        case postponed
        case ended
        case judged
    }

    package var event: Event
    package var cell: String
    /// The number of the attempt, from 1.
    package var number: Int?
    /// The number of planned attempts.
    package var planned: Int?
    /// The verdict.
    package var verdict: String?
    /// The number of attempts that were made.
    package var attempts: Int?
    /// Why the cell runs again.
    package var why: String?

    /// Reads a line; nil if it is not about a cell.
    init?(line: some Sequence<UInt8>) {
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(line)) else { return nil }
        self = read
    }
}

/// The log of a shard, read as it grows.
struct ShardLog {
    private let file: FilePath
    private var offset: Int64 = 0
    private var begun: [UInt8] = []

    /// The most bytes that are read at a time; a longer line is skipped.
    private static let mostBytes = 1 << 20

    init(_ file: FilePath) { self.file = file }

    /// The lines about cells since the last call; none if the log is unreadable, because it only shows progress.
    mutating func next() -> [CellLine] {
        guard let log = try? FileDescriptor.open(file, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
        else { return [] }
        defer { try? log.close() }
        var bytes = [UInt8](repeating: 0, count: Self.mostBytes)
        guard let count = try? bytes.withUnsafeMutableBytes({ try log.read(fromAbsoluteOffset: offset, into: $0) }),
            count > 0
        else { return [] }
        offset += Int64(count)
        begun += bytes[..<count]
        guard let end = begun.lastIndex(of: 0x0A) else {
            if begun.count > Self.mostBytes { begun = [] }
            return []
        }
        defer { begun.removeSubrange(...end) }
        return begun[..<end].split(separator: 0x0A).filter { $0.first == UInt8(ascii: "{") }
            .compactMap { CellLine(line: $0) }
    }
}
