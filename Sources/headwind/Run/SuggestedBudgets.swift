import Redaction
import Results
import Scenarios

/// Budgets from the measurements of a run, as YAML to copy into its scenarios.
struct SuggestedBudgets {
    /// The YAML; empty if no cell has numbers.
    private(set) var text = ""
    /// The cells without numbers, with the reasons.
    private(set) var refusals: [String] = []
    /// The cells whose numbers come from a busy machine, and how busy it was.
    private(set) var warnings: [String] = []

    /// Makes the budgets of all cells of a run; `margin` is a share, such as 0.25.
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
                    let suggestion = try BudgetSuggestion(result, margin: margin, knowsIdeal: cell.whyNoIdeal == nil)
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
                    + (cells[0].cell.point.isEmpty
                        ? Self.block(cells[0].result, cells[0].suggestion) : Self.blocks(cells)))
        }
        text = blocks.joined(separator: "\n")
    }

    /// Why not every cell has numbers, as a sentence; nil if all have.
    var shortfall: String? {
        guard let first = refusals.first else { return nil }
        let more = refusals.count > 1 ? " Also none for \(refusals.count - 1) more." : ""
        return "No budgets for \(first)" + (first.hasSuffix(".") ? "" : ".") + more
    }

    /// The share of repeated attempts from which a warning accompanies the numbers.
    private static let tellingNoise = 0.1

    /// The warning that the machine was too busy in many of a cell's attempts; nil if it was not.
    static func noise(in cell: CellResult) -> String? {
        let made = cell.attempts.count { $0.arm == nil }
        let repeated = made - cell.countedAttempts.count
        guard repeated > 0, Double(repeated) >= tellingNoise * Double(made) else { return nil }
        return "the machine was too busy in \(repeated) of \(made) attempts; measure again on a quieter one"
    }

    private static func block(_ result: CellResult, _ suggestion: BudgetSuggestion) -> String {
        "budgets:\n" + lines(result, suggestion, indent: "  ")
    }

    /// The budgets of a matrix, one block for each point.
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
    /// The text on one line, for a comment.
    fileprivate var oneLine: String { String(map { $0.isNewline ? " " : $0 }) }
}
