import LinuxSupport
import Scenarios

extension Run {
    /// Checks before the start that the resources suffice for `together` cells or attempts at once.
    ///
    /// Throws ``ResourceShortage``.
    func checkNeeds(of cells: [Cell], together: Int) throws(ResourceShortage) {
        let needsPackets = cells.contains { $0.link.fidelity == .packet }
        let hasCells = needsPackets || backend != .proxy && cells.contains { $0.link.fidelity == .any }
        let hint = together > 1 ? "give --jobs 1" : hasCells && !needsPackets ? "give --backend proxy" : nil
        try ResourceNeeds.run(jobs: together, hasCells: hasCells).check(
            for: together == 1 ? "This run" : "This run with \(together) cells at once", hint: hint)
    }
}
