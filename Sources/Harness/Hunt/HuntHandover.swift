import FoundationEssentials
import Glibc
package import Hunting
import LinkModel
import ResultFiles
package import Results
package import Scenarios
package import SystemPackage

/// What a hunt leaves of a bug: a scenario that fails because of it, one that passes, and the results of both.
package struct HuntHandover: Sendable {
    package static let failing = "fails.yaml"
    package static let passing = "passes.yaml"
    package static let results = "results"

    /// The bug's own folder.
    package let folder: FilePath
    private let run: Run
    private let profiles: ProfileLibrary

    /// `run` says how scenarios are run; its own scenarios do not matter.
    package init(folder: FilePath, run: Run, profiles: ProfileLibrary) {
        (self.folder, self.run, self.profiles) = (folder, run, profiles)
    }

    /// Writes the scenarios, runs them, and keeps the results with a bundle and a page.
    ///
    /// The passing one has one fault fewer. Throws ``HarnessError`` where a file cannot be written, and as ``Run/perform()`` does.
    package func make(_ bug: HuntedBug, on ground: HuntGround) async throws -> RunResult {
        let rate = Double(max(1, bug.cameBack)) / Double(max(1, bug.plays))
        // So many that a failure is missed in one of twenty.
        let attempts = rate > 0.95 ? 1 : min(30, Int((log(0.05) / log(1 - rate)).rounded(.up)))
        var fewer = bug.candidate.faults
        if !fewer.isEmpty { fewer.removeLast() }
        try write(
            ground.cell(playing: bug.candidate).titled(
                "The client holds when \(bug.candidate.words)", attempts: attempts),
            bug.candidate, as: Self.failing)
        let nearest = Candidate(fewer)
        try write(
            ground.cell(playing: nearest).titled("With one fault fewer: \(nearest.words)", attempts: 1), nearest,
            as: Self.passing)
        var run = run
        run.output = folder.appending(Self.results)
        run.scenarios = try ScenarioLoader(profiles: profiles).load([Self.failing, Self.passing].map(folder.appending))
        return try await run.perform()
    }

    private func write(_ cell: Cell, _ candidate: Candidate, as name: String) throws {
        guard
            let bundle = ScenarioBundle(
                cell, playing: candidate.schedule, fidelity: cell.link.fidelity, packs: .asNamed, isScheduleInline: true
            )
        else { preconditionFailure("the cell of a hunt was read from a text") }
        for (file, text) in bundle.files {
            let path = folder.appending(file == ScenarioBundle.scenarioFile ? name : file)
            do {
                try FileManager.default.createDirectory(
                    atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
                try AtomicFile.write(text.utf8, to: path)
            } catch {
                throw HarnessError.notWritten(path, reason: error.systemReason)
            }
        }
    }
}
