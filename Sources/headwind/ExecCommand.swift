import ArgumentParser
import FoundationEssentials
import LinkModel
import ProxyLink
import Scenarios
import SystemPackage

/// `headwind exec`: any program behind a conditioned link.
struct ExecCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec",
        abstract: "Run a program whose network is bad.",
        discussion: """
            Starts a throttling proxy, points CMD's proxy variables to it, and runs CMD with your terminal and folder:

              headwind exec --profile 3g -- curl -O https://example.com/pack.zip
              headwind exec --profile lte --seed 7 -- \\
                git clone https://example.com/game.git
              git bisect run headwind exec --profile edge -- ./download-test.sh

            All of CMD's connections share the link. A program that ignores http_proxy and https_proxy, or that speaks \
            UDP, is not affected; one that crossed the link not once is told so at the end, on stderr.

            The exit status is CMD's own (128 + n for signal n); 126 and 127 where CMD could not be run, as env(1) has \
            it; 125 where Headwind itself failed. --status-file tells these from statuses of CMD's own.
            """
    )

    @Option(
        help: "The link: the name of a profile, or the path of a profile's file.", completion: ProfileCommand.names)
    var profile: String

    @Option(help: "What random decisions, such as losses, are keyed by: a whole number.")
    var seed: UInt64 = 0

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

    private static let options = ["--profile", "--seed", "--status-file", "--help"]

    var words: [String] { Array(command.first == "--" ? command.dropFirst() : command[...]) }

    private func outcome(_ descriptors: InheritedDescriptors) async -> ExecStatus {
        do {
            let profile = try ProfileCommand.library().profile(profile)
            let configuration = ProxyLinkConfiguration(
                profile: profile, seed: seed, routes: RouteTable(policy: .direct))
            return try await withProxyLink(configuration) { link in
                descriptors.keepOthersFromPrograms()
                return try await run(behind: link, profile)
            }
        } catch let error as ForegroundProcess.NotStarted {
            let cause: ExecStatus.Cause = error.status == 127 ? .notFound : .notExecutable
            return ExecStatus(status: error.status, cause: cause, message: error.description)
        } catch {
            return ExecStatus(status: Self.ownFailure, cause: .headwind, message: "\(error)")
        }
    }

    private func run(behind link: ProxyLink, _ profile: Profile) async throws -> ExecStatus {
        guard let proxy = link.forwardAddress else { throw ProxyLinkError.closed }
        let environment = ProxyEnvironment.make(from: ProcessInfo.processInfo.environment, proxy: proxy)
        let process = try ForegroundProcess.start(words, environment: environment)
        SignalRelay.start(to: process.processID)
        let ending = await process.wait()
        SignalRelay.stop()
        let summary = LinkSummary(
            profile: profile.name, counters: try await link.counters(), samples: try await link.samples())
        Console.note("headwind: " + summary.line)
        if let warning = summary.warning { Console.note("headwind: " + warning) }
        switch ending {
        case .exited: return ExecStatus(status: ending.status, cause: .command)
        case .signalled: return ExecStatus(status: ending.status, cause: .signal)
        }
    }
}
