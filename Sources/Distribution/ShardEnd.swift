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

    init(shard: Int, result: ResultMerge.Shard? = nil, why: String? = nil) {
        (self.shard, self.result, self.why) = (shard, result, why)
    }
}

/// What to do about a shard that no longer runs.
enum ShardFate {
    /// It has a whole result.
    case whole(ResultMerge.Shard)
    /// Another try may give a whole result.
    case again(String)
    /// Another try would have the same result.
    case given(String)

    /// Decides by the status of a shard's command and the result that it left.
    init(status: Int32, folder: FilePath?, shard: Int, of plan: ShardPlan) {
        let found: ResultMerge.Shard?
        do {
            found = try folder.flatMap { folder throws(UnreadableResult) in try ResultMerge.Shard.read(in: folder) }
        } catch {
            self = .of(
                status, "its command ended with status \(status), and its result cannot be used: \(error.reason)")
            return
        }
        guard let found else {
            self = .of(status, "its command ended with status \(status) and left no result")
            return
        }
        let result = found.run
        guard result.shard?.division == plan.division, result.shard?.index == shard else {
            self = .given("it belongs to another division: its scenarios, durations or Headwind differ from this run's")
            return
        }
        guard result.isWhole || result.findings.contains(where: { $0.attribution == .deadlineReached }) else {
            self = .of(status, "its command ended with status \(status) before all of its cells were finished")
            return
        }
        if let trouble = result.findings.first(where: { Self.worthAnotherMachine.contains($0.attribution) }) {
            self = .again("its whole run had trouble: \(trouble.detail)")
            return
        }
        self = .whole(found)
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
