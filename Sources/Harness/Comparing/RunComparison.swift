import LinuxSupport
package import Results
package import Scenarios
import SystemPackage

/// The baseline that the budgets of a run are compared with.
package enum RunComparison: Sendable {
    /// Another client, or another host, that takes turns with the tested one.
    case interleaved(Rival)
    /// Measurements of an earlier run, and the name of their file.
    case stored(StoredBaseline, file: String)
    /// None: the run makes a baseline, and budgets against one are left out.
    case leftOut

    /// How many attempts a stored baseline has of a cell; nil if it has none, or too few to compare.
    func storedAttempts(of cell: String) -> Int? {
        guard case .stored(let stored, _) = self,
            let count = stored.cells.first(where: { $0.name == cell })?.attempts.count
        else { return nil }
        return count < Comparison.fewestAttempts ? nil : count
    }

    /// Whether budgets against a baseline are left out.
    var leavesOut: Bool { if case .leftOut = self { true } else { false } }
}

/// The client or host that takes turns with the tested one.
package enum Rival: Sendable {
    /// A program that replaces headwind-client.
    case client(Programs)
    /// A command that replaces the scenario's.
    case command(Command.Call, words: [String])
    /// The manifest of another host.
    case host(manifest: String)

    /// A command with the same placeholders as in a scenario.
    ///
    /// Throws `InvalidFiles` for an unknown placeholder, or a program that does not exist.
    package init(words: [String]) throws {
        let whole = WholePaths.of(words)
        let call = try Command.Call(words: whole)
        try call.checkProgram()
        self = .command(call, words: whole)
    }

    /// Whether it can replace the client or host of a cell.
    package func isFit(for cell: Cell) -> Bool {
        switch (self, cell.workload, cell.content) {
        case (.client, .requests, _), (.command, .command, _), (.host, _, .host): true
        default: false
        }
    }
}
