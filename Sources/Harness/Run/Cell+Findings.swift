import Results
import Scenarios

extension Scenarios.Cell {
    /// The finding; one about the scenario gets the file and line that it is about.
    func located(_ finding: Finding) -> Finding {
        guard finding.attribution.row.subject == .scenario, let place else { return finding }
        let key =
            switch finding.attribution {
            case .faultNotPlayed: "faults"
            case .metricMissing, .nothingChecked: mark(of: "budgets") == nil ? "expect" : "budgets"
            default: "workload"
            }
        var finding = finding
        let line = mark(of: key)?.line ?? place.line
        finding.detail = finding.detail.withoutFullStop + " (\(place.file):\(line))"
        return finding
    }
}
