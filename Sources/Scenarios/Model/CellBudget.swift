package import Results

/// A budget of a cell, and over which links it holds.
package struct CellBudget: Hashable, Sendable {
    package var budget: Budget
    /// What the link has to be for it; `any`: it holds over every link.
    package var fidelity: Link.Fidelity

    package init(_ budget: Budget, over fidelity: Link.Fidelity = .any) {
        self.budget = budget
        self.fidelity = fidelity
    }
}

extension Cell {
    /// The budgets that hold over links of this fidelity, in the order of the file; of all of them for `any`.
    package func budgets(over fidelity: Link.Fidelity) -> [Budget] {
        budgets.filter { fidelity == .any || [.any, fidelity].contains($0.fidelity) }.map(\.budget)
    }
}
