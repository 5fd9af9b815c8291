import ArgumentParser
import FoundationEssentials
import Harness
import Hunting
import LinkModel
import Scenarios
import SystemPackage
import Wording

/// The options of a hunt for a client that takes a URL and writes a file.
struct HuntedClientOptions: ParsableArguments {
    @Option(
        time:
            "How long your client may stay idle: no lookup, connection, request or data. It is stopped 10s later. "
            + "(default: 30s)")
    var patience = Self.usualPatience

    @Option(time: "How long your client may run in total. (default: 3min, or five times the patience)")
    var within: Duration?

    @Option(
        help: ArgumentHelp("The size of the pack that it downloads. (default: 1MiB)", valueName: "size"),
        transform: { try ByteCount(parsing: $0) })
    var packSize = Self.usualSize

    @Option(
        help: ArgumentHelp(
            "The maximum bytes that it may fetch, as a multiple of the pack's size, if at most one fault costs it a try.",
            valueName: "times"))
    var mostBytes = Self.usualTimes

    @Flag(help: "Your client reads the pack's SHA-256 without {digest}, such as from HEADWIND_DIGEST.")
    var knowsDigest = false

    func validate() throws {
        try ValidationError.check(patience, in: .seconds(1) ... .seconds(3600), "--patience is between 1s and 1h.")
        try ValidationError.check(within, in: .seconds(1) ... .seconds(86_400), "--within is between 1s and 24h.")
        try ValidationError.check(packSize.bytes, in: 1...64 << 20, "--pack-size is between 1B and 64MiB.")
        try ValidationError.check(mostBytes, in: 2...1000, "--most-bytes is between 2 and 1000.")
    }

    /// Throws if the client's time limit is shorter than its patience.
    func checkLimits() throws {
        if let within, within < patience { throw ValidationError("--within is at least --patience, \(patience.text).") }
    }

    /// How long the client may run in all: --within, or by default 3 min and at least five times its patience.
    ///
    /// A client may wait as long as its patience for each of the faults that come together.
    var longest: Duration { within ?? max(.seconds(180), patience * (Candidate.mostFaults + 1)) }

    /// Whether the client of a cell knows the digests of its packs: a command by a placeholder, any other by its
    /// manifest.
    func knowsDigest(_ cell: Cell) -> Bool {
        guard case .command(let command) = cell.workload else { return true }
        return knowsDigest || !command.placeholders.isDisjoint(with: [.digest, .manifest])
    }

    /// Whether an option about packs is given.
    var isOfPackGiven: Bool { isChanged || knowsDigest }

    /// Whether an option that applies only to a command is given.
    var isGiven: Bool { isChanged || within != nil }

    private var isChanged: Bool {
        patience != Self.usualPatience || packSize != Self.usualSize || mostBytes != Self.usualTimes
    }

    private static let usualPatience = Duration.seconds(30)
    private static let usualSize = ByteCount(1 << 20)
    private static let usualTimes = 4
}

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
        folder:
            "With --exec: run CMD in this folder, one attempt at a time; each sees the files of earlier ones. "
            + "(default: an empty folder for each)")
    var directory: String?

    func validate() throws {
        if !isProgram,
            oracle != nil || profile != nil || !forward.isEmpty || expectStatus != nil || directory != nil
        {
            throw ValidationError("--oracle, --profile, --forward, --expect-status and --directory need --exec.")
        }
        try ValidationError.check(expectStatus, in: 0...255, "--expect-status takes a status from 0 to 255.")
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
