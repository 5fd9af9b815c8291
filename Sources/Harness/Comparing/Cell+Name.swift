import Redaction
import Scenarios

extension Cell {
    /// The name of its scenario.
    var scenarioName: String {
        id.firstIndex(of: "[").map { String(id[..<$0]).trimmingSuffix(" ") } ?? id
    }

    /// The cell's name in results and baselines.
    var nameInBaselines: String {
        let point = point.map { "\($0.path)=\(Redaction.text($0.value))" }.joined(separator: ", ")
        return scenarioName + (point.isEmpty ? "" : " [\(point)]")
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
