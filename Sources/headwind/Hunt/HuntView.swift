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

/// The result of a hunt as text.
enum HuntText {
    /// The bugs, the most harmful first, and one line with counts; ends with a newline.
    ///
    /// Faults acted at `layers`, and `more` is the option that tries more of them. `words` are those behind `headwind`
    /// that run a scenario.
    static func text(
        of report: HuntReport, in folder: FilePath, layers: Set<HuntFault.Layer>, more: String,
        running words: (FilePath) -> [String]
    ) -> String {
        var lines: [String] = []
        for (index, bug) in report.bugs.enumerated() {
            let severity = bug.severity.rawValue.replacing("_", with: " ")
            lines.append("\(index + 1). \(severity)\(bug.bug.map { " (\($0.rawValue))" } ?? ""): \(bug.paragraph)")
            let (few, many) = (bug.schedule.count, bug.foundWith)
            let faults = many.counted("fault")
            lines.append(
                "   It came back in \(bug.cameBack) of \(bug.plays) attempts. The hunt found it with \(faults); "
                    + "\(few == 1 ? "1 line of a schedule shows it" : "\(few) lines of a schedule show it"):")
            lines += bug.schedule.map { "     \($0)" }
            if !bug.isReduced {
                lines.append("   Fewer may do: the time ended, or a smaller schedule failed too seldom to be sure.")
            }
            if let scenario = bug.scenario {
                let command = ["headwind"] + words(folder.appending(scenario))
                lines.append("   Reproduce it: \(ShellWords.quoted(command))")
            }
            if let page = bug.page { lines.append("   See it: \(folder.appending(page))") }
            lines.append("")
        }
        if !report.unconfirmed.isEmpty {
            let count = report.unconfirmed.count
            lines.append(
                "\(count == 1 ? "1 failure was" : "\(count) failures were") not confirmed, and \(count == 1 ? "is" : "are") "
                    + "in \(folder.appending(HuntReport.fileName)):")
            lines += report.unconfirmed.prefix(3).map {
                let often = returns(
                    $0.cameBack, of: $0.plays, without: $0.cameBackWithout ?? 0, of: $0.playsWithout ?? 0)
                return "   \($0.conclusion) (\(often))"
            }
            if count > 3 { lines.append("   … and \(count - 3) more") }
        }
        let found = Self.found(report.bugs.count, triedNothing: report.triedNothing)
        let rate = report.seconds > 0 ? Double(report.attempts) / report.seconds : 0
        lines.append(
            "\(found) \(report.attempts.counted("attempt")) (\(Quantity(report.seconds, .seconds).rounded()), "
                + "\(Int(rate.rounded())) a second), \(report.behaviours) behaviours, seed \(report.seed)"
                + disturbed(report)
                + (report.isInterrupted ? "; interrupted" : "") + ".")
        lines.append(coverage(of: report, layers, more))
        return lines.map { $0 + "\n" }.joined()
    }

    /// How many bugs were found, as the beginning of a sentence on the attempts.
    static func found(_ bugs: Int, triedNothing: Bool) -> String {
        switch bugs {
        case 0: triedNothing ? "No attempt had all of its faults:" : "No bug found in"
        case 1: "1 bug found in"
        default: "\(bugs) bugs found in"
        }
    }

    /// How often a failure that is not confirmed came in plays with its faults, and in those without any.
    static func returns(_ cameBack: Int, of plays: Int, without: Int, of playsWithout: Int) -> String {
        if plays == 0 { return "not played again" }
        if playsWithout == 0 {
            let why = cameBack < 2 ? ": too seldom" : "; it could not be compared with attempts without faults"
            return "it came back in \(cameBack) of \(plays) further attempts\(why)"
        }
        let counts =
            "in \(cameBack) of \(plays) attempts with these faults, and in \(without) of \(playsWithout) without"
        return without > 0 ? "it also comes without any fault: \(counts)" : "it came \(counts): too seldom to be sure"
    }

    private static func disturbed(_ report: HuntReport) -> String {
        guard report.spoilt > 0 else { return "" }
        let parts = report.disturbances.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
            "\($0.key) (\($0.value))"
        }
        return ", \(report.spoilt.counted("attempt")) disturbed: " + parts.joined(separator: ", ")
    }

    /// How much was tried, and which options try more.
    private static func coverage(of report: HuntReport, _ layers: Set<HuntFault.Layer>, _ more: String) -> String {
        let coverage = report.coverage
        let areAll = coverage.singlesTried == coverage.singles
        var text = "Tried: \(areAll ? "all \(coverage.singles)" : "\(coverage.singlesTried) of \(coverage.singles)") "
        text += "single faults, \(coverage.pairsTried) of \(coverage.pairs) pairs of kinds."
        let lookups = [
            layers.contains(.link) ? "unknown names" : nil, layers.contains(.packet) ? "lost lookups" : nil,
        ].compactMap { $0 }
        let untried = [
            report.hasDevice || !layers.contains(.client) ? nil : "a device that becomes full",
            report.looksUpNames || lookups.isEmpty
                ? nil : "\(lookups.joined(separator: " and ")), because the client looks up no name behind the proxy",
            report.knowsDigest || !layers.contains(.host)
                ? nil : "wrong bytes and sign-in pages, which only a client with '{digest}' can notice",
        ].compactMap { $0 }
        if !untried.isEmpty { text += " Not tried: \(untried.joined(separator: "; "))." }
        let isMore = !areAll || coverage.pairsTried < coverage.pairs
        if isMore, coverage.isExhausted { return text + " The others happened in no attempt." }
        return isMore ? text + " Try more with \(more)." : text
    }
}
