import PackFormat
import Redaction

extension Cell {
    /// The SHA-256 of its text, in hexadecimal digits; nil for a cell that was not read from text.
    package var textDigest: String? { text.map { Digest.sha256Hex(Array($0.utf8)) } }

    /// The cell's name in results and baselines.
    package var nameInBaselines: String {
        let point = point.map { "\($0.path)=\(Redaction.text($0.value))" }.joined(separator: ", ")
        return id + (point.isEmpty ? "" : " [\(point)]")
    }

    /// Whether budgets are compared with a baseline.
    package var isCompared: Bool { budgets.contains { $0.budget.bound.basis == .baseline } }
}
