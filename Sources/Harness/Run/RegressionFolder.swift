import FoundationEssentials
import Glibc
import LinkModel
import LinuxSupport
import Redaction
import ResultFiles
import Results
package import Scenarios
package import SystemPackage

/// A folder to commit, with a scenario that shows a bug, one without one fault that passes, their packs, and results.
package struct RegressionFolder: Sendable {
    package static let failing = "fails.yaml"
    package static let passing = "passes.yaml"
    package static let results = "results"

    /// What ``make(failing:passing:)`` made.
    package struct Contents: Sendable {
        /// The verdict of the failing scenario, and that of the passing one if there is one.
        var verdicts: [Verdict]
        /// The keys of the scenarios whose secrets the files leave out.
        var leftOut: [String]

        /// Whether the failing scenario fails if it is run as it was written.
        package var reproduces: Bool { verdicts.first == .fail && leftOut.isEmpty }

        /// Sentences on what is not as the files say; `name` is that of the folder.
        package func notes(_ name: String) -> [String] {
            let wanted: [(file: String, verdict: Verdict, otherwise: String)] = [
                (RegressionFolder.failing, .fail, "did not fail in a further run."),
                (RegressionFolder.passing, .pass, "did not pass: the failure may have another cause."),
            ]
            var notes = zip(wanted, verdicts).filter { $0.verdict != $1 }.map { wanted, verdict in
                "'\(name)/\(wanted.file)' "
                    + (verdict == .infrastructure ? "could not be measured: run it again." : wanted.otherwise)
            }
            if !leftOut.isEmpty {
                notes.append(
                    "'\(name)/\(RegressionFolder.failing)' lacks secrets or URL queries in: "
                        + leftOut.joined(separator: ", ")
                        + ". Put them back where it says [redacted] before you run it.")
            }
            return notes
        }
    }

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

    /// The words behind `headwind` that run scenarios; `client` is the program that replaces headwind-client.
    package static func command(of files: [FilePath], client: String?) -> [String] {
        ["run"] + (client.map { ["--client", $0] } ?? []) + files.map(\.string)
    }

    /// Writes the scenarios, runs them, and keeps the results with a bundle and a page.
    ///
    /// Both cells play a schedule. A folder of packs is copied, so that the bug's folder is complete. Files leave out
    /// secrets; then the given cells are run instead. Throws ``HarnessError`` if a file cannot be written, and the
    /// errors of ``Run/perform()``.
    package func make(failing: Cell, passing: Cell?) async throws -> Contents {
        var files = [(Self.failing, failing)]
        if let passing { files.append((Self.passing, passing)) }
        let leftOut = try files.map { try write($0.1, as: $0.0) }
        try copyPacks(of: failing)
        var run = run
        run.output = folder.appending(Self.results)
        let words = Self.command(of: files.map { folder.appending($0.0) }, client: run.programs.foreignClient)
        run.commandLine = Redaction.arguments(run.commandLine.prefix(1) + words)
        run.scenarios = try ScenarioLoader(profiles: profiles).load(files.map { folder.appending($0.0) })
        for (index, file) in files.enumerated() where !leftOut[index].isEmpty {
            var cell = file.1
            let written = run.scenarios[index].cells[0]
            (cell.id, cell.place) = (written.id, written.place)
            run.scenarios[index].cells = [cell]
        }
        let verdicts = try await run.perform().cells.map(\.verdict)
        return Contents(verdicts: verdicts, leftOut: leftOut[0])
    }

    /// Writes a scenario; returns its keys with secrets that are left out.
    private func write(_ cell: Cell, as name: String) throws -> [String] {
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
        return bundle.leftOut
    }

    private func copyPacks(of cell: Cell) throws {
        guard let packs = cell.packsFolder else { return }
        let copy = folder.appending(ScenarioBundle.packsFolder)
        if !FileManager.default.fileExists(atPath: copy.string) { try Self.copy(packs, to: copy) }
    }

    /// Copies a folder; copies what a symbolic link to a folder stands for.
    static func copy(_ packs: FilePath, to copy: FilePath) throws {
        let folder = URL(filePath: packs.string).resolvingSymlinksInPath().path
        do { try FileManager.default.copyItem(atPath: folder, toPath: copy.string) } catch {
            throw HarnessError.notWritten(copy, reason: error.systemReason)
        }
    }
}

extension Cell {
    /// The folder of packs that is served unchanged; nil if packs are built.
    fileprivate var packsFolder: FilePath? { if case .packs(let folder) = content { folder } else { nil } }
}
