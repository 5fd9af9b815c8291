import ArgumentParser
import LinkModel
import Scenarios
import SystemPackage

/// `headwind exec`: any program behind a conditioned link.
struct ExecCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec",
        abstract: "Run a program whose network is bad.",
        discussion: """
            Runs CMD in networks of its own, from which every packet, of any protocol, crosses a link to this machine's \
            networks; with your terminal, folder and streams:

              headwind exec --profile 3g -- curl -O https://example.com/pack.zip
              headwind exec --profile lte --at 10s:offline --at 15s:online -- \\
                ./download-test.sh
              headwind exec --profile edge --forward 8080 -- \\
                curl http://localhost:8080/
              git bisect run headwind exec --profile edge -- ./download-test.sh

            127.0.0.1 is CMD's own there. This machine is host.headwind.internal, and --forward has a port of it on \
            CMD's loopback. Where this machine cannot have such networks CMD's proxy variables point to a throttling \
            proxy instead, as with --backend proxy: then a program that ignores http_proxy and https_proxy, or that \
            speaks UDP, is not affected. Which it was, and why, is told on stderr; so is what crossed the link.

            The exit status is CMD's own (128 + n for signal n); 124 where --timeout ended it; 126 and 127 where CMD could \
            not be run, as env(1) has it; 125 where Headwind itself failed. --status-file tells these from statuses of \
            CMD's own.
            """
    )

    @Option(
        help: "The link: the name of a profile, or the path of a profile's file.", completion: ProfileCommand.names)
    var profile: String

    @Option(help: "What random decisions, such as losses, are keyed by: a whole number.")
    var seed: UInt64 = 0

    @Option(help: "packet or proxy; without it packet where this machine allows it.")
    var backend: ExecBackend?

    @Option(
        help: ArgumentHelp(
            "Change the link so long after CMD's start: 10s:offline, 15s:online, 20s:lte.", valueName: "time:state"))
    var at: [String] = []

    @Option(
        help: ArgumentHelp("Have this port of this machine on CMD's 127.0.0.1, through the link.", valueName: "port"))
    var forward: [UInt16] = []

    @Option(help: "Record the packets of both ends to this file, as pcapng.", completion: .file())
    var capture: String?

    @Option(help: "Run CMD so many times, with seeds that count up.")
    var `repeat` = 1

    @Flag(help: "With --repeat: stop when CMD has failed.")
    var untilFail = false

    @Option(help: "End CMD after this time, such as 90s, with status 124.")
    var timeout: String?

    @Option(help: "Write how CMD ended to this file, as JSON.", completion: .file())
    var statusFile: String?

    @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("The program and its arguments.", valueName: "cmd"))
    var command: [String] = []

    func validate() throws {
        if words.isEmpty { throw ValidationError("Say what to run: headwind exec --profile 3g -- CMD ARGS…") }
        if command[0].hasPrefix("-"), command[0] != "--" {
            let option = String(command[0].prefix { $0 != "=" })
            let hint =
                NearestName.hint(for: option, in: Self.options) ?? "there are \(Self.options.joined(separator: ", "))"
            throw ValidationError(
                "There is no option '\(option)' of 'headwind exec'; \(hint) Options of CMD itself stand behind its name, "
                    + "and a CMD whose name begins with '-' behind '--'.")
        }
        if `repeat` < 1 { throw ValidationError("Say how often: --repeat takes a whole number from 1 on.") }
        if forward.contains(0) { throw ValidationError("--forward takes a port from 1 to 65535.") }
        if backend == .proxy, let option = packetOption {
            throw ValidationError("\(option) needs packets, which --backend proxy does not have.")
        }
    }

    func run() async throws {
        let outcome = await outcome(InheritedDescriptors())
        if let message = outcome.message { Console.note("headwind: \(message)") }
        if let statusFile {
            do {
                try outcome.write(to: FilePath(statusFile))
            } catch {
                Console.note("headwind: \(error)")
                throw ExitCode(Self.ownFailure)
            }
        }
        if outcome.status != 0 { throw ExitCode(outcome.status) }
    }

    /// What Headwind's own failures are called: git bisect run(1) passes over it.
    static let ownFailure: Int32 = 125

    private static let options = [
        "--profile", "--seed", "--backend", "--at", "--forward", "--capture", "--repeat", "--until-fail", "--timeout",
        "--status-file", "--help",
    ]

    var words: [String] { Array(command.first == "--" ? command.dropFirst() : command[...]) }

    /// An option that a proxy cannot fulfil, if there is one.
    private var packetOption: String? { capture != nil ? "--capture" : forward.isEmpty ? nil : "--forward" }

    private func outcome(_ descriptors: InheritedDescriptors) async -> ExecStatus {
        do {
            let plan = try plan()
            var backend = backend
            var worst: ExecStatus?
            for number in 0..<`repeat` {
                var attempt = plan
                attempt.seed = seed &+ UInt64(number)
                let status = try await run(attempt, by: &backend, descriptors)
                if `repeat` > 1 {
                    Console.note(
                        "headwind: run \(number + 1) of \(`repeat`), seed \(attempt.seed): status \(status.status)")
                }
                if worst == nil || worst?.status == 0 { worst = status }
                if status.cause == .headwind || status.status != 0 && (untilFail || status.isStopping) { break }
            }
            return worst ?? ExecStatus(status: 0, cause: .command)
        } catch let error as ForegroundProcess.NotStarted {
            let cause: ExecStatus.Cause = error.status == 127 ? .notFound : .notExecutable
            return ExecStatus(status: error.status, cause: cause, message: error.description)
        } catch {
            return ExecStatus(status: Self.ownFailure, cause: .headwind, message: "\(error)")
        }
    }

    private func plan() throws -> ExecPlan {
        let library = try ProfileCommand.library()
        var plan = ExecPlan(words: words, profile: try library.profile(profile))
        plan.changes = try at.map { try LinkChange(parsing: $0) { try library.profile($0) } }.sorted {
            $0.after < $1.after
        }
        plan.forwards = forward
        plan.capture = capture.map { FilePath($0) }
        plan.timeout = try timeout.map { try Duration(parsing: $0) }
        return plan
    }

    /// Runs the program once; with no backend named, by packets if that can be had, and as the first time ever after.
    private func run(
        _ plan: ExecPlan, by backend: inout ExecBackend?, _ descriptors: InheritedDescriptors
    ) async throws -> ExecStatus {
        if backend != .proxy {
            do {
                guard let pasta = ExecBackend.pasta() else {
                    throw PacketExec.Unavailable(description: ExecBackend.pastaMissing)
                }
                var status = try await PacketExec(plan: plan, pasta: pasta, descriptors: descriptors).run()
                backend = .packet
                status.backend = ExecBackend.packet.rawValue
                return status
            } catch let error as PacketExec.Unavailable {
                guard backend == nil, packetOption == nil else { throw error }
                Console.note("headwind: the link is a proxy, as packets cannot be had: \(error)")
            }
        }
        backend = .proxy
        var status = try await ProxyExec(plan: plan, descriptors: descriptors).run()
        status.backend = ExecBackend.proxy.rawValue
        return status
    }
}
