import Harness
import ResultFiles
import Results
import Wording

/// What people read of a replay.
enum ReplayText {
    /// Said before anything runs.
    static func announcement(of bundle: FailureBundle, by command: [String]) -> [String] {
        let record = bundle.record
        let lines = record.schedule.lines
        let faults = lines == 1 ? "a list of one fault" : "a list of \(lines) faults"
        return [
            "headwind: playing \(faults) of '\(record.cell)', attempt \(record.attempt), \(record.backend) link",
            "headwind: the client is \(ShellWords.quoted(command))",
        ]
    }

    /// How often it came back, and what else there is to know.
    static func lines(_ result: ReplayResult) -> [String] {
        var lines: [String] = [verdict(result), "  the failure: \(failure(result))"]
        if let interval = result.interval, result.word != nil {
            lines.append(
                "  by Wilson's 95 % interval, in \(percent(interval.lowerBound)) to \(percent(interval.upperBound)) of all plays"
            )
        }
        if result.failedOtherwise > 0 { lines += others(result) }
        let missing = result.plays.filter { $0.outcome == .notPlayed }
        if result.played < result.times, let reason = missing.last?.sentences.first {
            lines.append("  \(result.times - result.played) of \(result.times) could not be played: \(reason)")
        }
        lines += result.differences.map { "  differs: \($0)" }
        return lines
    }

    private static func failure(_ result: ReplayResult) -> String {
        result.failure.isEmpty ? "any, as nothing was wrong when it was recorded" : result.failure.description
    }

    private static func verdict(_ result: ReplayResult) -> String {
        let count = "\(result.cameBack) of \(result.played)"
        return switch result.word {
        case .notReproduced?: "not reproduced: the failure came back in \(count) plays"
        case let word?: "\(word.rawValue): the failure came back in \(count) plays"
        case nil: "not known: \(count) plays have the failure, and \(result.times) were asked for"
        }
    }

    private static func others(_ result: ReplayResult) -> [String] {
        let failures = result.plays.filter { $0.outcome == .failedOtherwise && $0.failure != nil }
        let kinds = Dictionary(grouping: failures) { $0.failure?.description ?? "" }.sorted { $0.key < $1.key }
        return kinds.flatMap { failure, plays in
            let times = plays.count == 1 ? "once" : "\(plays.count) times"
            let said = plays.lazy.compactMap(\.clientOutput).first { !$0.isEmpty } ?? []
            return ["  failed otherwise \(times): \(failure)"] + said.suffix(mostSaid).map { "    it said: \($0)" }
        }
    }

    /// Lines of a client that failed otherwise, the last ones.
    private static let mostSaid = 5

    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}
