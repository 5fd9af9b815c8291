import Distribution
import Harness
import Redaction
import ResultFiles
import Results
import Scenarios
import SystemPackage
import Wording

extension RunCommand {
    /// Runs the shards of a run on other machines, or shows what their engine would get.
    ///
    /// `packs` builds the packs that all shards serve, in a folder.
    func perform(
        _ plan: ShardPlan, of scenarios: [Scenario], into folder: FilePath, place: RunFolders.Place?,
        packs: (FilePath) async throws -> Void
    ) async throws {
        if elsewhere.dryRun {
            let draft = try await DividedRun.draft(of: plan, into: folder)
            return Console.out(TerminalText(document: draft))
        }
        let view = DistributionView(plan, format: files.progress)
        let divided = try DividedRun(plan, into: folder, hold: place?.hold, deadline: gate.deadline, view: view)
        try await packs(divided.packs)
        try await perform(divided, of: scenarios, into: folder, place: place)
    }

    /// Continues a divided run whose coordinator has ended.
    func goOn(in folder: FilePath) async throws {
        let fixed = ShardWords(CommandLine.arguments).fixed.map { "'\($0)'" }.joined(separator: ", ")
        guard fixed.isEmpty else {
            throw CommandFailure(
                .usage,
                "The shards of the run in '\(folder)' have their options and scenarios, and --resume cannot change "
                    + "them. Leave out \(fixed), or start a new run.")
        }
        try history.check()
        try files.check()
        let divided = try DividedRun(of: folder, deadline: gate.deadline) {
            DistributionView($0, format: files.progress)
        }
        try await perform(divided, of: [], into: folder, place: nil)
    }

    private func perform(
        _ divided: DividedRun, of scenarios: [Scenario], into folder: FilePath, place: RunFolders.Place?
    ) async throws {
        try await Interruption.endsWell(remains: { divided.remains }) {
            let merged = try await divided.perform { Interruption.attribution }
            try files.writeJUnit(of: merged.result, folder: folder)
            try conclude(
                merged.result, code: merged.result.exitCode, of: scenarios, in: folder, files: merged.files,
                place: place)
        }
    }

    /// Does all that options request after the run, shows the result, and throws the status if it is not 0.
    func conclude(
        _ result: RunResult, code: Int32, of scenarios: [Scenario], in folder: FilePath?, files names: [String],
        place: RunFolders.Place?
    ) throws {
        if let left = result.left {
            Console.note(
                "The result has \(left.count + result.cells.count) cells. Reports, the history, a baseline and suggested "
                    + "budgets have the \(result.cells.count) worst of them; result.json has all.")
        }
        let suggestion = files.suggestion(result, of: scenarios)
        // All this comes before the report, whose last line is the status.
        var ending = CommandEnding(code: code)
        ending.attempt { try history.record(result) }
        ending.attempt { try baseline.save(result) }
        if let why = suggestion?.shortfall { ending.add(.inconclusive, told: why) }
        try RunOutput(
            format: files.format, isVerbose: files.verbose, folder: folder, files: names, suggestion: suggestion,
            ending: ending
        ).show(result)
        if let place { files.prune(sparing: place) }
        try ending.finish()
    }
}
