import Evidence
import FoundationEssentials
import Glibc
import LinkModel
package import Links
import LinuxSupport
import PackFormat
import ProcessGuard
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

    /// Packs with more bytes than this in total are not copied: as many as a hunt's own pack may have.
    private static let mostPackBytes: Int64 = 64 << 20

    /// What ``make(failing:passing:fetched:)`` made.
    package struct Contents: Sendable {
        /// The verdict of the failing scenario, and that of the passing one if there is one.
        var verdicts: [Verdict]
        /// The keys of the scenarios whose secrets the files leave out.
        var leftOut: [String]
        /// The user's folder of packs or resources, if it was not copied.
        var uncopied: FilePath?

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
            if let uncopied {
                notes.append(
                    "'\(name)/\(RegressionFolder.failing)' needs the folder '\(uncopied)', which is not copied. "
                        + "Correct its path if you run it elsewhere.")
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
    package static func command(of files: [FilePath], client: String?, backend: LinkBackend?) -> [String] {
        var words = ["run"]
        if let client { words += ["--client", client] }
        if let backend { words += ["--backend", backend.rawValue] }
        return words + files.map(\.string)
    }

    /// Writes the scenarios, runs them, and keeps the results with a bundle and a page.
    ///
    /// Both cells play a schedule. Packs are copied, so that the bug's folder is complete, but resources of a catalog
    /// are not. `fetched` has the identifiers of packs that the client gets without faults: of a folder without a
    /// manifest only they are copied, and those that the cell names; nil: all of it. Files leave out secrets; then the
    /// given cells are run instead. Throws ``HarnessError`` if a file cannot be written, and the errors of
    /// ``Run/perform()``.
    package func make(failing: Cell, passing: Cell?, fetched: Set<String>?) async throws -> Contents {
        var files = [(Self.failing, failing)]
        if let passing { files.append((Self.passing, passing)) }
        let isCopied = try await copyPacks(of: failing, fetched: fetched)
        let leftOut = try files.map { try write($0.1, as: $0.0, packs: isCopied ? .copied : .asNamed) }
        var run = run
        run.output = folder.appending(Self.results)
        let words = Self.command(
            of: files.map { folder.appending($0.0) }, client: run.programs.foreignClient, backend: run.backend)
        run.commandLine = Redaction.arguments(run.commandLine.prefix(1) + words)
        run.scenarios = try ScenarioLoader(profiles: profiles).load(files.map { folder.appending($0.0) })
        for (index, file) in files.enumerated() where !leftOut[index].isEmpty {
            var cell = file.1
            let written = run.scenarios[index].cells[0]
            (cell.id, cell.place) = (written.id, written.place)
            if isCopied { cell.content = written.content }
            run.scenarios[index].cells = [cell]
        }
        let verdicts = try await run.perform().cells.map(\.verdict)
        return Contents(verdicts: verdicts, leftOut: leftOut[0], uncopied: isCopied ? nil : failing.folder)
    }

    /// Writes a scenario; returns its keys with secrets that are left out.
    private func write(_ cell: Cell, as name: String, packs: ScenarioBundle.Packs) throws -> [String] {
        guard let schedule = cell.schedule?.faults,
            let bundle = ScenarioBundle(
                cell, playing: schedule, fidelity: cell.link.fidelity, packs: packs, isScheduleInline: true,
                in: folder.absolute)
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

    /// Copies packs that the cell serves unchanged, those that its client needs; returns whether there are any.
    func copyPacks(of cell: Cell, fetched: Set<String>?) async throws -> Bool {
        guard case .packs(let source) = cell.content else { return false }
        var whole = cell
        // The scenario leaves packs out of the manifest again.
        whole.omitted = []
        return try await withScratchDirectory(in: Run.temporary, guardProgram: run.programs.guardProgram) { scratch in
            guard let content = try ContentStore(scratch: scratch).prepare(whole) else { return false }
            var site = content.site
            // Beside its packs, a folder without a manifest may have any files.
            if let fetched, Site.manifestFile(in: source) == nil {
                // A client may download packs that the cell does not name, such as a file with a digest.
                let needed = fetched.union(cell.neededPacks(of: content).map(\.identifier))
                site.packs.removeAll { !needed.contains($0.identifier) }
            }
            guard let copies = PackCopies(of: cell, site, most: Self.mostPackBytes) else { return false }
            do { try copies.write(to: folder) } catch {
                throw HarnessError.notWritten(folder, reason: error.systemReason)
            }
            return true
        }
    }
}

extension Cell {
    /// A folder of the user's with packs or resources; nil if there is none.
    fileprivate var folder: FilePath? {
        ([content] + workload.updates.map(Content.catalog)).compactMap(\.folder).first
    }
}

extension Content {
    fileprivate var folder: FilePath? {
        switch self {
        case .packs(let folder), .catalog(.folder(let folder, _)), .catalog(.byFolder(let folder)),
            .catalog(.backgroundAssets(let folder)):
            folder
        case .catalog(.builtIn), .catalog(.builtInBackgroundAssets), .host, .network: nil
        }
    }
}
