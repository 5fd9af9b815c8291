import FoundationEssentials
import Glibc
import LinkModel
import LinuxSupport
import ResultFiles
package import Results
package import Scenarios
package import SystemPackage

/// A folder to commit, with a scenario that shows a bug, one without one fault that passes, their packs, and results.
package struct RegressionFolder: Sendable {
    package static let failing = "fails.yaml"
    package static let passing = "passes.yaml"
    package static let results = "results"

    /// The folder of the bug.
    package let folder: FilePath
    private let run: Run
    private let profiles: ProfileLibrary

    /// `run` sets how scenarios are run; its own scenarios are ignored.
    package init(folder: FilePath, run: Run, profiles: ProfileLibrary) {
        (self.folder, self.run, self.profiles) = (folder, run, profiles)
    }

    /// The number of attempts, at most 30, of which all miss a failure of this rate in one of 20 cases.
    package static func attempts(rate: Double) -> Int {
        rate > 0.95 ? 1 : min(30, Int((log(0.05) / log(1 - rate)).rounded(.up)))
    }

    /// Writes the scenarios, runs them, and keeps the results with a bundle and a page.
    ///
    /// Both cells play a schedule. A folder of packs is copied, so that the bug's folder is complete. Throws
    /// ``HarnessError`` if a file cannot be written, and the errors of ``Run/perform()``.
    package func make(failing: Cell, passing: Cell?) async throws -> RunResult {
        var files = [(Self.failing, failing)]
        if let passing { files.append((Self.passing, passing)) }
        for (name, cell) in files { try write(cell, as: name) }
        try copyPacks(of: failing)
        var run = run
        run.output = folder.appending(Self.results)
        run.scenarios = try ScenarioLoader(profiles: profiles).load(files.map { folder.appending($0.0) })
        return try await run.perform()
    }

    private func write(_ cell: Cell, as name: String) throws {
        guard let schedule = cell.schedule?.faults,
            let bundle = ScenarioBundle(
                cell, playing: schedule, fidelity: cell.link.fidelity,
                packs: cell.packsFolder == nil ? .asNamed : .copied, isScheduleInline: true, in: folder.absolute)
        else { preconditionFailure("the cell of a hunt was read from a text, and plays a schedule") }
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

    private func copyPacks(of cell: Cell) throws {
        guard let packs = cell.packsFolder else { return }
        let copy = folder.appending(ScenarioBundle.packsFolder)
        guard !FileManager.default.fileExists(atPath: copy.string) else { return }
        do { try FileManager.default.copyItem(atPath: packs.string, toPath: copy.string) } catch {
            throw HarnessError.notWritten(copy, reason: error.systemReason)
        }
    }
}

extension Cell {
    /// The folder of packs that is served unchanged; nil if packs are built.
    fileprivate var packsFolder: FilePath? { if case .packs(let folder) = content { folder } else { nil } }
}
