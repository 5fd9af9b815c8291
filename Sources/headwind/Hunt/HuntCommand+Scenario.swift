import FoundationEssentials
import Harness
import Hunting
import LinkModel
import Scenarios
import SystemPackage

extension HuntCommand {
    /// The scenario to hunt with: the named one, or one made from the command.
    func hunted(in folder: HuntFolder) throws -> Scenario {
        let loader = try ScenarioLoader(profiles: ProfileCommand.library())
        let scenarios: [Scenario]
        if let scenario {
            scenarios = try loader.load(FilePath(scenario))
        } else {
            // It is in no file, which would keep the command's secrets.
            scenarios = [try loader.load(text: text(in: folder), named: "headwind hunt", in: folder.path)]
        }
        let (file, cells) = (scenario ?? "", scenarios.flatMap(\.cells))
        guard cells.count == 1 else {
            throw CommandFailure.invalidInput(
                "'\(file)' has \(cells.count) cells, and a hunt takes one: remove its matrix.")
        }
        if case .host = cells[0].content {
            throw CommandFailure.invalidInput(
                "'\(file)' uses your own host, where Headwind cannot inject faults. Use a catalog or packs.")
        }
        guard cells[0].hostFaults.isEmpty, cells[0].linkFaults.isEmpty, cells[0].schedule == nil else {
            throw CommandFailure.invalidInput(
                "'\(file)' already has faults, and a hunt chooses its own: remove 'faults' and 'schedule'.")
        }
        if !cells[0].content.isOurs, try layers == [.host] {
            throw CommandFailure.usage("--only l1 concerns Headwind's host, and '\(file)' has none.")
        }
        return scenarios[0]
    }

    /// Whether all attempts run in a folder that the user chose.
    func sharesFolder(_ hunted: Scenario) -> Bool {
        guard scenario != nil, case .command(let command) = hunted.cells[0].workload else {
            return program.directory != nil
        }
        return command.directory != nil
    }

    /// The text of the command's scenario; writes its pack.
    private func text(in folder: HuntFolder) throws -> String {
        if program.isProgram { return program.scenario(of: command, within: client.within).text }
        let pack = try folder.writePack(client.packSize)
        let checked = CheckedCommand(
            words: command, directory: FilePath(FileManager.default.currentDirectoryPath), patience: client.patience,
            within: client.longest)
        return HuntScenario.text(
            of: checked, packs: "./\(HuntFolder.packs)", pack: pack,
            mostRedundant: ByteCount(client.packSize.bytes * Int64(client.mostBytes - 1)))
    }
}

extension HuntCommand {
    /// Writes the corpus, and a regression folder for each bug; returns the report, which names them.
    func handOver(
        _ result: HuntResult, to folder: HuntFolder, keeping corpus: (file: HuntCorpusFile, earlier: StoredCorpus?)?,
        on ground: PreparedCell, _ run: Run
    ) async -> HuntReport {
        var report = HuntReport(result, seed: seed, knowsDigest: ground.knowsDigest, metNeeds: ground.metNeeds)
        // The report is on disk before anything else can fail. If it is not there at the end, the command says so.
        try? folder.write(report)
        do {
            try corpus?.file.write(StoredCorpus(result.corpus.candidates, beside: corpus?.earlier))
        } catch {
            Console.note("headwind: \(error)")
        }
        guard !result.isInterrupted else { return report }
        for (index, bug) in result.bugs.enumerated() where !Task.isCancelled {
            let name = "bug-\(index + 1)-\(bug.failure.word)"
            do {
                let handover = RegressionFolder(
                    folder: folder.path.appending(name), run: run, profiles: try ProfileCommand.library())
                let made = try await handover.make(
                    failing: bug.failingCell(on: ground), passing: bug.passingCell(on: ground), fetched: result.fetched)
                report.bugs[index].page = "\(name)/\(RegressionFolder.results)/report.html"
                if made.reproduces { report.bugs[index].scenario = "\(name)/\(RegressionFolder.failing)" }
                for note in made.notes(name) { Console.note("headwind: \(note)") }
            } catch {
                // If the hunt is interrupted, files are not the reason.
                if !Task.isCancelled { Console.note("headwind: could not write \(name): \(error)") }
            }
            try? folder.write(report)
        }
        report.isInterrupted = Task.isCancelled
        return report
    }
}

extension HuntedBug {
    /// The cell that shows the bug, with as many attempts as that needs.
    fileprivate func failingCell(on ground: PreparedCell) -> Cell {
        let attempts = RegressionFolder.attempts(rate: withFaults.rate)
        return ground.cell(playing: candidate)
            .titled("The client works when \(candidate.words(namingPacks: namesPacks))", attempts: attempts)
    }

    /// The cell with one fault fewer.
    fileprivate func passingCell(on ground: PreparedCell) -> Cell {
        let nearest = Candidate(candidate.faults.dropLast())
        let faults = nearest.words(namingPacks: namesPacks)
        return ground.cell(playing: nearest).titled("With one fault fewer: \(faults)", attempts: 1)
    }
}
