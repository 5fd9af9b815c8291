import ProcessGuard
package import ResultFiles
package import Results
import Scenarios

extension Run {
    /// Goes on with a run that ended early: runs the cells that have no verdict yet, and those that changed since.
    ///
    /// Cells whose trouble was not the client's run again, too. The result is that of all sittings together, in the run's folder.
    /// Throws ``ResultFileError/noRun(_:reason:)`` where the run had cells that the scenarios do not have, and as ``perform()``
    /// does.
    package func perform(takingUp sittings: RunSittings) async throws -> RunResult {
        let cells = scenarios.flatMap(\.cells)
        let order = cells.map(\.nameInBaselines)
        let known = sittings.names
        guard known.isSubset(of: Set(order + cells.map(\.id))) else {
            let reason = "its cells differ from those of these scenarios; run the scenarios again, with --output"
            throw ResultFileError.noRun(sittings.folder, reason: reason)
        }
        let finished = try await unchangedCells(sittings.cells)
        report(.takenUp(finished: finished.count, of: cells.count))
        var rest = self
        rest.keep { !finished.contains(cells[$0].nameInBaselines) }
        (rest.hold, rest.junit) = (nil, nil)
        try sittings.begin()
        rest.output = sittings.next
        if !rest.scenarios.isEmpty { _ = try await rest.perform() }
        let (result, files) = try sittings.finish(order: order, toolVersion: toolVersion)
        report(.filed(names: files))
        return result
    }

    /// The names of the cells that have a verdict about what they are now, on a machine like this one.
    private func unchangedCells(_ earlier: [String: CellResult]) async throws -> Set<String> {
        try await withScratchDirectory(in: Self.temporary, guardProgram: programs.guardProgram) { scratch in
            let contents = ContentStore(scratch: scratch, packs: builtPacks)
            let unchanged = try scenarios.flatMap(\.cells).filter { cell in
                guard let result = earlier[cell.nameInBaselines], result.verdict != .infrastructure,
                    let fingerprint = result.fingerprint, result.textDigest == cell.textDigest
                else { return false }
                // How many went on at once is nothing that a verdict rests on.
                var now = Fingerprint(
                    of: cell, over: result.link, programs, contentDigest: try contents.prepare(cell)?.digest,
                    toolVersion: toolVersion, jobs: .auto)
                (now.jobs, now.isAdaptive) = (fingerprint.jobs, fingerprint.isAdaptive)
                return now.differences(from: fingerprint).isEmpty
            }
            return Set(unchanged.map(\.nameInBaselines))
        }
    }
}
