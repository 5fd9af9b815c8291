import Documents
import FoundationEssentials
import LinuxSupport
import ResultFiles
import Results
package import SystemPackage
import Wording

/// How a run is divided among machines, and what has been started.
///
/// It is all that a new coordinator needs to continue after another one was killed.
package struct ShardPlan: Hashable, Sendable, Codable {
    /// The version that is written; other versions are refused.
    package static let currentSchema = 1
    private static let mostBytes = 64 << 20
    private static let tokenStart = "headwind-"

    package var schema = ShardPlan.currentSchema
    /// The version of Headwind, which shards must have, too.
    package var toolVersion: String
    /// The unique name of this run in the engine: `headwind-5f3a90c2`.
    package var token: String
    package var engine: EngineName
    /// The values of `--engine-option`.
    package var options: [String]
    /// The command of each shard.
    package var command: ShardCommand
    /// The absolute paths of the files that it reads besides Headwind's own; nil if not recorded.
    package var files: [String]?
    /// The SHA-256 of the division, in hexadecimal digits; see `ShardDivision`.
    package var division: String
    /// The names of the cells of each shard, in order.
    package var cells: [[String]]
    /// The expected duration of each of these cells, in seconds.
    package var seconds: [[Double]]
    /// Whether durations of an earlier run are among them, so that shards have to be given them; nil if not.
    package var hasMeasuredDurations: Bool?
    /// Whether it is complete: no shard runs any more, and the result is written.
    package var isFinished = false
    /// The submissions, in order.
    package var submissions: [Submission] = []

    package init(
        toolVersion: String, token: String, engine: EngineName, options: [String], command: ShardCommand,
        division: String, cells: [[String]], seconds: [[Double]]
    ) {
        (self.toolVersion, self.token, self.engine, self.options) = (toolVersion, token, engine, options)
        (self.command, self.division, self.cells, self.seconds) = (command, division, cells, seconds)
    }

    /// How many shards there are.
    package var count: Int { cells.count }

    /// The expected duration of each cell in seconds, by name, in JSON: what `--durations` of a shard reads.
    package var durations: String {
        let members = zip(cells.joined(), seconds.joined()).map { JSONTree.Member(key: $0, value: .number($1)) }
        return JSONTree.object(members).json + "\n"
    }

    /// The ``durations``, if shards have to be given them; otherwise nil.
    package var measuredDurations: String? { hasMeasuredDurations == true ? durations : nil }

    /// What tells this run from others: the end of its token.
    var run: Substring { token.dropFirst(Self.tokenStart.count) }

    /// The submissions that count: those that were not stopped.
    package var standing: [Submission] { submissions.filter { $0.isOver != true } }
    /// The submission with the same number.
    subscript(submission: Submission) -> Submission {
        get { submissions[submission.number - 1] }
        set { submissions[submission.number - 1] = newValue }
    }
    /// The last counting submission that has a shard.
    package func submission(of shard: Int) -> Submission? { standing.last { $0.shards.contains(shard) } }

    /// Writes the plan whole or not at all, for this user only; throws ``EngineError``.
    ///
    /// Its command may have secrets, such as a token in an address.
    package func write(to file: FilePath) throws {
        let text = JSONTree(encoding: self).json + "\n"
        do { try AtomicFile.write(text.utf8, to: file, isPrivate: true) } catch {
            throw EngineError.file(
                file, reason: "it cannot be written: \(error). Make room, or choose another --output.")
        }
    }

    /// Reads a plan that ``write(to:)`` wrote; throws ``EngineError``.
    package static func read(_ file: FilePath) throws -> ShardPlan {
        let bytes = try BoundedFile.read(file, most: mostBytes) {
            EngineError.file(file, reason: "it \($0). Name the folder of a run that was divided by --on.")
        }
        guard bytes.count <= mostBytes else {
            throw EngineError.file(file, reason: "it is larger than \(mostBytes >> 20) MiB, so it is not a plan.")
        }
        let plan: ShardPlan
        do { plan = try JSONDecoder().decode(ShardPlan.self, from: Data(bytes)) } catch {
            throw EngineError.file(
                file, reason: "\(error.decodingReason(in: Data(bytes))). Headwind did not write this plan.")
        }
        guard plan.schema == currentSchema else {
            throw EngineError.file(
                file,
                reason:
                    "it has version \(plan.schema), and this Headwind reads \(currentSchema). Use the Headwind that wrote it."
            )
        }
        if let why = plan.obstacle { throw EngineError.file(file, reason: "\(why). Headwind did not write this plan.") }
        return plan
    }

    /// Why the plan is invalid; nil if it is valid.
    private var obstacle: String? {
        guard (1...ShardNumber.mostShards).contains(count), seconds.map(\.count) == cells.map(\.count) else {
            return "it has no shards, or too many"
        }
        if !token.hasPrefix(Self.tokenStart) || !token.allSatisfy({ $0.isPlain(or: "-") }) {
            return "its token '\(String(token.prefix(40)).onOneLine)' is not valid"
        }
        for (index, submission) in submissions.enumerated() {
            if submission.number != index + 1 { return "its submissions are not numbered 1, 2, 3 and so on" }
            if !submission.shards.allSatisfy((1...count).contains) {
                return "a submission has a shard that does not exist"
            }
        }
        return nil
    }

    private enum CodingKeys: String, SnakeCaseKey {
        case token, engine, options, command, files, division, cells, seconds, submissions, toolVersion
        case schema = "schemaVersion"
        case hasMeasuredDurations = "measuredDurations"
        case isFinished = "finished"
    }
}

/// The parts of a shard's command line: `PROGRAM run --shard 3/8 --output FOLDER OPTIONS -- SCENARIOS`.
package struct ShardCommand: Hashable, Sendable, Codable {
    /// An option as given, with its value if it has one.
    package struct Option: Hashable, Sendable, Codable {
        /// Its name with its hyphens: `--client`.
        package var name: String
        package var value: String?

        package init(_ name: String, _ value: String? = nil) { (self.name, self.value) = (name, value) }

        package var words: [String] { [name] + (value.map { [$0] } ?? []) }
    }

    /// The absolute path of `headwind` on this machine.
    package var program: String
    /// The folder that relative paths are relative to.
    package var directory: String
    /// The options of `headwind run`, except those for the shard, its folder and its progress.
    package var options: [Option]
    /// Scenarios and folders of them; empty: the bundled suite, or that of `--suite`.
    package var scenarios: [String]

    package init(program: String, directory: String, options: [Option], scenarios: [String]) {
        (self.program, self.directory, self.options, self.scenarios) = (program, directory, options, scenarios)
    }

    /// The arguments that all shards share, after those that name the shard and its folder.
    package func shared(durations: String?, packs: String? = nil) -> [String] {
        (durations.map { ["--durations", $0] } ?? []) + (packs.map { ["--packs", $0] } ?? []) + [
            "--progress", "json", "--no-history",
        ]
            + options.flatMap(\.words)
            + (scenarios.isEmpty ? [] : ["--"] + scenarios)
    }
}
