package import ResultFiles
package import Results
import Scenarios

extension Run {
    /// Continues a run that ended early: runs the cells that have no verdict yet, and those that changed since.
    ///
    /// Cells with trouble that the client did not cause run again, too. The result combines all sittings, in the run's
    /// folder. Throws ``ResultFileError/noRun(_:reason:)`` if the run had other cells than the scenarios or was another
    /// part of a divided run, and the errors of ``perform()``.
    package func perform(takingUp sittings: RunSittings) async throws -> RunResult {
        let cells = scenarios.flatMap(\.cells)
        let order = cells.map(\.nameInBaselines)
        let known = sittings.names
        let hasSameCells =
            known.isSubset(of: Set(order + cells.map(\.id)))
            && cells.allSatisfy { known.contains($0.nameInBaselines) || known.contains($0.id) }
        guard hasSameCells, shard == sittings.shard else {
            let what = hasSameCells ? "its division among shards differs from that" : "its cells differ from those"
            let reason = "\(what) of these scenarios; run the scenarios again, with --output"
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

    /// The names of the unchanged cells that have a verdict from a machine like this one.
    private func unchangedCells(_ earlier: [String: CellResult]) async throws -> Set<String> {
        try await withContents { contents in
            let unchanged = try scenarios.flatMap(\.cells).filter { cell in
                guard let result = earlier[cell.nameInBaselines], result.verdict != .infrastructure,
                    let fingerprint = result.fingerprint, result.textDigest == cell.textDigest
                else { return false }
                // A verdict does not depend on how many attempts ran at once.
                var now = Fingerprint(
                    of: cell, over: result.link, programs.facts(toolVersion: toolVersion),
                    contentDigest: try contents.prepare(cell)?.digest, jobs: .auto)
                (now.jobs, now.isAdaptive) = (fingerprint.jobs, fingerprint.isAdaptive)
                return now.differences(from: fingerprint).isEmpty
            }
            return Set(unchanged.map(\.nameInBaselines))
        }
    }
}
