import ResultFiles
package import SystemPackage

/// The files of shards on the coordinator's machine: `OUTPUT/shards`.
package struct ShardFolder: Hashable, Sendable {
    package static let folderName = "shards"

    /// The absolute path.
    package var folder: FilePath
    /// What the names of tries end with: jobs of another run, which had this folder before, may still write to theirs.
    private var run: Substring = "0"

    /// The files in the folder of a run's results, an absolute path.
    package init(output: FilePath) { folder = output.appending(Self.folderName) }

    /// The files of the run with this plan.
    func own(_ plan: ShardPlan) -> ShardFolder {
        var own = self
        own.run = plan.run
        return own
    }

    package var plan: FilePath { folder.appending("plan.json") }
    /// The durations by which cells are divided, if some are of an earlier run; see ``ShardPlan/durations``.
    package var durations: FilePath { folder.appending("durations.json") }
    /// The packs of catalogs, built once for all shards.
    package var packs: FilePath { folder.appending("packs") }
    /// The whole result of a shard.
    package func whole(_ shard: Int) -> FilePath { folder.appending("shard-\(shard)") }
    /// The partial result of a shard, one for each submission, because an earlier one may still write to its own.
    package func part(_ shard: Int, of submission: Submission) -> FilePath {
        folder.appending("shard-\(shard).\(submission.number).\(run).part")
    }
    /// The status of a shard's command, in decimal digits, if the engine writes one.
    package func status(_ shard: Int, of submission: Submission) -> FilePath {
        folder.appending("shard-\(shard).\(submission.number).\(run).exit")
    }
    /// The standard output and standard error of a shard's last submission.
    package func log(_ shard: Int) -> FilePath { folder.appending("shard-\(shard).log") }
    /// The packs; nil if there are none.
    var givenPacks: FilePath? { packs.isFolder ? packs : nil }
}
