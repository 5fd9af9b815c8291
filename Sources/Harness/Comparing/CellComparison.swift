import Evidence
import Redaction
import Results
import Scenarios
import Wording

/// The baseline for budgets of cells, in a run with a known number of cells that have such budgets.
struct CellComparison: Sendable {
    /// nil: there is no baseline.
    let comparison: RunComparison?
    let cells: Int

    /// The plan of a cell with this name, with its baseline.
    func adding(to plan: CellPlan, for name: String, _ fingerprint: Fingerprint) -> CellPlan {
        var plan = plan
        switch comparison {
        case nil: break
        case .leftOut: plan.budgets.removeAll { $0.bound.basis == .baseline }
        case .interleaved: plan.comparison = Comparison(.interleaved, cells: cells)
        case .stored(let stored, _): plan.comparison = Comparison(stored.source(for: name, fingerprint), cells: cells)
        }
        return plan
    }

    /// The notes on a cell whose budgets against a baseline are left out.
    func notes(on cell: Cell) -> [String] {
        guard comparison?.leavesOut == true, cell.isCompared else { return [] }
        return ["budgets against a baseline are left out: this run makes the baseline"]
    }

    /// The context of an attempt of one arm; `pair` is nil if arms do not take turns.
    func turn(of arm: Arm?, pair: Int?, in context: CellContext) -> CellContext {
        guard let pair, case .interleaved(let rival) = comparison else { return context }
        var turn = context
        turn.pair = pair
        guard arm == .baseline else { return turn }
        switch rival {
        case .client(let programs): turn.settings.programs = programs
        case .command(let call, _):
            guard var command = turn.cell.workload.command else { break }
            command.call = call
            turn.cell.workload = .command(command)
        case .host(let manifest):
            guard case .host(var host) = turn.cell.content else { break }
            (host.manifest, host.tagTable) = (manifest, nil)
            turn.cell.content = .host(host)
        }
        return turn
    }

    /// The baseline's facts for a result; nil if the cell was not compared.
    ///
    /// `name` is the cell's name in baselines.
    func facts(of result: CellResult, named name: String, _ plan: CellPlan) -> BaselineFacts? {
        guard !plan.comparedBudgets.isEmpty else { return nil }
        switch comparison {
        case nil, .leftOut: return nil
        case .interleaved(let rival):
            return BaselineFacts(
                kind: .interleaved, name: rival.name, attempts: result.attempts.count(where: \.isCompared))
        case .stored(let stored, let file):
            let cell = stored.cells.first { $0.name == name }
            return BaselineFacts(
                kind: .stored, name: Redaction.text(file), madeAt: cell?.madeAt, fingerprint: cell?.fingerprint,
                attempts: cell?.attempts.count ?? 0)
        }
    }
}

extension Rival {
    /// The rival's name in results, without secrets.
    fileprivate var name: String {
        switch self {
        case .client(let programs): Redaction.text(programs.clientName)
        case .command(_, let words): ShellWords.quoted(Redaction.arguments(words))
        case .host(let manifest): Redaction.url(manifest)
        }
    }
}
