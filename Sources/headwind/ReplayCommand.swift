import ArgumentParser
import FoundationEssentials
import Harness
import ResultFiles
import Results
import Scenarios
import Synchronization
import SystemPackage
import Wording

/// `headwind replay`: plays the faults of a failure again.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Play the faults of a failure again.",
        discussion: """
            'headwind run --output' writes a bundle for each failed cell. 'headwind replay' plays its fault schedule \
            several times, and counts how often the failure comes back. The exit status is 99 if it came back, 97 if \
            it did not, 75 if the machine or network was at fault, 65 for an invalid bundle, 64 for one that needs \
            --trust, 69 if something that it needs is missing.

            With a command after '--' it tests that client instead, with a status for 'git bisect run': 1 if the \
            failure came back, 0 if it did not, 125 if unknown. --client does the same for a program that takes \
            headwind-client's command line.

            Examples:

              headwind replay results/bundles/tunnel-3g-2
              headwind replay results/bundles/tunnel-3g-2 --times 20 --jobs 4 --format json
              headwind replay results/bundles/tunnel-3g-2 --shrink
              headwind replay results/bundles/tunnel-3g-2 --times 1 --output kept --capture
              headwind replay results/bundles/tunnel-3g-2 -- ./client '{url}' '{output}'
            """)

    @Argument(help: "The folder of a bundle.", completion: .directory, transform: { FilePath($0) })
    var bundle: FilePath

    @Option(help: ArgumentHelp("How often to play the faults. (default: 5, or 1 with --no-limits)", valueName: "count"))
    var times: Int?

    @Option(help: ArgumentHelp("The maximum number of plays at once.", valueName: "count"))
    var jobs = 1

    @Flag(
        help: ArgumentHelp(
            "Remove lines of the fault schedule while the failure comes back as often, and write a scenario with "
                + "the rest. (in the folder of --output; default: BUNDLE-shrunk)"))
    var shrink = false

    @Option(
        help: ArgumentHelp("Test this program instead of headwind-client.", valueName: "program"),
        completion: .file())
    var client: String?

    @Flag(help: "Run the command of a bundle from another machine, or of a changed one.")
    var trust = false

    @Flag(name: .customLong("no-limits"), help: "Set no time limits, for a debugger.")
    var hasNoLimits = false

    @Option(name: .shortAndLong, folder: "Keep the results of the plays in this folder.")
    var output: String?

    @Flag(help: "With --output: record the packet headers of each play, as pcapng.")
    var capture = false

    @Flag(help: "With --capture: record packet contents too, and the TLS secrets that decrypt them.")
    var keepSecrets = false

    @OptionGroup var resolve: ResolveOptions
    @OptionGroup var format: OutputOptions

    @Argument(parsing: .postTerminator, help: ArgumentHelp("A client to test instead, after '--'.", valueName: "cmd"))
    var command: [String] = []

    func validate() throws {
        if capture, output == nil { throw ValidationError("--capture needs --output FOLDER.") }
        if keepSecrets, !capture { throw ValidationError("--keep-secrets goes with --capture.") }
        if client != nil, !command.isEmpty { throw ValidationError("Give either --client or a command, not both.") }
        try ValidationError.check(jobs, in: 1...64, "--jobs is between 1 and 64.")
        if shrink, client != nil || !command.isEmpty {
            throw ValidationError("--shrink plays the bundle's own client: leave the other client out.")
        }
        if shrink, capture { throw ValidationError("--shrink records no packets: leave --capture out.") }
        try ValidationError.check(times, in: 1...1000, "--times is between 1 and 1000.")
    }

    /// The exit status of Headwind's own failures if a client is tried; git bisect run(1) skips it.
    static let cannotTest: Int32 = 125

    func run() async throws {
        // The log does not report whether each cell passed: a replay is about whether the failure comes back.
        let view = RunView(note: { _ in })
        try await Interruption.endsWell(remains: { view.remains }) {
            let code = try await play(view)
            if code != 0 { throw ExitCode(code) }
        }
    }

    /// Whether to try another client than the bundle's.
    private var isTrial: Bool { client != nil || !command.isEmpty }

    private func play(_ view: RunView) async throws -> Int32 {
        do {
            let replay = try prepared(view)
            if shrink {
                let folder = try NewFolder(output.map { FilePath($0) }, usual: "\(bundle.lexicallyNormalized())-shrunk")
                return try await view.ticking { try await ShrinkingView.shrink(replay, into: folder, format.format) }
            }
            let result = try await view.ticking { try await replay.perform() }
            try format.print(result, lines: ReplayText.lines(result, next: next(replay)))
            return isTrial ? result.bisectCode : result.exitCode
        } catch  where isTrial && !(error is CancellationError) {
            Console.note("headwind: \(error)")
            return Self.cannotTest
        }
    }

    /// A command that tests more of a client than one failure: the check with this scenario; nil for other scenarios.
    private func next(_ replay: Replay) -> String? {
        let cell = replay.bundle.record.cell
        guard !replay.bundle.cell.workload.isBuiltIn, !cell.contains("/"),
            let folder = BundledFiles.folder("scenarios")?.appending("error-paths"),
            FileManager.default.fileExists(atPath: folder.appending("\(cell).yaml").string)
        else { return nil }
        return ShellWords.quoted(["headwind", "check", "--only", cell, "--"] + replay.command)
    }

    private func prepared(_ view: RunView) throws -> Replay {
        let bundle = try FailureBundle(reading: bundle)
        guard bundle.isOwn || trust else { throw BundleError.untrusted(command: bundle.command) }
        var replay = try Replay(
            bundle, command: command.isEmpty ? nil : command, client: client, hasLimits: !hasNoLimits,
            programs: Programs(beside: BundledFiles.executable), toolVersion: Headwind.version)
        replay.times = times ?? (hasNoLimits ? 1 : 5)
        replay.run.jobs = jobs
        try resolve.check([bundle.cell])
        replay.run.resolved = resolve.names
        replay.output = output.map { FilePath($0) }
        if capture { replay.capture = RunCapture(keepsSecrets: keepSecrets) }
        replay.run.report = { view.show($0) }
        let times = replay.times
        let made = Mutex(0)
        replay.told = { play in
            // A play without a result is repeated, with the same number.
            let number = made.withLock { made in
                if play.outcome != .notPlayed { made += 1 }
                return play.outcome == .notPlayed ? made + 1 : made
            }
            Console.note("\(ReplayText.line(play, number: number, of: times))")
        }
        Console.note(TerminalText(lines: ReplayText.announcement(of: bundle, by: replay.command)))
        return replay
    }
}

extension BundleError: ErrorWithStatus {
    var exitStatus: ExitStatus {
        switch self {
        case .refused, .malformed, .unknownSchema: .invalidInput
        case .untrusted: .usage
        case .incomplete, .notACommand, .notARequest: .unavailable
        }
    }
}
