import ArgumentParser
import Hunting
import LinkModel
import Scenarios
import SystemPackage

/// The options of a hunt for a client that takes a URL and writes a file.
struct HuntedClientOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How long your client may stay idle: no lookup, connection, request or data. It is stopped 10s later. "
                + "(default: 30s)",
            valueName: "time"), transform: { try Duration(parsing: $0) })
    var patience = Self.usualPatience

    @Option(
        help: ArgumentHelp(
            "How long your client may run in total. (default: 3min, or five times the patience)", valueName: "time"),
        transform: { try Duration(parsing: $0) })
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
        guard patience >= .seconds(1), patience <= .seconds(3600) else {
            throw ValidationError("--patience is between 1s and 1h.")
        }
        if let within, within < .seconds(1) || within > .seconds(86_400) {
            throw ValidationError("--within is between 1s and 24h.")
        }
        guard (1...64 << 20).contains(packSize.bytes) else {
            throw ValidationError("--pack-size is between 1B and 64MiB.")
        }
        guard (2...1000).contains(mostBytes) else { throw ValidationError("--most-bytes is between 2 and 1000.") }
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
