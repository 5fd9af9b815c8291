import Glibc
import ResultFiles
package import SystemPackage

/// The files of shards on the machine of the coordinator: `OUTPUT/shards`.
package struct ShardFolder: Hashable, Sendable {
    package static let folderName = "shards"

    /// A whole path.
    package var folder: FilePath

    /// The places in the folder of a run's results, which is a whole path.
    package init(output: FilePath) { folder = output.appending(Self.folderName) }

    package var plan: FilePath { folder.appending("plan.json") }
    /// The durations by which cells are divided, where somebody gave some: a result of an earlier run.
    package var durations: FilePath { folder.appending("durations.json") }
    /// The packs of catalogs, which are built once for all shards.
    package var packs: FilePath { folder.appending("packs") }
    /// The result of a shard that is whole.
    package func whole(_ shard: Int) -> FilePath { folder.appending("shard-\(shard)") }
    /// The result of a shard as far as it has come, of one submission: an earlier one may still write to its own.
    package func part(_ shard: Int, of submission: Submission) -> FilePath {
        folder.appending("shard-\(shard).\(submission.number).part")
    }
    /// The status of a shard's command, as decimal digits, where the engine writes it down.
    package func status(_ shard: Int, of submission: Submission) -> FilePath {
        folder.appending("shard-\(shard).\(submission.number).exit")
    }
    /// What the last submission of a shard has written to its standard output and standard error.
    package func log(_ shard: Int) -> FilePath { folder.appending("shard-\(shard).log") }
    /// The packs, where there are some.
    var givenPacks: FilePath? { packs.isFolder ? packs : nil }
    /// The durations, where there are some.
    package var givenDurations: FilePath? { access(durations.string, R_OK) == 0 ? durations : nil }
}
