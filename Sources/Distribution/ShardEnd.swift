package import ResultFiles
import Results
import SystemPackage

/// How a shard ended.
package struct ShardEnd: Sendable {
    /// The number of the shard, from 1.
    package var shard: Int
    /// Its result, with summaries of its cells; nil if it left none.
    package var result: ResultMerge.Shard?
    /// Why there is no whole result, as the end of a sentence; nil if there is one.
    package var why: String?
    /// The engine's name of the machine that it ran on; nil if unknown.
    package var machine: String?
    /// The reasons of its restarts, one each.
    package var lost: [String] = []
}

/// What to do about a shard that no longer runs.
enum ShardFate {
    /// It has a whole result.
    case whole(ResultMerge.Shard)
    /// Another try may give a whole result.
    case again(String)
    /// Another try would have the same result.
    case given(String)

    /// What to do by the status of a shard's command and the result that it left.
    static func of(_ shard: Int, status: Int32, folder: FilePath?, in plan: ShardPlan) -> Self {
        let found: ResultMerge.Shard?
        do {
            found = try folder.flatMap { folder throws(UnreadableResult) in try ResultMerge.Shard.read(in: folder) }
        } catch {
            return of(
                status, "its command ended with status \(status), and its result cannot be used: \(error.reason)")
        }
        guard let found else { return of(status, "its command ended with status \(status) and left no result") }
        let result = found.run
        guard result.shard?.division == plan.division, result.shard?.index == shard else {
            return .given(
                "it belongs to another division: its scenarios, durations or Headwind differ from this run's")
        }
        guard result.isWhole || result.findings.contains(where: { $0.attribution == .deadlineReached }) else {
            return of(status, "its command ended with status \(status) before all of its cells were finished")
        }
        if let trouble = result.findings.first(where: { Self.worthAnotherMachine.contains($0.attribution) }) {
            return .again("its whole run had trouble: \(trouble.detail)")
        }
        return .whole(found)
    }

    /// Troubles of a machine that another machine may not have.
    private static let worthAnotherMachine: Set<Attribution> = [
        .resultsDiskFull, .resultsNotWritten, .scratchDiskFull, .resourcesMissing, .capabilityMissing,
    ]

    /// Wrong files, and Headwind's own failures, would repeat.
    private static func of(_ status: Int32, _ why: String) -> Self {
        [1, 64, 65].contains(status) ? .given(why) : .again(why)
    }
}
