import ArgumentParser
import Documents
import FoundationEssentials
import Harness
import LinkModel
import Links
import PackFormat
import Reports
import ResultFiles
import Results
import Scenarios
import SystemPackage
import Wording

/// `headwind check`: how a client of the user's handles failures.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Test which error paths your download client handles.",
        discussion: """
            The client is a command that takes a URL and writes a file. Headwind runs it on bad networks and against \
            broken servers. Each check holds, fails, or is not observable for this client. '{url}' and '{output}' are \
            the address and the file. You can also use '{digest}', '{ca}', '{manifest}', '{proxy}', '{headers}' and \
            '{patience}' (in seconds), or environment variables of the same names: HEADWIND_URL, HEADWIND_OUTPUT.

            The exit status is 0 if every observable check holds, 99 if a check fails, and 75 if a check could not be \
            measured, or if the control of your suite is not observable.

            Examples:

              headwind check -- curl -fL -o '{output}' '{url}'
              headwind check --patience 90s -- ./get.py '{url}' '{output}' '{digest}'
              headwind check --list
              headwind check --output results --only cut -- wget -c -O '{output}' '{url}'
            """)

    @Option(
        time:
            "How long your client may stay idle: no lookup, connection, request or data. It is stopped 10s later. (default: 30s)"
    )
    var patience = Self.usualPatience

    private static let usualPatience = Duration.seconds(30)

    @Option(
        time:
            "How long your client may run in total, retries included. Then it is stopped. (default: 3min, or twice the patience)"
    )
    var within: Duration?

    @Option(
        name: .shortAndLong,
        folder: "Write check.json, junit.xml, events.jsonl and a bundle of each failure to this folder.")
    var output: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Run only checks whose name contains this text, and those that they need. May be repeated.",
            valueName: "text"))
    var only: [String] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Skip checks whose name contains this text, such as known failures. May be repeated.", valueName: "text"))
    var except: [String] = []

    @Option(help: ArgumentHelp("The maximum number of checks at once.", valueName: "count"))
    var jobs = Self.usualJobs

    private static let usualJobs = min(64, 2 * Run.usualJobs)

    @Option(help: ArgumentHelp("The backend of the links: packet, kernel, proxy, or auto.", valueName: "backend"))
    var backend = OrAuto<LinkBackend>.auto

    @Flag(help: "Your client reads the pack's SHA-256 without {digest}, such as from HEADWIND_DIGEST.")
    var knowsDigest = false

    @Option(
        help: ArgumentHelp(
            "Use this file or folder of scenarios with a 'check' instead of the bundled ones.", valueName: "path"),
        completion: .file())
    var suite: String?

    @Flag(help: "Print the name and the purpose of each check, and run nothing.")
    var list = false

    @OptionGroup var format: OutputOptions

    @Flag(help: "Show every check in full: its question, hashes, and the place of each bug in the timeline.")
    var verbose = false

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The client, after '--'.", valueName: "cmd"))
    var command: [String] = []

    func validate() throws {
        if command.isEmpty, !list {
            throw ValidationError(
                "The client is missing. Put -- before the client: headwind check -- curl -fL -o '{output}' '{url}'")
        }
        try ValidationError.check(jobs, in: 1...64, "--jobs is between 1 and 64.")
        try ValidationError.check(patience, in: .seconds(1) ... .seconds(3600), "--patience is between 1s and 1h.")
        if let within, within < patience || within > .seconds(86_400) {
            throw ValidationError("--within is the total time: from --patience (\(patience.text)) to 24h.")
        }
    }

    func run() async throws {
        if list { return try printList() }
        try ClientWords.check(command, of: "headwind check")
        try await ask()
    }

    /// Runs the checks with these names, or all (default), shows the results, and throws the exit status.
    ///
    /// If the run is complete, the status of `status` replaces the checks' own, unless it is nil.
    func ask(
        _ names: [String]? = nil, status: @escaping @Sendable (ClientReport) -> ProcessStatus? = { _ in nil }
    ) async throws {
        let client = CheckedCommand(
            words: command, directory: FilePath(FileManager.default.currentDirectoryPath), patience: patience,
            within: within ?? max(.seconds(180), patience * 2), knowsDigest: knowsDigest)
        let asked = try questions(client).filter { names?.contains($0.name) ?? true }
        for file in files { try FileReplacement.check(file, of: "--output", makesFolder: true) }
        var run = Run([], output: output.map { FilePath($0) })
        // Hold the folder longer than the run: the report of the check is written after it.
        let commandLine = run.commandLine
        run.hold = try output.map { try ResultsLock(FilePath($0), command: commandLine) }
        run.jobs = jobs
        // With --jobs 1, the user's clients may disturb each other.
        run.mostIdle = jobs > 1 ? Self.mostIdle : 0
        run.backend = backend.value
        let view = RunView(tellsCells: false)
        run.report = { view.show($0) }
        run.whyCancelled = { Interruption.attribution }
        let checking = ClientChecking(asked, command: client, run: run)
        try await Interruption.endsWell(remains: { view.remains }) {
            defer { withExtendedLifetime(checking) {} }
            let (report, result) = try await view.ticking { try await checking.perform() }
            // If the user ended the run, not all checks were seen.
            let instead = result.isWhole ? status(report) : nil
            var ending = CommandEnding(code: instead?.code ?? (result.isWhole ? report.exitCode : result.exitCode))
            let json = try report.redacted.jsonText()
            ending.attempt {
                for (file, text) in zip(files, [json, report.junit]) { try FileReplacement.write(text, to: file) }
            }
            do { try await writePage(of: report) } catch { ending.attempt { throw error } }
            GitHubJob.addToSummary { MarkdownReport.render(result, of: report, mostBytes: $0) }
            show(report, json, ending, instead, isWhole: result.isWhole)
            try ending.finish()
        }
    }

    /// The most additional checks while as many clients are silent: each takes a sandbox, but hardly any processor
    /// time.
    private static let mostIdle = 24

    func questions(_ client: CheckedCommand) throws -> [AskedScenario] {
        guard let folder = suite.map({ FilePath($0) }) ?? BundledFiles.folder("scenarios")?.appending("error-paths")
        else { throw CommandFailure(missing: "The bundled scenarios are", "Give others with --suite, or set") }
        _ = try Command.Call(words: client.words)
        let all = try ScenarioLoader(profiles: ProfileCommand.library()).checks([folder], asking: client)
        guard all.contains(where: { $0.check.role == .control }) else {
            throw CommandFailure.invalidInput(
                "None of the scenarios in '\(folder)' has a 'check' that 'is: control', a download that nothing "
                    + "disturbs: without it the cause of a failure is unknown.")
        }
        if let none = (only + except).first(where: { text in !all.contains { $0.name.contains(text) } }) {
            let hint = NearestName.of(none, in: all.map(\.name)).map { " Did you mean '\($0)'?" } ?? ""
            throw CommandFailure.usage(
                "No check matches '\(none)'.\(hint) 'headwind check --list' prints all \(all.count).")
        }
        let kept = all.filter { asked in
            (only.isEmpty || only.contains { asked.name.contains($0) }) && !except.contains { asked.name.contains($0) }
        }
        let names = Set(kept.map(\.name))
        let needsAuthority = kept.contains { $0.check.needs.contains(.authority) }
        return all.filter { asked in
            switch asked.check.role {
            case .control: true
            case .authority: needsAuthority || names.contains(asked.name)
            case nil: names.contains(asked.name)
            }
        }
    }

    /// The files of a check itself, in addition to those of its run: `check.json` and `junit.xml`.
    private var files: [FilePath] {
        guard let folder = output.map({ FilePath($0) }) else { return [] }
        return [ClientReport.fileName, "junit.xml"].map { folder.appending($0) }
    }

    /// Replaces the page and the summary by those of the checks: the run's own count cells.
    private func writePage(of report: ClientReport) async throws {
        guard let folder = output.map({ FilePath($0) }) else { return }
        let page = try await ResultPlace(folder).page(of: report).bytes
        try FileReplacement.write(
            String(decoding: page, as: UTF8.self), to: folder.appending(ReportFormat.html.fileName ?? ""))
        let run = try ReportShowCommand.read(ResultPlace(folder).file)
        try FileReplacement.write(
            MarkdownReport.render(run, of: report), to: folder.appending(ReportFormat.markdown.fileName ?? ""))
    }

    private func show(
        _ report: ClientReport, _ json: String, _ ending: CommandEnding, _ instead: ProcessStatus?, isWhole: Bool
    ) {
        let partly = ProcessStatus(code: ending.status, reason: "The checks were stopped before all of them had run.")
        switch format.format {
        case .json: Console.out(TerminalText(json: json))
        case .text:
            var style = ClientReport.TextStyle()
            (style.palette, style.isVerbose, style.options) = (Console.palette, verbose, againOptions)
            style.process = isWhole ? ending.process ?? instead : partly
            Console.out(TerminalText(report: String(report.text(style).dropLast())))
            let annotations = GitHubJob.isHere ? GitHubAnnotations.render(report) : ""
            if !annotations.isEmpty { Console.out(TerminalText(report: String(annotations.dropLast()))) }
            guard let output, ending.isWhole else { return }
            Console.note("In \(output): report.html, check.json, junit.xml, and a timeline of each failure.")
        }
    }

    /// The options that repeat a check in the same way, except its name and the folder of its results.
    private var againOptions: [String] {
        var words: [String] = []
        if patience != Self.usualPatience { words += ["--patience", patience.word] }
        if let within { words += ["--within", within.word] }
        // Clients that disturb each other fail in other ways than one alone.
        if jobs != Self.usualJobs { words += ["--jobs", "\(jobs)"] }
        if let backend = backend.value { words += ["--backend", backend.rawValue] }
        if knowsDigest { words.append("--knows-digest") }
        if let suite { words += ["--suite", suite] }
        return words
    }

    /// Prints the name and the purpose of each check that would run, also of those that others need; runs nothing.
    func printList() throws {
        // The names and purposes of checks do not depend on the client.
        let nothing = CheckedCommand(
            words: ["true"], directory: FilePath(FileManager.default.currentDirectoryPath), patience: patience,
            within: patience * 6)
        let asked = try questions(nothing)
        let json = JSONTree.object([
            "schema_version": .whole(1),
            "checks": .list(asked.map { .object(["name": .text($0.name), "says": .text($0.check.says)]) }),
        ])
        try format.print(json, lines: TextTable.lines(asked.map { [$0.name.singleLine, $0.check.says.singleLine] }))
    }
}
