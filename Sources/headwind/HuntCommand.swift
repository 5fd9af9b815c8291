import ArgumentParser
import FoundationEssentials
import Glibc
import Harness
import Hunting
import LinkModel
import Links
import Scenarios
import SystemPackage
import Wording

/// `headwind hunt`: finds faults that break a client, without a scenario that names them.
struct HuntCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hunt",
        abstract: "Find the faults that break a client, and reduce them to the fewest.",
        discussion: """
            The client downloads a pack again and again, each time with other faults: first a single fault at each \
            point of interest in its own requests, then combinations, and more of those that show new behaviour. \
            Headwind repeats each failure, reduces its faults to the fewest, and writes a scenario that fails, with a \
            page that shows it beside an attempt that passes.

            Wrong data, success without the pack, a crash, and a client that never ends are always failures. An error \
            is a failure only if a good client survives each of the faults, with one more try at most.

            With --exec you test any program, run as by 'headwind exec': its exit status, a time limit and --oracle \
            decide. Faults then act on the link, on packets, and on the program itself.

            The exit status is 0 if it finds no bug, 99 if it finds one, 75 if no attempt had all of its \
            faults, 65 if the client fails without faults, and 130 after Ctrl-C.

            Examples:

              headwind hunt --for 2min -- ./get.py '{url}' '{output}'
              headwind hunt --until-found 1 -- curl -fsS -m 20 -o '{output}' '{url}'
              headwind hunt my-scenario.yaml --only packet,link --for 30min --attempts 2000
              headwind hunt my-scenario.yaml --client ./my-client --for 5min
              headwind hunt --exec \\
                --oracle 'test "$HEADWIND_STATUS" != 0 || unzip -tq a.zip' -- \\
                curl --retry 3 -fsSO https://example.com/a.zip
            """)

    @Argument(help: ArgumentHelp("A scenario to hunt in.", valueName: "scenario"))
    var scenario: String?

    @Option(
        name: .customLong("for"),
        time:
            "How long to look for failures. Confirming and reducing them may take as long again, at least a minute. "
            + "(default: 1min)")
    var duration = Duration.seconds(60)

    @Option(
        help: ArgumentHelp(
            "Try no new faults after this many attempts. The time of --for ends the hunt, too. (default: no limit)",
            valueName: "count"))
    var attempts: Int?

    @Option(help: ArgumentHelp("Stop after this number of bugs. (default: no limit)", valueName: "count"))
    var untilFound: Int?

    @Option(
        help: ArgumentHelp(
            "Where faults act: l1 (the host), packet, link, client; several with commas. (default: all)",
            valueName: "layers"))
    var only: String?

    @Option(
        help: ArgumentHelp(
            "The seed of random decisions. With '--jobs 1', the same seed tries the same faults.", valueName: "number"))
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "How many attempts may be busy at once, or auto: as many as the machine can handle. Unless it is 1, up to "
                + "\(Self.mostIdle) more run whose client only waits.", valueName: "count"))
    var jobs = OrAuto<Int>.auto

    @Option(folder: "Keep the faults that showed new behaviour in this folder, and begin with those already there.")
    var corpus: String?

    @Option(help: ArgumentHelp("Do not count this as a failure: gives-up.", valueName: "failure"))
    var allow: AllowedFailure?

    @Option(
        name: .shortAndLong,
        folder: "Write hunt.json and a folder for each bug to this new folder. (default: headwind-hunt)")
    var output: String?

    @OptionGroup var replacement: ClientOption
    @OptionGroup var client: HuntedClientOptions
    @OptionGroup var program: HuntedProgramOptions
    @Option(help: ArgumentHelp("The backend of the links: packet, kernel, proxy, or auto.", valueName: "backend"))
    var backend = OrAuto<LinkBackend>.auto
    @OptionGroup var format: OutputOptions

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The client, after '--'.", valueName: "cmd"))
    var command: [String] = []

    /// Failures that the hunt may ignore.
    enum AllowedFailure: String, ExpressibleByArgument, CaseIterable {
        case givesUp = "gives-up"
    }

    func validate() throws {
        if (scenario == nil) == command.isEmpty {
            throw ValidationError(
                "Give a scenario, or a client after '--': headwind hunt -- curl -fsS -o '{output}' '{url}'")
        }
        try ValidationError.check(jobs.value, in: 1...64, "--jobs is between 1 and 64, or auto.")
        try ValidationError.check(duration, in: .seconds(1) ... .seconds(7 * 86_400), "--for is between 1s and 168h.")
        if let attempts, attempts < 2 {
            throw ValidationError("--attempts is at least 2: the first attempt has no fault.")
        }
        if let untilFound, untilFound < 1 { throw ValidationError("--until-found is at least 1.") }
        if scenario == nil, replacement.client != nil {
            throw ValidationError("--client needs a scenario. Name your program after '--' otherwise.")
        }
        if scenario != nil, client.isGiven {
            throw ValidationError("--patience, --within, --pack-size and --most-bytes need a client after '--'.")
        }
        if try layers.isEmpty { throw ValidationError("--only is empty.") }
        guard program.isProgram else { return try client.checkLimits() }
        if scenario != nil { throw ValidationError("--exec takes a program after '--', not a scenario.") }
        if client.isOfPackGiven {
            throw ValidationError(
                "--patience, --pack-size, --most-bytes and --knows-digest concern a pack; --exec has none.")
        }
        if try layers == [.host] { throw ValidationError("--only l1 concerns Headwind's host; --exec has none.") }
    }

    /// The layers at which faults may act.
    var layers: Set<HuntFault.Layer> {
        get throws {
            guard let only else { return Set(HuntFault.Layer.allCases) }
            let names = HuntFault.Layer.allCases.map(\.rawValue).joined(separator: ", ")
            return Set(
                try only.split(separator: ",").map { word in
                    guard let layer = HuntFault.Layer(rawValue: String(word)) else {
                        throw ValidationError("--only: unknown layer '\(word)'. Layers: \(names).")
                    }
                    return layer
                })
        }
    }

    func run() async throws {
        try ClientWords.check(command, of: "headwind hunt", takesURL: !program.isProgram)
        let folder = try HuntFolder(output.map { FilePath($0) })
        let corpusFile = try corpus.map { try HuntCorpusFile(FilePath($0)) }
        let kept = try corpusFile?.read()
        let view = HuntView(isInteractive: Console.isInteractive)
        try await Interruption.endsWell(remains: { view.remains(in: folder) }) {
            // A folder that cannot be made is known before the hunt.
            try folder.make()
            defer { folder.tidy() }
            try await perform(in: folder, keeping: corpusFile.map { ($0, kept) }, telling: view)
        }
    }

    /// Hunts, and reports; throws the exit status.
    private func perform(
        in folder: HuntFolder, keeping corpus: (file: HuntCorpusFile, earlier: StoredCorpus?)?, telling view: HuntView
    ) async throws {
        let scenario = try hunted(in: folder)
        let isOfPacks = scenario.cells[0].content.isOurs
        let run = try prepared(scenario, telling: view)
        let cell = scenario.cells[0].countingOnly
        let layers = isOfPacks ? try layers : try layers.subtracting([.host])
        let knowsDigest = client.knowsDigest(cell) || !isOfPacks
        let report = try await run.withPreparedCell(
            of: cell, knowsDigest: knowsDigest, allowsGivingUp: allow == .givesUp
        ) { ground in
            var hunt = Hunt(ground, for: duration)
            (hunt.attempts, hunt.untilFound, hunt.layers) = (attempts, untilFound, layers)
            (hunt.seed, hunt.width) = (seed, ground.width)
            hunt.report = { view.show($0) }
            let result = try await tellingErrors {
                try await hunt.perform(kept: corpus?.earlier?.candidates(of: ground.packs) ?? [])
            }
            view.end()
            return await handOver(result, to: folder, keeping: corpus, on: ground, run)
        }
        try end(with: report, in: folder)
    }

    /// The run of the scenario to hunt in.
    private func prepared(_ scenario: Scenario, telling view: HuntView) throws -> Run {
        var run = Run([scenario], programs: try replacement.programs(for: [scenario]))
        // Clients that share a folder of the user's would find each other's files.
        run.jobs = sharesFolder(scenario) ? 1 : jobs.value
        // Clients that wait for a silent host use no processor time.
        run.mostIdle = run.jobs == 1 ? 0 : Self.mostIdle
        run.backend = backend.value
        run.report = { if case .made(let scratch) = $0 { view.made(scratch) } }
        return run
    }

    private static let mostIdle = 384

    private func tellingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as HuntError {
            let (status, hint): (ExitStatus, String) =
                switch error {
                case .notMeasured: (.infrastructure, "")
                case .nothingCrossed: (.invalidInput, "")
                case .failsUndisturbed:
                    (.invalidInput, " " + program.hint(running: scenario.map { words(running: FilePath($0)) }))
                }
            throw CommandFailure(status, "\(error)\(hint)")
        }
    }

    /// The words behind `headwind` that run a scenario with the same client and backend.
    private func words(running file: FilePath) -> [String] {
        RegressionFolder.command(of: [file], client: replacement.client, backend: backend.value)
    }

    /// The option that lets a hunt try more than this one.
    private func more(after report: HuntReport) -> String {
        if let untilFound, report.bugs.count >= untilFound { return "a higher '--until-found'" }
        if let attempts, report.attempts >= attempts { return "more '--attempts'" }
        return "a longer '--for'"
    }

    /// Prints the report, and writes it to the folder; throws the exit status.
    private func end(with report: HuntReport, in folder: HuntFolder) throws {
        var ending = CommandEnding(code: report.exitCode)
        // A full disk does not keep the results from being printed.
        ending.attempt { try folder.write(report) }
        switch format.format {
        case .json: try Console.json(report)
        case .text:
            let text = try HuntText.text(
                of: report, in: folder.path, layers: layers, more: more(after: report), running: words)
            Console.out(TerminalText(report: text))
        }
        try ending.finish()
    }
}
