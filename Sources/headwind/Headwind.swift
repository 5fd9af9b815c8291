import ArgumentParser
import CBuild
import Dispatch
import Execution
import Glibc
import Harness
import Links
import LinuxSupport
import Redaction
import Scenarios
import SystemPackage
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

/// The entry point of the program.
@main enum Program {
    /// Checks the resources for Swift's threads first, so it must not be `async`.
    static func main() {
        Headwind.checkNeeds()
        Task { @MainActor in
            await Headwind.start()
            exit(EXIT_SUCCESS)
        }
        dispatchMain()
    }
}

extension Run {
    /// A run by this command line; without other `programs`, by those beside this one.
    init(
        _ scenarios: [Scenario], programs: Programs = Programs(beside: BundledFiles.executable),
        output: FilePath? = nil
    ) {
        self.init(
            scenarios: scenarios, programs: programs, output: output, toolVersion: Headwind.version,
            commandLine: Redaction.arguments(CommandLine.arguments))
    }
}

/// The names of commands on a command line.
enum CommandName {
    /// Throws if a word in the place of a command's name is none; the error suggests the nearest name.
    ///
    /// The parser itself would only report an unexpected argument.
    static func check(_ arguments: [String], of root: any ParsableCommand.Type) throws(CommandFailure) {
        var command = root
        var path = name(of: root)
        for word in arguments {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-") else { return }
            if command == root, word == "help" { continue }
            guard let next = commands.first(where: { name(of: $0) == word }) else {
                // With a default subcommand, any other word is an argument of that.
                guard command.configuration.defaultSubcommand == nil else { return }
                let names = commands.map(name)
                let hint = NearestName.hint(for: word, in: names) ?? "there are \(names.joined(separator: ", "))."
                throw CommandFailure.usage("there is no command '\(word)' of '\(path)'; \(hint) See '\(path) --help'.")
            }
            command = next
            path += " \(word)"
        }
    }

    private static func name(of command: any ParsableCommand.Type) -> String { command.configuration.commandName ?? "" }
}

/// Arguments and variables that are not UTF-8: Swift's strings would pass changed bytes to a program.
enum ForeignBytes {
    /// 8 MiB: more than Linux passes to a program, with the usual limit of its stack; see execve(2).
    private static let mostBytes = 8 << 20

    /// Why a program cannot get this process's arguments and variables; nil if it can.
    static func refusal() -> String? {
        let arguments = CommandLine.unsafeArgv
        for index in 0..<Int(CommandLine.argc) {
            guard let argument = arguments[index], String(validatingCString: argument) == nil else { continue }
            return
                "The argument '\(printable(bytes(of: argument)))' is not UTF-8, so CMD would not receive it "
                + "unchanged. Pass it from a script: headwind exec … -- sh -c '…'."
        }
        // See proc_pid_environ(5): the variables as this process received them.
        let given = (try? BoundedFile.read("/proc/self/environ", most: mostBytes)) ?? []
        let variables = given.split(separator: 0)
        guard let variable = variables.first(where: { String(validating: $0, as: UTF8.self) == nil }) else {
            return nil
        }
        let name = printable(variable.prefix { $0 != UInt8(ascii: "=") })
        return
            "The variable '\(name)' is not UTF-8, so CMD would not receive it unchanged. Unset it: env -u \(name) headwind …."
    }

    /// The text, with bytes outside ASCII in the notation of printf(1); at most 200 bytes.
    static func printable(_ bytes: some Collection<UInt8>) -> String {
        bytes.prefix(200).map { byte in
            if (0x20..<0x7F).contains(byte) { return String(UnicodeScalar(byte)) }
            return "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private static func bytes(of text: UnsafeMutablePointer<CChar>) -> [UInt8] {
        UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
    }
}
