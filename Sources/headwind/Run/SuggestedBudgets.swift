import Redaction
import Results
import Scenarios

/// Budgets with numbers that a run has measured, as YAML to be copied into its scenarios.
struct SuggestedBudgets {
    /// The YAML; empty where there are no numbers for any cell.
    private(set) var text = ""
    /// The cells without numbers, and why.
    private(set) var refusals: [String] = []
    /// The cells whose numbers are of a busy machine, and how busy it was.
    private(set) var warnings: [String] = []

    /// The budgets of all cells of a run of these scenarios; `margin` is a share.
    init(_ result: RunResult, of scenarios: [Scenario], margin: Double) {
        let results = Dictionary(result.redacted.cells.map { ($0.scenario, $0) }) { first, _ in first }
        var blocks: [String] = []
        for scenario in scenarios {
            var cells: [(cell: Cell, result: CellResult, suggestion: BudgetSuggestion)] = []
            for cell in scenario.cells {
                guard let result = results[cell.id] else {
                    refusals.append("\(cell.id): it was not finished")
                    continue
                }
                do throws(BudgetSuggestion.Refusal) {
                    let suggestion = try BudgetSuggestion(
                        result, margin: margin, knowsIdeal: cell.whyNoIdeal == nil)
                    cells.append((cell, result, suggestion))
                    if let noise = Self.noise(in: result) { warnings.append("\(cell.id): \(noise)") }
                } catch {
                    refusals.append("\(cell.id): \(error)")
                }
            }
            guard !cells.isEmpty else { continue }
            let head =
                "# \(Redaction.text(scenario.file.string).oneLine), by headwind \(result.toolVersion), margin \(Quantity(margin, .ratio).rounded())\n"
            blocks.append(
                head
                    + (scenario.cells.count == 1
                        ? Self.block(cells[0].result, cells[0].suggestion) : Self.blocks(cells)))
        }
        text = blocks.joined(separator: "\n")
    }

    /// Why not every cell has numbers, as a sentence; nil where all have.
    var shortfall: String? {
        guard let first = refusals.first else { return nil }
        let more = refusals.count > 1 ? " Also none for \(refusals.count - 1) more." : ""
        return "No budgets for \(first)" + (first.hasSuffix(".") ? "" : ".") + more
    }

    /// From this share on of attempts that had to be repeated it is said with the numbers.
    private static let tellingNoise = 0.1

    /// That a machine was too busy in many of a cell's attempts; nil where it was not.
    static func noise(in cell: CellResult) -> String? {
        let made = cell.attempts.count { $0.arm == nil }
        let repeated = made - cell.countedAttempts.count
        guard repeated > 0, Double(repeated) >= tellingNoise * Double(made) else { return nil }
        return "the machine was too busy in \(repeated) of \(made) attempts; measure again on a quieter one"
    }

    private static func block(_ result: CellResult, _ suggestion: BudgetSuggestion) -> String {
        "budgets:\n" + lines(result, suggestion, indent: "  ")
    }

    /// Those of a matrix, each at its point.
    private static func blocks(_ cells: [(cell: Cell, result: CellResult, suggestion: BudgetSuggestion)]) -> String {
        "cells:\n"
            + cells.map { cell, result, suggestion in
                let when = cell.point.map { "\($0.path): \(StarterScenario.quoted($0.value))" }.joined(separator: ", ")
                return "  - when: {\(when)}\n    budgets:\n" + lines(result, suggestion, indent: "      ")
            }.joined()
    }

    static func lines(_ result: CellResult, _ suggestion: BudgetSuggestion, indent: String) -> String {
        let link = "\(result.link.profile) by \(result.link.backend) (fidelity: \(result.link.fidelity))".oneLine
        return "\(indent)# of \(suggestion.attempts) attempts over \(link)\n"
            + (noise(in: result).map { "\(indent)# \($0)\n" } ?? "")
            + suggestion.budgets.map { "\(indent)\($0.key): \($0.text)\n" }.joined()
    }
}

extension String {
    /// The text as a comment may have it.
    fileprivate var oneLine: String { String(map { $0.isNewline ? " " : $0 }) }
}
