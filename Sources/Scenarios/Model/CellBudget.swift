import FoundationEssentials
package import Results

/// A budget of a cell, and the links over which it holds.
package struct CellBudget: Hashable, Sendable {
    package var budget: Budget
    /// The fidelity of the link that it holds for; `any`: it holds over every link.
    package var fidelity = Link.Fidelity.any
}

extension Cell {
    /// Why no budget of the cell can be a multiple of ideal; nil if one can.
    package var whyNoIdeal: String? { Self.whyNoIdeal(content, workload) }

    static func whyNoIdeal(_ content: Content?, _ workload: Workload?) -> String? {
        switch (content, workload) {
        case (.host, _), (.network, _): "what is downloaded is unknown before the run"
        case (_, .command(let command)) where command.pack == nil: "the command does not say which pack it fetches"
        case (_, .requests(let steps)) where steps.contains(where: \.isPause):
            "the workload has steps other than downloads"
        case (_, let workload?) where workload.isBuiltIn && workload.namesOfBegun.isEmpty:
            "the workload downloads nothing"
        default: nil
        }
    }

    /// The budgets that hold over links of this fidelity, in the order of the file; all of them for `any`.
    package func budgets(over fidelity: Link.Fidelity) -> [Budget] {
        budgets.filter { fidelity == .any || [.any, fidelity].contains($0.fidelity) }.map(\.budget)
    }
}

extension CellPlan {
    /// What a cell expects over links of a fidelity; its day is today.
    package init(_ cell: Cell, over fidelity: Link.Fidelity) {
        self.init(
            expectations: cell.expectations.requests, conduct: cell.expectations.conduct,
            budgets: cell.budgets(over: fidelity),
            attempts: cell.attempts.min, maximumAttempts: cell.attempts.max)
        self.quarantine = cell.quarantine
        self.day = Date().formatted(Date.ISO8601FormatStyle().year().month().day())
    }
}
