package import Results
import Wording

extension ClientReport {
    /// The report for a terminal, with a line's end at the end.
    ///
    /// `process` is another status than the report's own that the process ends with.
    package func text(palette: Palette = .plain, process: ProcessStatus? = nil) -> String {
        let report = redacted
        var lines = ["Client: \(report.command.map(\.shellQuoted).joined(separator: " "))", ""]
        let groups: [(Answer, String, Verdict)] = [
            (.fails, "FAILS, the worst first", .fail),
            (.notMeasured, "NOT MEASURED: worth another try", .infrastructure),
            (.holds, "HOLDS", .pass),
            (.notObservable, "NOT OBSERVABLE for this client: neither holds nor fails", .inconclusive),
        ]
        for (answer, title, verdict) in groups {
            let rows = report.rows(answer)
            guard !rows.isEmpty else { continue }
            lines.append(palette.paint("\(title) (\(rows.count))", verdict))
            lines += rows.flatMap { $0.lines(palette) } + [""]
        }
        lines += [report.countText, report.exitText(process).singleLine]
        return lines.joined(separator: "\n") + "\n"
    }

    /// How many rows came to what.
    var countText: String {
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

    private func exitText(_ process: ProcessStatus?) -> String {
        let meaning =
            switch exitCode {
            case 0: "what could be seen of this client holds"
            case 99: "the client does not do all that a good one does"
            default: "not everything could be measured, which is worth another try"
            }
        guard let process else { return "Exit code \(exitCode): \(meaning)." }
        return "Exit code \(process.code): \(process.reason) Of the checks: \(meaning)."
    }
}

extension ClientReport.Row {
    fileprivate func lines(_ palette: Palette) -> [String] {
        let kind = (severity?.words ?? "").padded(to: answer == .fails ? 11 : 0)
        var lines = ["  " + (kind.isEmpty ? "" : kind + " ") + "\(says.singleLine)  " + palette.dim(name.singleLine)]
        let indent = String(repeating: " ", count: answer == .fails ? 14 : 4)
        if !detail.isEmpty { lines.append(indent + detail.singleLine.sentence) }
        if let bug { lines.append(indent + palette.dim("bug: " + bug.rawValue)) }
        if let advice { lines.append(indent + "A good client: " + advice.singleLine) }
        if let again { lines.append(indent + palette.dim("again: " + again.singleLine)) }
        return lines
    }
}

extension ClientReport.Severity {
    /// For people.
    package var words: String {
        switch self {
        case .insecure: "insecure"
        case .wrongData: "wrong data"
        case .crashes: "crashes"
        case .claimsSuccess: "no error"
        case .hangs: "hangs"
        case .givesUp: "gives up"
        case .wasteful: "wasteful"
        }
    }
}

extension String {
    /// With a capital letter at its start and a full stop at its end.
    fileprivate var sentence: String {
        let text = withoutFullStop
        return text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix("…") ? "" : ".")
    }
}
