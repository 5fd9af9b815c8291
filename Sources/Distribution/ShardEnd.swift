package import ResultFiles
import Results
import SystemPackage

/// How a shard ended.
package struct ShardEnd: Sendable {
    /// From 1.
    package var shard: Int
    /// Its result, without the numbers of its cells; nil where it has left nothing.
    package var result: ResultMerge.Shard?
    /// Why there is no whole result, as the end of a sentence; nil where there is one.
    package var why: String?
    /// What the engine calls the machine that it ran on; nil where that is not known.
    package var machine: String?
    /// Why it was started anew, each time.
    package var lost: [String] = []

    init(shard: Int, result: ResultMerge.Shard? = nil, why: String? = nil) {
        (self.shard, self.result, self.why) = (shard, result, why)
    }
}

/// What is done about a shard that does not run any more.
enum ShardFate {
    /// It has a whole result.
    case whole(ResultMerge.Shard)
    /// Another try may have one.
    case again(String)
    /// Another try would come to the same.
    case given(String)

    /// What the end of a shard's command means, with what it has left.
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
            self = .given(
                "it belongs to another division: its scenarios, durations or Headwind differ from this run's")
            return
        }
        guard result.isWhole || result.endedByDeadline else {
            self = .of(status, "its command ended with status \(status) before all of its cells were finished")
            return
        }
        if let trouble = result.findings.first(where: { $0.attribution.isWorthAnotherMachine }) {
            self = .again("its whole run had trouble: \(trouble.detail)")
            return
        }
        self = .whole(found)
    }

    /// Files that are wrong, and Headwind's own failures, are the same the next time.
    private static func of(_ status: Int32, _ why: String) -> Self {
        [1, 64, 65].contains(status) ? .given(why) : .again(why)
    }
}

extension RunResult {
    fileprivate var endedByDeadline: Bool { findings.contains { $0.attribution == .deadlineReached } }
}

extension Attribution {
    /// Whether it is about the machine, as far as the run as a whole had it.
    fileprivate var isWorthAnotherMachine: Bool {
        switch self {
        case .resultsDiskFull, .resultsNotWritten, .scratchDiskFull, .resourcesMissing, .capabilityMissing: true
        default: false
        }
    }
}
