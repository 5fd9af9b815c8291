import Documents
import Harness
import Hunting
import LinkModel
import Scenarios
import SystemPackage
import Wording

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
