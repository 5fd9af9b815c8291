import Distribution
import FoundationEssentials
import Harness
import LinuxSupport
import PackFormat
import Redaction
import ResultFiles
import Results
import Scenarios
import SystemPackage
import Wording

/// A run whose shards run on other machines.
struct DividedRun: Sendable {
    private let plan: ShardPlan
    /// The folder of the whole result, as an absolute path.
    private let output: FilePath
    private let hold: ResultsLock
    private let engine: any Engine
    private let deadline: Duration?
    private let view: DistributionView

    /// Whether a folder belongs to a divided run.
    static func isIn(_ folder: FilePath) -> Bool {
        FileManager.default.fileExists(atPath: ShardFolder(output: folder).plan.string)
    }

    /// Removes the shards of an earlier run from a folder that the caller has locked.
    ///
    /// Throws ``EngineError`` if they may still write to it.
    static func removeShards(in folder: FilePath) throws {
        guard isIn(folder) else { return }
        let places = ShardFolder(output: folder.whole)
        let earlier = try ShardPlan.read(places.plan)
        guard earlier.isFinished || earlier.standing.isEmpty else {
            throw EngineError.file(
                places.folder,
                reason: "shards of another run may still write to it. Continue that run with 'headwind run "
                    + "--resume \(folder)', or choose another --output.")
        }
        try telling(places.folder) { try FileManager.default.removeItem(atPath: places.folder.string) }
    }

    /// Prepares the run of `plan`, and writes the plan; starts nothing.
    init(
        _ plan: ShardPlan, into folder: FilePath, hold: ResultsLock?, deadline: Duration?, view: DistributionView
    ) throws {
        output = folder.whole
        let places = ShardFolder(output: output)
        // Make the engine before any file: its options may be wrong.
        engine = try plan.engine.engine(EngineContext(places: places, plan: plan, note: { view.note($0) }))
        self.hold = try hold ?? ResultsLock(output, command: Redaction.arguments(CommandLine.arguments))
        try Self.removeShards(in: folder)
        try Self.telling(places.folder) {
            try FileManager.default.createDirectory(atPath: places.folder.string, withIntermediateDirectories: true)
            if let durations = plan.measuredDurations { try AtomicFile.write(durations.utf8, to: places.durations) }
        }
        (self.plan, self.deadline, self.view) = (plan, deadline, view)
        try plan.write(to: places.plan)
    }

    /// Continues the run in a folder.
    init(of folder: FilePath, deadline: Duration?, view: (ShardPlan) -> DistributionView) throws {
        output = folder.whole
        hold = try ResultsLock(output, command: Redaction.arguments(CommandLine.arguments))
        let places = ShardFolder(output: output)
        var plan = try ShardPlan.read(places.plan)
        guard plan.toolVersion == Headwind.version else {
            throw EngineError.file(
                places.plan,
                reason:
                    "Headwind \(plan.toolVersion) wrote it, and this is \(Headwind.version). Use version \(plan.toolVersion)."
            )
        }
        // Start this program, whatever the file says.
        plan.command.program = BundledFiles.executable.string
        if plan.isFinished {
            for index in plan.submissions.indices { plan.submissions[index].isOver = true }
            plan.isFinished = false
        }
        let shown = view(plan)
        engine = try plan.engine.engine(EngineContext(places: places, plan: plan, note: { shown.note($0) }))
        (self.plan, self.deadline, self.view) = (plan, deadline, shown)
    }

    /// The folder with the packs that all shards share.
    var packs: FilePath { ShardFolder(output: output).packs }

    /// A sentence about what an end without clean-up leaves behind.
    var remains: String {
        "The jobs of \(plan.engine.rawValue) keep running; 'headwind run --resume \(output)' continues the run."
    }

    /// The text that the engine would get for the plan.
    static func draft(of plan: ShardPlan, into folder: FilePath) async throws -> String {
        let places = ShardFolder(output: folder.whole)
        let engine = try plan.engine.engine(EngineContext(places: places, plan: plan))
        return try await engine.draft(of: Submission(number: 1, shards: Array(1...plan.count)))
    }

    /// Runs all missing shards, and merges the results.
    func perform(whyCancelled: () -> Attribution) async throws -> MergedShards {
        let places = ShardFolder(output: output)
        var coordinator = Coordinator(engine: engine, places: places, plan: plan)
        coordinator.deadline = deadline
        coordinator.report = { view.show($0) }
        let outcome: Coordinator.Outcome
        do { outcome = try await coordinator.perform() } catch let error as EngineError {
            if (try? ShardPlan.read(places.plan).standing.isEmpty) == false { view.note(remains) }
            throw error
        }
        let ending: Attribution? = outcome.isLate ? .deadlineReached : outcome.isEarly ? whyCancelled() : nil
        let merged = try MergedShards(
            outcome.ends, of: plan, into: output, hold: hold, commandLine: Redaction.arguments(CommandLine.arguments),
            ending: ending)
        for remark in merged.remarks { view.note(remark) }
        guard !outcome.mayGoOn else {
            view.note("Jobs may still run; 'headwind run --resume \(output)' ends them, and continues the run.")
            return merged
        }
        // No job of the run is running any more.
        var done = try ShardPlan.read(places.plan)
        done.isFinished = true
        try done.write(to: places.plan)
        return merged
    }

    private static func telling(_ path: FilePath, _ body: () throws -> Void) throws {
        do { try body() } catch {
            throw EngineError.file(path, reason: "\(error.systemReason). Make room, or choose another --output.")
        }
    }
}

extension EngineError: ErrorWithStatus {
    var exitStatus: ExitStatus {
        switch self {
        case .unsure(let error): error.exitStatus
        case .missing: .unavailable
        case .option: .usage
        case .failed, .file: .infrastructure
        }
    }
}

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
            throw CommandFailure.usage(
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
        try files.show(result, in: folder, files: names, suggestion, ending)
        if let place { files.prune(sparing: place) }
        try ending.finish()
    }
}
