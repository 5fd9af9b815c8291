package import Results
import Wording

extension ClientReport {
    /// The style of the report for a terminal.
    package struct TextStyle: Sendable {
        package var palette = Palette.plain
        /// Whether every check is shown in full, with its event in the timeline (default: false).
        package var isVerbose = false
        /// The options of this `headwind check`, for the command that repeats one check.
        package var options: [String] = []
        /// The exit status of the process, if it is not the report's own.
        package var process: ProcessStatus?

        package init() {}
    }

    /// The report for a terminal, ending in a line feed: failures grouped by cause, then the other checks.
    package func text(_ style: TextStyle = TextStyle()) -> String {
        let report = redacted
        var lines = ["Client: \(report.command.map(\.shellQuoted).joined(separator: " "))", ""]
        let causes = report.causes
        if !causes.isEmpty {
            let count = report.rows(.fails).count
            let title = "FAILS: \(count.counted("check")) by \(causes.count.counted("cause")), the worst first"
            lines += [style.palette.paint(title, .fail), ""]
            lines += causes.flatMap { report.lines(of: $0, style) + [""] }
        }
        let others: [(Answer, String, Verdict)] = [
            (.notMeasured, "NOT MEASURED: worth another try", .infrastructure), (.holds, "HOLDS", .pass),
            (.notObservable, "NOT OBSERVABLE for this client: neither holds nor fails", .inconclusive),
        ]
        for (answer, title, verdict) in others {
            let rows = report.rows(answer)
            guard !rows.isEmpty else { continue }
            lines.append(style.palette.paint("\(title) (\(rows.count))", verdict))
            lines += style.isVerbose ? rows.flatMap { $0.lines(style.palette) } : Self.short(rows)
            lines.append("")
        }
        lines += [report.countText, report.exitText(style.process).singleLine]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The failures grouped by cause, the worst first.
    var causes: [[Row]] {
        rows(.fails).grouped { row -> [String?] in
            [row.bug?.rawValue, row.bug == nil ? row.severity?.rawValue : nil, row.ownAdvice]
        }
    }

    /// The most checks of one cause that are listed one by one.
    private static let shownChecks = 3

    private func lines(of cause: [Row], _ style: TextStyle) -> [String] {
        let first = cause[0]
        let indent = String(repeating: " ", count: Self.kindWidth)
        let kind = (first.severity?.words ?? "").padded(to: Self.kindWidth)
        var lines = ["\(kind)\(first.conclusion ?? "")"]
        let name = first.bug.map { "\($0.rawValue), " } ?? ""
        lines.append(indent + style.palette.dim("\(name)in \(cause.count.counted("check")):"))
        let shown = style.isVerbose ? cause : Array(cause.prefix(Self.shownChecks))
        let width = min(30, shown.map(\.name.count).max() ?? 0)
        for row in shown {
            let detail = style.isVerbose ? row.detail : row.detail.withoutHashes
            let inner = indent + String(repeating: " ", count: width + 2)
            lines.append(indent + "\(row.name.singleLine.padded(to: width))  " + style.palette.dim(row.says.singleLine))
            lines.append(inner + detail.singleLine.sentence)
            guard style.isVerbose else { continue }
            lines += [row.event.map { "seen in \($0)" }, row.again.map { "again: \($0)" }].compactMap { $0 }
                .map { inner + style.palette.dim($0.singleLine) }
        }
        let rest = cause.dropFirst(shown.count).map(\.name.singleLine)
        if !rest.isEmpty { lines += Self.wrapped("and " + rest.joined(separator: ", "), indent) }
        if let advice = first.advice { lines.append(indent + "A good client: " + advice.singleLine) }
        lines.append(indent + "again: " + (first.again ?? command(asking: first, style.options)).singleLine)
        return lines
    }

    private static let kindWidth = 12

    /// The command that repeats one of the checks, and keeps its results.
    private func command(asking row: Row, _ options: [String]) -> String {
        let words = ["headwind", "check", "--only", row.name, "--output", "results"] + options + ["--"] + command
        return words.map(\.shellQuoted).joined(separator: " ")
    }

    /// The names of checks, grouped by their reason.
    private static func short(_ rows: [Row]) -> [String] {
        rows.grouped(by: \.reason).flatMap { group in
            let names = group.map(\.name.singleLine).joined(separator: ", ")
            guard !group[0].reason.isEmpty else { return wrapped(names, "  ") }
            return ["  \(group[0].reason.withoutHashes.singleLine.sentence)"] + wrapped(names, "    ")
        }
    }

    /// Wraps a text at spaces into lines of at most 100 characters; a longer word has its own line.
    private static func wrapped(_ text: String, _ indent: String) -> [String] {
        text.split(separator: " ").reduce(into: []) { lines, word in
            if let last = lines.last, last.count + word.count < 100 {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(indent + word)
            }
        }
    }

    /// The number of checks with each answer, as text.
    package var countText: String {
        let words: [(Answer, String)] = [
            (.holds, "hold"), (.fails, "fail"), (.notMeasured, "not measured"), (.notObservable, "not observable"),
        ]
        let counts = words.compactMap { answer, word -> String? in
            let count = rows(answer).count
            return count == 0 ? nil : "\(count) \(word)"
        }
        let seconds = Quantity(durationSeconds, .seconds).rounded()
        let patience = Quantity(patienceSeconds, .seconds).rounded()
        return
            "\(rows.count) checks in \(seconds): \(counts.joined(separator: ", ")); patience \(patience), headwind \(toolVersion)"
    }

    /// What the exit code means, as a sentence; if the process ends with another one, that code and why.
    func exitText(_ process: ProcessStatus? = nil) -> String {
        let meaning =
            switch exitCode {
            case 0: "every observable check holds"
            case 99: "the client fails at least one check"
            default:
                rows(.notMeasured).isEmpty
                    ? "no check could be judged, because the control is not observable"
                    : "not everything could be measured: try again"
            }
        guard let process else { return "Exit code \(exitCode): \(meaning)." }
        return "Exit code \(process.code): \(process.reason) Of the checks: \(meaning)."
    }
}

extension ClientReport.Row {
    /// What is wrong, as one sentence of at most ``CellFailure/Cause/mostCharacters``; nil if the check did not fail.
    package var conclusion: String? {
        guard answer == .fails else { return nil }
        return bug?.row.sentence ?? severity?.sentence
    }

    /// Why the check is not observable, without the names of faults: one text for all checks with one reason.
    fileprivate var reason: String {
        let start = Self.unreached + ": "
        guard answer == .notObservable, detail.hasPrefix(start) else { return detail }
        let rest = detail.dropFirst(start.count)
        if rest.hasPrefix("the fault '") || rest.hasPrefix("the host's fault '") { return Self.unreached }
        return start + rest.prefix { $0 != ":" }
    }

    /// What a good client does, if no bug explains the failure: failures with different advice have different causes.
    var ownAdvice: String? { bug == nil ? advice : nil }

    fileprivate func lines(_ palette: Palette) -> [String] {
        let line = "  \(says.singleLine)  " + palette.dim(name.singleLine)
        return [line] + (detail.isEmpty ? [] : ["    " + detail.singleLine.sentence])
    }
}

extension ClientReport.Severity {
    /// The severity as a word for people.
    package var words: String {
        self == .claimsSuccess ? "no error" : rawValue.replacing("_", with: " ")
    }

    /// What is wrong, as a sentence, if no named bug explains it.
    package var sentence: String {
        switch self {
        case .insecure: "It trusts a host that it must not trust, or leaks secrets."
        case .wrongData: "It reports success, but has a wrong file or none."
        case .crashes: "It crashes: a signal of its own ends it."
        case .losesData: "It changes or removes files that were there before."
        case .claimsSuccess: "It ends with status 0 although there is no pack."
        case .hangs: "It is silent for too long, or still running when its time runs out."
        case .givesUp: "It ends with an error although it could continue."
        case .wasteful: "It uses the network, the host or the machine more than it needs to."
        }
    }
}

extension String {
    /// The text with a capital first letter and a full stop.
    fileprivate var sentence: String {
        let text = withoutFullStop
        return text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix("…") ? "" : ".")
    }
}
