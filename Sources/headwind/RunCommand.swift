import ArgumentParser
import Glibc
import Harness
import Links
import PackFormat
import ProcessGuard
import Redaction
import Reports
import ResultFiles
import Results
import Scenarios
import SystemPackage

/// `headwind run`: scenarios to verdicts.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run scenarios, judge, report: the main job.",
        discussion: """
            Without a scenario the bundled suite is run, and by --suite another one; by --quick a short one, which takes 15 s. The exit status is 0 when every budget and expectation was \
            evaluated and held, 99 when one failed, 98 on too little evidence, 75 when the trouble was not the client's \
            and another try did not help, 65 for a scenario that is wrong. Ctrl-C ends the run with status 130, SIGTERM and SIGHUP with 143; what was \
            finished is reported, as a part.

            Examples:

              headwind run
              headwind run --quick
              headwind run --suite error-paths
              headwind run scenarios/3g.yaml --output results
              headwind run scenarios --jobs 1 --format json > result.json
              headwind run scenarios --backend packet || headwind doctor
              headwind run scenarios --deadline 20min --on-inconclusive warn
              headwind run scenarios/3g.yaml --client ./my-client
              headwind run mine.yaml --client ./new --against-client ./old
              headwind run staging.yaml --resolve staging.example:127.0.0.1
              headwind run mine.yaml --baseline baseline.json
            """)

    @Argument(
        help: ArgumentHelp("Scenarios, or folders of them.", valueName: "file or folder"), completion: .file())
    var scenarios: [String] = []

    @Option(
        help: ArgumentHelp(
            "A bundled suite of scenarios beside the usual one: error-paths, background-assets or quick.",
            valueName: "name"))
    var suite: String?

    @Flag(
        help: ArgumentHelp(
            "The same as --suite quick: six short downloads, good, slow, lossy, offline, of a missing pack and to a full "
                + "device."))
    var quick = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write result.json, events.jsonl, junit.xml, metrics.txt, summary.md and report.html here.",
            valueName: "folder"),
        completion: .directory)
    var output: String?

    @Option(
        help: ArgumentHelp(
            "How many attempts go on at once at most, 1 to 64, and fewer as soon as that was too much for one; or auto: six for "
                + "each processor, more while the machine is quiet, fewer while it is busy.", valueName: "count"))
    var jobs = JobsOption.auto

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Only cells whose name contains this; repeat it for others.", valueName: "text"))
    var only: [String] = []

    @Option(
        help: ArgumentHelp(
            "What carries links whose scenario asks for no fidelity: packet, kernel, proxy, or auto: the first of them that "
                + "this machine can have. With kernel also those that ask for packets.", valueName: "backend"))
    var backend = BackendOption.auto

    @Option(
        help: ArgumentHelp(
            "The program to test in headwind-client's place: it takes the same command line and workload, and tells the same "
                + "events (docs/client.md).", valueName: "program"), completion: .file())
    var client: String?

    @Flag(help: "With --output: record the heads of packets of each attempt, as pcapng, in its folder 'captures'.")
    var capture = false

    @Flag(help: "With --capture: record what packets carry too, and the TLS secrets that decrypt it.")
    var keepSecrets = false

    @OptionGroup(title: "Baselines") var baseline: BaselineOptions
    @OptionGroup(title: "History") var history: HistoryOptions
    @OptionGroup var gate: GateOptions
    @OptionGroup var resolve: ResolveOptions

    @OptionGroup var files: OutputFiles

    func validate() throws {
        if quick, suite != nil { throw ValidationError("--quick is --suite quick; leave one of them out.") }
        if quick || suite != nil, !scenarios.isEmpty {
            let option = quick ? "--quick" : "--suite"
            throw ValidationError("\(option) names scenarios of Headwind's own; leave it or the others out.")
        }
        if output != nil, files.outputRoot != nil {
            throw ValidationError("--output is a run's folder, and --output-root one for many: give one of them.")
        }
        if capture, output ?? files.outputRoot == nil { throw ValidationError("--capture goes with --output FOLDER.") }
        if keepSecrets, !capture { throw ValidationError("--keep-secrets goes with --capture.") }
        guard (1...64).contains(jobs.count ?? 1) else { throw ValidationError("--jobs is between 1 and 64, or auto.") }
    }

    func run() async throws {
        let scenarios = try loadScenarios()
        let programs = try programs(for: scenarios)
        if capture { try checkCapture(of: scenarios) }
        try resolve.check(scenarios.flatMap(\.cells))
        try history.check()
        let comparison = try baseline.comparison(for: scenarios)
        try files.check()
        try baseline.checkPlace()
        let place = try files.begin()
        let folder = place?.path ?? output.map { FilePath($0) }
        var run = Run(
            scenarios: scenarios, programs: programs, output: folder, toolVersion: Headwind.version,
            commandLine: Redaction.arguments(CommandLine.arguments))
        run.hold = place?.hold
        run.jobs = jobs.count
        run.junit = files.junit.map { FilePath($0) }
        run.backend = backend.backend
        run.comparison = comparison
        run.resolved = resolve.names
        gate.apply(to: &run)
        if capture { run.capture = RunCapture(keepsSecrets: keepSecrets) }
        let view = RunView()
        run.report = { view.show($0) }
        run.whyCancelled = { Interruption.first == SIGINT ? .interrupted : .terminated }
        let prepared = run
        try await Interruption.endsWell(remains: { view.remains }) {
            let result = try await view.ticking { try await Self.tellingFailures { try await prepared.perform() } }
            let suggestion = files.suggestion(result, of: scenarios)
            // Before the report, whose last line is the status.
            var ending = CommandEnding(code: result.exitCode)
            ending.attempt { try history.record(result) }
            ending.attempt { try baseline.save(result) }
            if let why = suggestion?.shortfall { ending.add(.inconclusive, told: why) }
            try RunOutput(
                format: files.format, isVerbose: files.verbose, folder: folder, files: view.files,
                suggestion: suggestion, ending: ending
            ).show(result)
            if let place { files.prune(sparing: place) }
            try ending.finish()
        }
    }

    /// Throws where there will be no packets to record.
    private func checkCapture(of scenarios: [Scenario]) throws {
        let mayHavePackets = scenarios.flatMap(\.cells).contains { cell in
            cell.link.fidelity == .packet || cell.link.fidelity == .any && backend.backend?.fidelity != .modelled
        }
        guard !mayHavePackets else { return }
        throw CommandFailure(
            status: .usage,
            description: "--capture records packets, and all of these links are a proxy's, which has none. Give "
                + "--backend packet, or write 'fidelity: packet' into the scenario.")
    }

    /// Headwind's own programs, or the client that is named in the place of one.
    private func programs(for scenarios: [Scenario]) throws -> Programs {
        var programs = Programs(beside: BundledFiles.executable)
        guard let client else { return programs }
        do { try programs.use(client: client) } catch {
            throw CommandFailure(status: .usage, description: "\(error)")
        }
        let isUsed = scenarios.flatMap(\.cells).contains { cell in
            if case .requests = cell.workload { true } else { false }
        }
        guard isUsed else {
            throw CommandFailure(
                status: .usage,
                description: "--client takes headwind-client's place, and each of these scenarios has a command of its "
                    + "own. Leave it out, or name scenarios with requests.")
        }
        return programs
    }

    /// Runs `body`, and tells its errors as those of a command.
    static func tellingFailures<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch {
            switch error {
            case let invalid as InvalidFiles:
                throw ProfileCommand.tell(invalid)
            case let error as HarnessError:
                throw CommandFailure(error)
            case let error as ResultFileError:
                throw CommandFailure(error)
            case let error as PackFormatError:
                throw CommandFailure(error)
            case is ScratchError, is GuardError:
                throw CommandFailure(status: .infrastructure, description: "\(error)")
            default:
                throw error
            }
        }
    }

    private func loadScenarios() throws -> [Scenario] {
        let paths = scenarios.isEmpty ? try bundledScenarios() : scenarios.map { FilePath($0) }
        var loaded = try ProfileCommand.tellingProblems {
            var loader = ScenarioLoader(profiles: try ProfileCommand.library())
            loader.hasBaseline = baseline.isUsed
            return try loader.load(paths)
        }
        guard !only.isEmpty else { return loaded }
        let names = loaded.flatMap(\.cells).map(\.id)
        if let none = only.first(where: { text in !names.contains { $0.contains(text) } }) {
            let known = names.prefix(20).joined(separator: ", ")
            throw CommandFailure(status: .usage, description: "No cell is called like '\(none)'. Cells: \(known).")
        }
        for index in loaded.indices {
            loaded[index].cells.removeAll { cell in !only.contains { cell.id.contains($0) } }
        }
        loaded.removeAll(where: \.cells.isEmpty)
        return loaded
    }

    private func bundledScenarios() throws -> [FilePath] {
        guard let bundled = BundledSuite() else {
            throw CommandFailure(
                status: .failed,
                description: "The bundled scenarios are not beside this program. Name a scenario, or set "
                    + "\(BundledFiles.variable) to the folder that holds 'scenarios' and 'profiles'.")
        }
        guard let suite = quick ? "quick" : suite else { return bundled.files }
        guard let folder = bundled.folder(suite) else {
            let text = "There is no bundled suite '\(suite)': \(bundled.hint(for: suite))."
            throw CommandFailure(status: .usage, description: text)
        }
        return [folder]
    }
}
