import ArgumentParser
import Documents
import Execution
import FoundationEssentials
import LinkModel
import Links
import Scenarios
import SystemPackage
import Wording

/// `headwind exec`: runs any program behind a conditioned link.
struct ExecCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec",
        abstract: "Run any program on a bad network.",
        discussion: """
            Runs CMD in its own network, with your terminal, folder and streams. Every packet, of any protocol, \
            crosses the link to this machine's networks:

              headwind exec --profile 3g -- curl -O https://example.com/pack.zip
              headwind exec --profile lte --at 10s:offline --at 15s:online -- \\
                ./download-test.sh
              headwind exec --profile edge --forward 8080 -- \\
                curl http://localhost:8080/
              headwind exec --profile 3g --repeat 50 --until-fail --record bundle \\
                -- ./download-test.sh; headwind replay bundle

            CMD has its own 127.0.0.1. It reaches this machine as host.headwind.internal; --forward makes a port of \
            this machine available on CMD's loopback. If this machine cannot create such a network, CMD's proxy \
            variables point to a throttling proxy, as with --backend proxy. The proxy does not affect UDP, or a \
            program that ignores http_proxy and https_proxy. stderr shows the backend, the reason, and the traffic \
            that crossed the link.

            The exit status is CMD's (128 + n for signal n), 124 after --timeout, 126 or 127 if CMD could not be run \
            (as in env(1)), and 125 if Headwind itself failed. --status-file distinguishes these from CMD's own \
            statuses.
            """
    )

    @Option(help: "The link: the name of a profile, or the path of a profile's file.", completion: ProfileCommand.names)
    var profile: String

    @Option(help: "The seed of random decisions, such as losses: a whole number.")
    var seed: UInt64 = 0

    @Option(
        help: """
            packet, kernel or proxy. (default: the first that supports this link here, in this order; above 500 Mbit/s \
            kernel comes first)
            """)
    var backend: LinkBackend?

    @Option(
        help: ArgumentHelp(
            "Change the link this long after CMD's start: 10s:offline, 15s:online, 20s:lte.", valueName: "time:state"))
    var at: [String] = []

    @Option(
        help: ArgumentHelp(
            "Make this port of this machine available on CMD's 127.0.0.1, through the link.", valueName: "port"),
        transform: { try ForwardOption.port($0) })
    var forward: [UInt16] = []

    @Option(help: "Play this fault schedule instead of random faults.", completion: .file())
    var schedule: String?

    @Option(help: "Record the packet headers of both ends to this file, as pcapng.", completion: .file())
    var capture: String?

    @Flag(help: "With --capture: record packet contents too, and the TLS secrets that decrypt them.")
    var keepSecrets = false

    @Option(folder: "Write a bundle to this folder, for 'headwind replay'.")
    var record: String?

    @Option(help: "Write an equivalent scenario to this file, for 'headwind run'.", completion: .file())
    var saveScenario: String?

    @Option(help: ArgumentHelp("The expected exit status of CMD. Any other is a failure.", valueName: "status"))
    var expectStatus: Int32 = 0

    @Option(help: "Run CMD this many times, with increasing seeds.")
    var `repeat` = 1

    @Option(
        help: ArgumentHelp(
            "With --repeat: the maximum number of runs at once. With more than one, CMD has no terminal and an empty standard input.",
            valueName: "count"))
    var jobs = 1

    @Flag(help: "With --repeat: stop at the first failure.")
    var untilFail = false

    @Option(help: "Stop CMD after this time, such as 90s, with status 124.", transform: { try Duration(parsing: $0) })
    var timeout: Duration?

    @Option(help: "Write how CMD ended to this file, as JSON.", completion: .file())
    var statusFile: String?

    @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("The program and its arguments.", valueName: "cmd"))
    var command: [String] = []

    func validate() throws {
        if words.isEmpty {
            throw ValidationError("The command is missing. Write: headwind exec --profile 3g -- CMD ARGS…")
        }
        if command[0].hasPrefix("-"), command[0] != "--" {
            let option = String(command[0].prefix { $0 != "=" })
            let hint =
                NearestName.hint(for: option, in: Self.options) ?? "there are \(Self.options.joined(separator: ", "))"
            throw ValidationError(
                "There is no option '\(option)' of 'headwind exec'; \(hint) Put options of CMD after its name. "
                    + "If its name begins with '-', put '--' before it.")
        }
        if `repeat` < 1 { throw ValidationError("--repeat takes a whole number, 1 or more.") }
        try ValidationError.check(expectStatus, in: 0...255, "--expect-status takes a status from 0 to 255.")
        try ValidationError.check(jobs, in: 1...64, "--jobs is between 1 and 64.")
        if jobs > 1, `repeat` == 1 { throw ValidationError("--jobs needs --repeat N.") }
        if jobs > 1, capture != nil { throw ValidationError("--capture records one run at a time: leave --jobs out.") }
        if untilFail, `repeat` == 1 { throw ValidationError("--until-fail needs --repeat N.") }
        if keepSecrets, capture == nil { throw ValidationError("--keep-secrets needs --capture FILE.") }
        if let capture, keepSecrets || record != nil, ExecCapture.isDevice(FilePath(capture)) {
            throw ValidationError(
                "--capture \(capture) is a device. --record and --keep-secrets read the capture again: name a file."
            )
        }
        if let backend, backend.isInSandbox, !backend.provider.recordsPackets,
            let option = capture != nil ? "--capture" : schedule != nil ? "--schedule" : nil
        {
            throw ValidationError(
                "\(option) needs --backend packet: \(backend.provider.title) do not report what happens to each packet."
            )
        }
        if let backend, !backend.isInSandbox, capture != nil {
            throw ValidationError("--capture needs packets, which --backend \(backend.rawValue) does not have.")
        }
    }

    func run() async throws {
        let outcome = await outcome(InheritedDescriptors())
        if let message = outcome.message { Self.note("\(message)") }
        if let statusFile {
            do {
                try FileReplacement.write(try outcome.jsonText(), to: FilePath(statusFile))
            } catch {
                Self.note("\(error)")
                throw ExitCode(ExecStatus.ownFailure)
            }
        }
        if outcome.status != 0 { throw ExitCode(outcome.status) }
    }

    @Sendable private static func note(_ text: TerminalText) { Console.note("headwind: \(text)") }

    private static let options = [
        "--profile", "--seed", "--backend", "--at", "--forward", "--schedule", "--capture", "--keep-secrets",
        "--record",
        "--save-scenario", "--expect-status", "--repeat", "--jobs", "--until-fail", "--timeout", "--status-file",
        "--help",
    ]

    var words: [String] { Array(command.first == "--" ? command.dropFirst() : command[...]) }

    private func outcome(_ descriptors: InheritedDescriptors) async -> ExecStatus {
        do {
            for file in [statusFile, saveScenario].compactMap({ $0 }) { try FileReplacement.check(FilePath(file)) }
            let plan = try plan()
            let signals = try ExecSignals(note: Self.note)
            defer { signals.close() }
            var series = ExecSeries(plan, ExecContext(descriptors: descriptors, signals: signals, note: Self.note))
            series.backend = backend
            series.insistsOnPackets = capture != nil
            (series.times, series.jobs) = (`repeat`, jobs)
            series.isUntilFailure = untilFail
            series.keeping = try keeping()
            if let keeping = series.keeping {
                series.plan.faults = keeping.cell.linkFaults
                series.plan.schedule = keeping.cell.schedule?.faults
            }
            series.plan.isRecorded = record != nil
            return try await series.run()
        } catch let error as ForegroundProcess.NotStarted {
            let cause: ExecStatus.Cause = error.status == 127 ? .notFound : .notExecutable
            return ExecStatus(status: error.status, cause: cause, message: error.description)
        } catch let error as InvalidFiles {
            let text = error.diagnostics.map(\.description).joined(separator: "; ")
            return ExecStatus(status: ExecStatus.ownFailure, cause: .headwind, message: text)
        } catch {
            return ExecStatus(status: ExecStatus.ownFailure, cause: .headwind, message: "\(error)")
        }
    }

    private func plan() throws -> ExecPlan {
        let library = try ProfileCommand.library()
        var plan = ExecPlan(words: words, profile: try library.profile(profile))
        plan.faults = LinkChange.faults(try changes(library)).map(\.fault)
        plan.forwards = forward
        plan.seed = seed
        plan.capture = capture.map { ExecCapture(path: FilePath($0), keepsSecrets: keepSecrets) }
        plan.timeout = timeout
        return plan
    }

    private func changes(_ library: ProfileLibrary) throws -> [LinkChange] {
        try at.map { try LinkChange(parsing: $0) { try library.profile($0) } }.sorted { $0.after < $1.after }
    }

    /// The scenario and bundle to keep; nil if no option needs them.
    private func keeping() throws -> ExecKeeping? {
        guard record != nil || saveScenario != nil || schedule != nil else { return nil }
        let library = try ProfileCommand.library()
        var scenario = ProgramScenario(
            words: words, directory: FilePath(FileManager.default.currentDirectoryPath), profile: profile)
        scenario.seed = seed
        scenario.fidelity = .any
        scenario.forwards = forward
        scenario.faults = LinkChange.faults(try changes(library)).map { fault, name in
            ProgramScenario.Fault(after: fault.trigger.time ?? .zero, link: name, duration: fault.duration)
        }
        scenario.schedule = schedule.map { FilePath($0) }
        scenario.status = expectStatus
        scenario.deadline = timeout
        return try ExecKeeping(
            scenario, library, bundle: record.map { FilePath($0) }, file: saveScenario.map { FilePath($0) },
            attempts: `repeat`, toolVersion: Headwind.version,
            writeFile: { try FileReplacement.write($0, to: $1) })
    }
}
