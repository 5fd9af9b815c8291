import LinuxSupport
package import Results
package import Scenarios
import SystemPackage

/// What the budgets of a run against a baseline are compared with.
package enum RunComparison: Sendable {
    /// Another client, or another host, that takes turns with the tested one.
    case interleaved(Rival)
    /// What an earlier run measured, and the name of its file.
    case stored(StoredBaseline, file: String)
    /// Nothing: the run makes a baseline, and budgets against one are left out.
    case leftOut

    /// How many attempts a stored baseline has of a cell; nil where there is none, or too few to be compared at all.
    func storedAttempts(of cell: String) -> Int? {
        guard case .stored(let stored, _) = self,
            let count = stored.cells.first(where: { $0.name == cell })?.attempts.count
        else { return nil }
        return count < Comparison.fewestAttempts ? nil : count
    }

    /// Whether budgets against a baseline are left out.
    var leavesOut: Bool { if case .leftOut = self { true } else { false } }
}

/// What takes turns with what is tested.
package enum Rival: Sendable {
    /// A program in headwind-client's place.
    case client(Programs)
    /// A command in the place of the scenario's.
    case command(Command.Call, words: [String])
    /// The manifest of another host.
    case host(manifest: String)

    /// A command with the placeholders of a scenario's.
    ///
    /// Throws `InvalidFiles` for a placeholder that stands for nothing, or a program that is not there.
    package init(words: [String]) throws {
        let whole = WholePaths.of(words)
        let call = try Command.Call(words: whole)
        try call.checkProgram()
        self = .command(call, words: whole)
    }

    /// Whether it can take turns with the client of a cell.
    package func isFit(for cell: Cell) -> Bool {
        switch (self, cell.workload, cell.content) {
        case (.client, .requests, _), (.command, .command, _), (.host, _, .host): true
        default: false
        }
    }
}

extension Cell {
    /// Whether budgets are compared with a baseline.
    package var isCompared: Bool { budgets.contains { $0.budget.bound.basis == .baseline } }
}

extension Command.Call {
    /// Throws `InvalidFiles`, of no file, where a command line names a program that is not there.
    func checkProgram() throws {
        guard let program, Environment.program(program) == nil else { return }
        let isBeside = !program.contains("/") && Environment.program("./\(program)") != nil
        let hint = isBeside ? "it is in this folder, and not in PATH: write ./\(program)" : "check its path, and PATH"
        let message = "there is no program '\(program)'"
        throw InvalidFiles([Diagnostic(file: "", mark: .start, message: message, hint: hint)])
    }
}
