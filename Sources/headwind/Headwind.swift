import ArgumentParser
import CBuild
import Execution
import Glibc
import Links
import LinuxSupport
import Wording

/// The program: parses the command line, and runs a command.
struct Headwind: AsyncParsableCommand {
    static let version = "0.2.0"

    /// The output of `--version`: `headwind 0.2.0 (abcdef123456)`, without a commit if the build knew none.
    static var versionText: String {
        let commit = String(cString: headwind_commit())
        return "headwind \(version)" + (commit.isEmpty ? "" : " (\(commit))")
    }

    static let configuration = CommandConfiguration(
        commandName: "headwind",
        abstract: "Test how a download client holds up on a bad network.",
        discussion: """
            Starts a pack host and a download client, and puts a network such as 3G between them. The exit status \
            shows whether downloads stay within their budgets and fail as they should.

            Examples:

              headwind demo
              headwind run --quick
              headwind check -- curl -fL -o '{output}' '{url}'
              headwind run my-scenario.yaml --output results
              headwind exec --profile 3g -- curl -O https://example.com/file
            """,
        version: versionText,
        groupedSubcommands: [
            CommandGroup(
                name: "Testing:",
                subcommands: [
                    RunCommand.self, CheckCommand.self, HuntCommand.self, ExecCommand.self, DemoCommand.self,
                    ReplayCommand.self, ReportCommand.self, DoctorCommand.self,
                ]),
            CommandGroup(
                name: "Single parts:",
                subcommands: [LinkCommand.self, ProxyCommand.self, HostCommand.self, RequestCommand.self]),
            CommandGroup(
                name: "Files:",
                subcommands: [
                    InitCommand.self, ScenarioCommand.self, SchemaCommand.self, PackCommand.self, ProfileCommand.self,
                    DeviceCommand.self,
                ]),
        ],
        defaultSubcommand: nil)

    /// Whether the exit status is about a command of the user's.
    private static func isAboutCommand(_ arguments: [String]) -> Bool {
        arguments.first == ExecCommand.configuration.commandName
            || arguments.first == ReplayCommand.configuration.commandName && arguments.contains("--")
    }

    /// Ends the program if it lacks the resources that every command needs: Swift's own threads would trap, or never
    /// start.
    static func checkNeeds() {
        ResourceNeeds.spareAddressSpace()
        do { try ResourceNeeds.command.check(for: "headwind") } catch {
            end(error, CommandLine.arguments.dropFirst())
        }
    }

    /// Reports a shortage, and ends; a command of the user's may use any status except that of Headwind's failures.
    private static func end(_ shortage: ResourceShortage, _ arguments: some Sequence<String>) -> Never {
        Console.note("headwind: \(shortage)")
        let isExec = isAboutCommand(Array(arguments))
        exit(withError: ExitCode(isExec ? ExecStatus.ownFailure : ExitStatus.unavailable.rawValue))
    }

    /// Runs the command line, and ends the program with a status if anything fails.
    static func start() async {
        // A closed pipe, or a file that may not grow, is then an error of write(2), and does not keep other results
        // from being written. Programs that this one starts get the default again.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        Console.openStandardStreams()
        let arguments = Array(CommandLine.arguments.dropFirst())
        if isAboutCommand(arguments), let text = ForeignBytes.refusal() {
            Console.note("headwind: \(text)")
            exit(withError: ExitCode(ExecStatus.ownFailure))
        }
        do {
            try CommandName.check(arguments, of: Self.self)
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            try Console.checkOutput()
        } catch let shortage as ResourceShortage {
            end(shortage, arguments)
        } catch  where isAboutCommand(arguments) && exitCode(for: error) == .validationFailure {
            // Any other status would look like CMD's own.
            tell(error, of: arguments)
            exit(withError: ExitCode(ExecStatus.ownFailure))
        } catch {
            if let failure = CommandFailure(telling: error) {
                failure.tell()
                exit(withError: ExitCode(failure.status.rawValue))
            }
            // Help is no failure: the user requested it.
            guard exitCode(for: error) != .success else { exit(withError: error) }
            tell(error, of: arguments)
            exit(withError: exitCode(for: error))
        }
    }

    /// Reports what is wrong with a command line, in the parser's words, which quote arguments unchanged.
    private static func tell(_ error: any Error, of arguments: [String]) {
        var text = fullMessage(for: error)
        guard !text.isEmpty else { return }
        let message = message(for: error)
        // The parser's message has several lines. A line break in an argument could imitate one of them.
        if arguments.contains(where: { $0.onOneLine != $0 }), let range = text.firstRange(of: message) {
            text.replaceSubrange(range, with: message.onOneLine)
        }
        Console.note(TerminalText(report: text))
    }
}
