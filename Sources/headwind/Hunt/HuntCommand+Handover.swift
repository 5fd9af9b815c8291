import Harness
import Hunting
import LinkModel
import Scenarios

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
        let attempts = RegressionFolder.attempts(rate: with.rate)
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
