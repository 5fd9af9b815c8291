import Documents
import Harness
import Hunting
import LinkModel
import ResultFiles
import Results
import Scenarios
import SystemPackage
import Wording

/// The text output of a replay.
enum ReplayText {
    /// The lines to print before anything runs.
    static func announcement(of bundle: FailureBundle, by command: [String]) -> [String] {
        let record = bundle.record
        let lines = record.schedule.lines
        let faults = lines == 1 ? "a list of one fault" : "a list of \(lines) faults"
        return [
            "headwind: playing \(faults) of '\(record.cell)', attempt \(record.attempt), \(record.backend) link",
            "headwind: the client is \(ShellWords.quoted(command))",
        ]
    }

    /// The result of one play, to show progress.
    static func line(_ play: ReplayResult.Play, number: Int, of times: Int) -> String {
        let outcome =
            switch play.outcome {
            case .cameBack: "the failure came back"
            case .held: "the client passed"
            case .failedOtherwise: "the client failed in another way"
            case .notPlayed: "no verdict; the play is repeated if the limit allows"
            }
        return "headwind: play \(number) of \(times): \(outcome) (\(Quantity(play.seconds, .seconds).rounded()))"
    }

    /// How often the failure came back, with details; `next` is a command with further tests for a client that passes.
    static func lines(_ result: ReplayResult, next: String? = nil) -> [String] {
        var lines: [String] = [verdict(result), "  the failure: \(failure(result))"]
        if let interval = result.interval, result.word != nil {
            lines.append(
                "  Wilson's 95 % interval: \(percent(interval.lowerBound)) to \(percent(interval.upperBound)) of all plays"
            )
        }
        if result.failedOtherwise > 0 { lines += others(result) }
        let missing = result.plays.filter { $0.outcome == .notPlayed }
        if result.played < result.times, let reason = missing.last?.sentences.first {
            lines.append("  \(result.times - result.played) of \(result.times) could not be played: \(reason)")
        }
        lines += result.differences.map { "  differs: \($0)" }
        if result.isFixed, let next { lines.append("Next: \(next)") }
        return lines
    }

    private static func failure(_ result: ReplayResult) -> String {
        guard !result.failure.isEmpty else { return "any, because the recorded attempt had no failure" }
        return
            (result.failure.outcomes.map(sentence) + result.failure.budgets.map { "The budget '\($0)' failed." })
            .joined(separator: " ")
    }

    /// The name of a finding, or an expected and the actual outcome, as a sentence.
    private static func sentence(_ outcome: String) -> String {
        if let finding = Attribution(rawValue: outcome) { return finding.row.sentence }
        guard let colon = outcome.firstRange(of: ": ") else { return outcome + "." }
        return "Expected '\(outcome[..<colon.lowerBound])', but got '\(outcome[colon.upperBound...])'."
    }

    private static func verdict(_ result: ReplayResult) -> String {
        let count = "\(result.cameBack) of \(result.played)"
        let plays = result.played.counted("play")
        return switch result.word {
        case .notReproduced? where result.isFixed:
            "not reproduced: the failure did not come back in \(plays). The client passed each time."
        case .notReproduced?:
            "not reproduced: the failure did not come back in \(plays), but the client fails in another way "
                + "in \(result.failedOtherwise) of them."
        case let word?: "\(word.rawValue): the failure came back in \(count) plays"
        case nil: "unknown: the failure came back in \(count) plays, but you asked for \(result.times)"
        }
    }

    private static func others(_ result: ReplayResult) -> [String] {
        let failures = result.plays.filter { $0.outcome == .failedOtherwise && $0.failure != nil }
        let kinds = Dictionary(grouping: failures) { $0.failure?.description ?? "" }.sorted { $0.key < $1.key }
        return kinds.flatMap { failure, plays in
            let said = plays.lazy.compactMap(\.clientOutput).first { !$0.isEmpty } ?? []
            let head = "  failed otherwise \(plays.count.times): \(failure)"
            return [head] + said.suffix(mostSaid).map { "    it said: \($0)" }
        }
    }

    /// The most lines of output to show of a client that failed in another way: the last ones.
    private static let mostSaid = 5

    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}

/// Shrinks the fault schedule of a bundle, and prints the rest.
enum ShrinkingView {
    /// Shrinks the schedule; returns the exit status: 99, or 97 if the failure does not come back.
    static func shrink(_ replay: Replay, into folder: NewFolder, _ format: OutputFormat) async throws -> Int32 {
        let shrunk = try await replay.shrink { lines, plays in
            if Console.isInteractive { Console.progress("\(lines) lines left after \(plays) plays") }
        }
        guard let shrunk else {
            Console.note("The failure did not come back in any play, so there is nothing to shrink.")
            return ExitStatus.notReproduced.rawValue
        }
        try folder.make()
        let handover = RegressionFolder(folder: folder.path, run: replay.run, profiles: try ProfileCommand.library())
        let rate = Double(shrunk.cameBack) / Double(shrunk.plays)
        let made = try await handover.make(
            failing: shrunk.failing.titled(shrunk.failing.title, attempts: RegressionFolder.attempts(rate: rate)),
            passing: shrunk.passing.map { $0.titled("With one line fewer: \($0.title)", attempts: 1) }, fetched: nil)
        let scenario = folder.path.appending(RegressionFolder.failing)
        for note in made.notes(folder.path.string) { Console.note("headwind: \(note)") }
        let words = RegressionFolder.command(of: [scenario], client: replay.run.programs.foreignClient, backend: nil)
        let command = ShellWords.quoted(["headwind"] + words)
        let lines = shrunk.schedule.lines.map(\.text)
        switch format {
        case .json:
            try Console.json(
                JSONTree.object([
                    "lines": .texts(lines), "lines_before": .whole(shrunk.linesBefore),
                    "came_back": .whole(shrunk.cameBack), "plays": .whole(shrunk.plays),
                    "plays_in_all": .whole(shrunk.playsInAll), "scenario": .text(scenario.string),
                ]))
        case .text:
            let count = lines.isEmpty ? "No line is" : lines.count == 1 ? "1 line is" : "\(lines.count) lines are"
            Console.out(
                lines: [
                    "\(count) left of \(shrunk.linesBefore), after \(shrunk.playsInAll) plays. The failure came back in "
                        + "\(shrunk.cameBack) of \(shrunk.plays) plays"
                        + (lines.isEmpty ? ": the client fails without any of them." : " of:"), "",
                ] + lines.map { "  \($0)" } + [""]
                    + (made.reproduces ? ["Reproduce it: \(command)"] : [])
                    + ["See it: \(folder.path.appending("\(RegressionFolder.results)/report.html"))"])
        }
        return ExitStatus.budgetFailed.rawValue
    }
}
