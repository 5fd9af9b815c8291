import Hunting
import Results
import Synchronization
import SystemPackage
import Wording

/// Shows the progress of a hunt: one line that is redrawn on a terminal, occasional lines in a log.
final class HuntView: Sendable {
    private struct State {
        var scratch: FilePath?
        var saidAt: ContinuousClock.Instant?
        var bugs = 0
    }

    private let isInteractive: Bool
    private let state = Mutex(State())

    init(isInteractive: Bool) { self.isInteractive = isInteractive }

    func made(_ scratch: FilePath) { state.withLock { $0.scratch = scratch } }

    /// Sentences about what an end without clean-up may leave behind; nil if nothing.
    func remains(in folder: HuntFolder) -> String? {
        let scratch = state.withLock { $0.scratch }.map { "'\($0)' remains; the next run removes it." }
        let sentences = [scratch, folder.remains].compactMap { $0 }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    func show(_ progress: HuntProgress) {
        let now = ContinuousClock.now
        let isDue = state.withLock { state in
            let pause = isInteractive ? Duration.milliseconds(200) : RunView.silence
            let isNews = progress.bugs > state.bugs
            guard isNews || state.saidAt.map({ $0.duration(to: now) >= pause }) ?? isInteractive else {
                state.saidAt = state.saidAt ?? now
                return false
            }
            (state.saidAt, state.bugs) = (now, progress.bugs)
            return true
        }
        guard isDue else { return }
        let rate = progress.seconds > 0 ? Double(progress.attempts) / progress.seconds : 0
        let bugs = progress.bugs.counted("bug")
        let line =
            "\(progress.attempts) attempts, \(Int(rate.rounded())) a second, \(progress.behaviours) behaviours, \(bugs)"
            + (progress.worst.map { " (\($0))" } ?? "") + "; " + progress.activity
        if isInteractive { Console.progress("\(line)") } else { Console.note("\(line)") }
    }

    /// Removes the progress line.
    func end() { if isInteractive { Console.progress("") } }
}
