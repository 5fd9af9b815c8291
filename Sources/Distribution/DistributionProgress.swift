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
