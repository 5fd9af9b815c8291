import ArgumentParser
import FoundationEssentials
import Harness
import Scenarios
import SystemPackage
import Wording

/// The options of a hunt for any program, run as by `headwind exec`.
struct HuntedProgramOptions: ParsableArguments {
    @Flag(
        name: .customLong("exec"),
        help: "Hunt any program, run as by 'headwind exec'. Its exit status and --within (default: 1min) decide.")
    var isProgram = false

    @Option(
        help: ArgumentHelp(
            "With --exec: a shell command that runs in the folder of each attempt and judges its files: status 0 "
                + "accepts them. It has HEADWIND_STATUS, HEADWIND_STDOUT, HEADWIND_STDERR and HEADWIND_DIRECTORY.",
            valueName: "cmd"))
    var oracle: String?

    @Option(
        help: ArgumentHelp(
            "With --exec: the link, by the name of a profile or the path of its file. (default: wifi)",
            valueName: "profile"), completion: ProfileCommand.names)
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "With --exec: make this port of this machine available on CMD's 127.0.0.1, through the link.",
            valueName: "port"), transform: { try ForwardOption.port($0) })
    var forward: [UInt16] = []

    @Option(help: ArgumentHelp("With --exec: the expected exit status of CMD. (default: 0)", valueName: "status"))
    var expectStatus: Int32?

    @Option(
        help: ArgumentHelp(
            "With --exec: run CMD in this folder, one attempt at a time; each sees the files of earlier ones. "
                + "(default: an empty folder for each)", valueName: "folder"), completion: .directory)
    var directory: String?

    func validate() throws {
        if !isProgram,
            oracle != nil || profile != nil || !forward.isEmpty || expectStatus != nil || directory != nil
        {
            throw ValidationError("--oracle, --profile, --forward, --expect-status and --directory need --exec.")
        }
        guard (0...255).contains(expectStatus ?? 0) else {
            throw ValidationError("--expect-status takes a status from 0 to 255.")
        }
        if let oracle, oracle.allSatisfy(\.isWhitespace) { throw ValidationError("--oracle takes a shell command.") }
    }

    /// What to try if a client fails without any fault; `words` run the scenario to hunt in, if there is one.
    func hint(running words: [String]?) -> String {
        if let words { return "Try it with '\(ShellWords.quoted(["headwind"] + words))'." }
        guard isProgram else { return "Try it with 'headwind check'." }
        return directory == nil
            ? "It runs in an empty folder: use absolute paths, or give '--directory .'."
            : "Try it with 'headwind exec'."
    }

    /// The scenario of a command, with a time limit of `longest`.
    func scenario(of words: [String], within longest: Duration?) -> ProgramScenario {
        let here = FilePath(FileManager.default.currentDirectoryPath)
        var scenario = ProgramScenario(
            words: WholePaths.of(words), directory: here.pushing(FilePath(directory ?? ".")).lexicallyNormalized(),
            profile: wholeProfile(here))
        scenario.forwards = forward
        scenario.fidelity = .any
        (scenario.hasOwnFolder, scenario.oracle) = (directory == nil, oracle)
        scenario.status = expectStatus ?? 0
        scenario.deadline = longest ?? Self.usualLimit
        return scenario
    }

    private func wholeProfile(_ here: FilePath) -> String {
        guard let profile else { return "wifi" }
        return ProfileLibrary.isPath(profile) ? here.pushing(FilePath(profile)).lexicallyNormalized().string : profile
    }

    private static let usualLimit = Duration.seconds(60)
}

/// `--forward PORT`.
enum ForwardOption {
    /// Reads a port, 1 to 65535; throws `ValidationError` for anything else.
    static func port(_ text: String) throws -> UInt16 {
        guard let port = UInt16(text), port > 0 else { throw ValidationError("a port is a number from 1 to 65535") }
        return port
    }
}
