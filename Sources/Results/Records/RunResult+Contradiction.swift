extension RunResult {
    /// What in the result contradicts its verdict; nil if nothing does.
    var contradiction: String? {
        for cell in cells {
            if let text = Self.contradiction(cell.verdict, cell.exitCode) { return "the cell '\(cell.name)' \(text)" }
            guard cell.verdict == .pass else { continue }
            if cell.countedAttempts.isEmpty { return "the cell '\(cell.name)' passes without an attempt" }
            if cell.checks.isEmpty { return "the cell '\(cell.name)' passes without a check" }
            if let check = cell.checks.first(where: { $0.decides && $0.verdict != .pass }) {
                return "the cell '\(cell.name)' passes, and its check '\(check.name)' does not"
            }
        }
        let isLet = onInconclusive != nil && onInconclusive != .fail && verdict == .inconclusive && exitCode == 0
        if !isLet, let text = Self.contradiction(verdict, exitCode) { return "the run \(text)" }
        guard verdict == .pass else { return nil }
        if cells.isEmpty { return "the run passes without a cell" }
        if let cell = cells.first(where: { $0.decides && $0.verdict != .pass }) {
            return "the run passes, and its cell '\(cell.name)' does not"
        }
        return findings.first.map { "the run passes, and has the finding \($0.attribution.rawValue)" }
    }

    private static func contradiction(_ verdict: Verdict, _ exitCode: Int32) -> String? {
        guard (0...255).contains(exitCode) else {
            return "has the exit code \(exitCode), which is not from 0 to 255"
        }
        guard (exitCode == 0) == (verdict == .pass) else {
            return "has the verdict '\(verdict.rawValue)' and the exit code \(exitCode)"
        }
        return nil
    }
}
