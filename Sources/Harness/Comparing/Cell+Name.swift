import Redaction
import Scenarios

extension Cell {
    /// The cell's name in results and baselines.
    var nameInBaselines: String {
        let point = point.map { "\($0.path)=\(Redaction.text($0.value))" }.joined(separator: ", ")
        return id + (point.isEmpty ? "" : " [\(point)]")
    }
}
