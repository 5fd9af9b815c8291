/// What a coordinator tells while shards run.
package enum DistributionProgress: Sendable {
    /// Shards were started.
    case submitted(Submission)
    /// A shard is in another state than before.
    case changed(shard: Int, ShardState)
    /// Something of a cell, from the log of its shard.
    case cell(shard: Int, CellLine)
    /// A shard is started anew; why, as the end of a sentence.
    case again(shard: Int, why: String)
    /// A shard ends without a result, or with a part of one; why, as the end of a sentence.
    case gaveUp(shard: Int, why: String)
    /// The result of a shard is here, and whole.
    case collected(shard: Int)
    /// How the engine is cannot be told now; why.
    case unknown(why: String)
    /// How the whole is, each second.
    case totals(DistributionTotals)
}

/// How many cells and shards of a divided run are at what.
package struct DistributionTotals: Hashable, Sendable {
    package var cells = 0
    package var done = 0
    /// Of those that are done.
    package var failed = 0
    package var running = 0
    package var shards = 0
    package var shardsRunning = 0
    package var shardsDone = 0
    /// How much longer it is expected to take; nil where nothing is known.
    package var remaining: Duration?

    package init() {}

    package var waiting: Int { max(0, cells - done - running) }
    package var shardsWaiting: Int { shards - shardsRunning - shardsDone }
}
