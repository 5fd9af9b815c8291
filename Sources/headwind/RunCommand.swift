import ArgumentParser
import Distribution
import Harness
import Links
import Redaction
import ResultFiles
import Results
import Scenarios
import SystemPackage

/// `headwind run`: runs scenarios, and judges them.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run scenarios, judge the results, and report them.",
        discussion: """
            Without a scenario it runs the bundled suite. The exit status is 0 if every budget and expectation held, \
            99 if one failed, 98 if there is too little evidence, 75 if the machine or the network was at fault, and \
            65 if a scenario is wrong. Ctrl-C stops the run with status 130, SIGTERM and SIGHUP with 143: it reports \
            the finished cells, and --resume continues.

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
              headwind run --resume results
              headwind run scenarios --list --shards 8
              headwind run scenarios --shard 3/8 --output shard-3
              headwind run gate.yaml --shard 3/8 --attempts-across --output shard-3
              headwind run scenarios --on slurm --shards 8 --output results
              headwind run scenarios --on ssh --engine-option hosts=lab.txt --output results
            """)

    @Argument(help: ArgumentHelp("Scenarios, or folders of them.", valueName: "file or folder"), completion: .file())
    var scenarios: [String] = []

    @Option(help: ArgumentHelp("Run this bundled suite: error-paths, background-assets or quick.", valueName: "name"))
    var suite: String?

    @Flag(
        help: ArgumentHelp(
            "Run six short downloads: good, slow, lossy, offline, a missing pack, a full device. The same as --suite quick."
        ))
    var quick = false

    @Option(
        name: .shortAndLong,
        folder: "Write result.json, events.jsonl, junit.xml, metrics.txt, summary.md and report.html to this folder.")
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Continue an unfinished run in its folder. It uses that run's options, unless you give options again.",
            valueName: "folder"),
        completion: .directory, transform: { FilePath($0) })
    var resume: FilePath?

    @Option(
        help: ArgumentHelp(
            "The maximum number of attempts at once, 1 to 64, or auto: six for each processor, more while the machine is "
                + "quiet, fewer while it is busy.", valueName: "count"))
    var jobs = OrAuto<Int>.auto

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Run only cells whose name contains this text. May be repeated.", valueName: "text"))
    var only: [String] = []

    @Option(
        help: ArgumentHelp(
            "The backend for scenarios without a 'fidelity': packet, kernel, proxy, or auto, which "
                + "takes the first that works here. 'kernel' also serves scenarios with 'fidelity: packet'.",
            valueName: "backend"))
    var backend = OrAuto<LinkBackend>.auto

    @OptionGroup var replacement: ClientOption

    @Flag(help: "With --output: record the packet headers of each attempt as pcapng, in the folder 'captures'.")
    var capture = false

    @Flag(help: "With --capture: record packet contents too, and the TLS secrets that decrypt them.")
    var keepSecrets = false

    @OptionGroup(title: "Baselines") var baseline: BaselineOptions
    @OptionGroup(title: "History") var history: HistoryOptions
    @OptionGroup(title: "Shards") var sharding: ShardOptions
    @OptionGroup(title: "Elsewhere") var elsewhere: DistributionOptions
    @OptionGroup var gate: GateOptions
    @OptionGroup var resolve: ResolveOptions

    @OptionGroup var files: OutputFiles

    func validate() throws {
        if quick, suite != nil { throw ValidationError("--quick means --suite quick; leave one out.") }
        if quick || suite != nil, !scenarios.isEmpty {
            let option = quick ? "--quick" : "--suite"
            throw ValidationError("\(option) selects Headwind's own scenarios; leave it out, or the other scenarios.")
        }
        if output != nil, files.outputRoot != nil {
            throw ValidationError("--output is the folder of one run, and --output-root holds many: give only one.")
        }
        if resume != nil, output ?? files.outputRoot != nil {
            throw ValidationError("--resume gives the results folder: leave out --output and --output-root.")
        }
        if resume != nil, elsewhere.engine != nil {
            throw ValidationError("--resume uses the engine of the earlier run: leave out --on.")
        }
        if resume != nil, sharding.list { throw ValidationError("--list and --resume cannot be combined.") }
        if capture, resume == nil, output ?? files.outputRoot == nil {
            throw ValidationError("--capture needs --output FOLDER.")
        }
        if keepSecrets, !capture { throw ValidationError("--keep-secrets goes with --capture.") }
        try sharding.check(isElsewhere: elsewhere.engine != nil)
        if elsewhere.engine != nil, output ?? files.outputRoot == nil {
            throw ValidationError("--on needs --output FOLDER, for the results of all machines.")
        }
        try ValidationError.check(jobs.value, in: 1...64, "--jobs is between 1 and 64, or auto.")
    }

    func run() async throws {
        if let resume, DividedRun.isIn(resume) { return try await goOn(in: resume) }
        guard let resume else { return try await run(takingUp: nil) }
        let command = Redaction.arguments(CommandLine.arguments)
        let sittings = try RunSittings(of: resume, command: command)
        let isAlone = CommandLine.arguments.count == (command.contains("--resume") ? 4 : 3)
        var whole = try isAlone ? Self.recorded(in: sittings) : self
        (whole.output, whole.files.outputRoot, whole.files.keep, whole.files.keepSize) = (nil, nil, nil, nil)
        try await whole.run(takingUp: sittings)
    }

    /// The command that its result has recorded for a run.
    private static func recorded(in sittings: RunSittings) throws -> Self {
        let (commandLine, folder) = (sittings.earlier[0].commandLine, sittings.folder)
        // The variables of a CI may have given the shard.
        let shard = sittings.shard.map { ["--shard", "\($0)"] } ?? []
        guard let place = commandLine.firstIndex(of: "run"), !commandLine.joined().contains(Redaction.mark),
            let command = try? parse(shard + commandLine[(place + 1)...])
        else {
            throw CommandFailure.usage(
                "Could not read all options of the run in '\(folder)'. Repeat its command, with --resume '\(folder)' "
                    + "instead of --output.")
        }
        return command
    }

    /// Runs everything, or the rest of a run that ended early.
    private func run(takingUp sittings: RunSittings?) async throws {
        if self.scenarios.isEmpty { noteBundled() }
        let scenarios = try loadScenarios()
        let programs = try replacement.programs(for: scenarios)
        if capture { try checkCapture(of: scenarios) }
        try resolve.check(scenarios.flatMap(\.cells))
        if sharding.list { return try await printList(scenarios, programs) }
        let part = try elsewhere.engine == nil ? sharding.part(takingUp: sittings) : nil
        try history.check()
        let comparison = try baseline.comparison(for: scenarios)
        try files.check()
        try baseline.checkPlace()
        let place = elsewhere.dryRun ? nil : try files.begin()
        let folder = sittings?.folder ?? place?.path ?? (output ?? files.outputRoot).map { FilePath($0) }
        var run = Run(scenarios, programs: programs, output: folder)
        run.hold = place?.hold
        run.jobs = jobs.value
        run.packs = sharding.packs
        run.junit = files.junit.map { FilePath($0) }
        run.backend = backend.value
        run.comparison = comparison
        run.resolved = resolve.names
        gate.apply(to: &run)
        if capture { run.capture = RunCapture(keepsSecrets: keepSecrets) }
        if let folder,
            let plan = try await elsewhere.plan(
                of: run, sharding, ShardWords(CommandLine.arguments), files: { try filesRead() })
        {
            let prepared = run
            return try await perform(plan, of: scenarios, into: folder, place: place) {
                try await prepared.buildPacks(into: $0)
            }
        }
        if sittings == nil, let folder, DividedRun.isIn(folder) {
            // Otherwise --resume would take them for shards of this run.
            run.hold = try run.hold ?? ResultsLock(folder, command: run.commandLine)
            try DividedRun.removeShards(in: folder)
        }
        if let part, sharding.attemptsAcross {
            run.keep(sharesOf: part)
        } else if let part {
            let division = ShardDivision(try await sharding.expectedCells(of: run), into: part.count)
            run.keep(part, of: division)
        }
        let isEmptyPart = run.scenarios.isEmpty
        let view = RunView(format: files.progress)
        run.report = { view.show($0) }
        run.whyCancelled = { Interruption.attribution }
        let prepared = run
        try await Interruption.endsWell(remains: { view.remains }) {
            let result = try await view.ticking {
                guard let sittings else { return try await prepared.perform() }
                return try await prepared.perform(takingUp: sittings)
            }
            if let sittings { try files.writeJUnit(of: result, folder: sittings.folder) }
            try conclude(
                result, code: isEmptyPart ? 0 : result.exitCode, of: scenarios, in: folder, files: view.files,
                place: place)
        }
    }

    /// Prints what would run, and runs nothing.
    private func printList(_ scenarios: [Scenario], _ programs: Programs) async throws {
        var run = Run(scenarios, programs: programs)
        run.packs = sharding.packs
        let cells = try await sharding.expectedCells(of: run)
        let part = try sharding.shards == nil ? sharding.part() : sharding.shard
        let division = (sharding.shards ?? part?.count).map { ShardDivision(cells, into: $0) }
        let listing = RunListing(cells, division, of: part?.index)
        switch files.format {
        case .json: try Console.json(listing.json)
        case .text, .github: Console.out(lines: listing.lines)
        }
    }

    /// Throws ``CommandFailure`` if no cell has packets to record.
    private func checkCapture(of scenarios: [Scenario]) throws {
        let mayHavePackets = scenarios.flatMap(\.cells).contains { cell in
            cell.link.fidelity == .packet || cell.link.fidelity == .any && backend.value?.fidelity != .modelled
        }
        guard !mayHavePackets else { return }
        throw CommandFailure.usage(
            "--capture records packets, but all of these links use the proxy backend, which has none. Give --backend "
                + "packet, or write 'fidelity: packet' into the scenario.")
    }
}
