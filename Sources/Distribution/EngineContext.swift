import LinuxSupport
import ProcessGuard
import ResultFiles
package import SystemPackage
import Wording

/// The inputs of an engine.
package struct EngineContext: Sendable {
    /// The files of the shards on this machine.
    package var places: ShardFolder
    /// The plan to run; its submissions are ignored.
    package var plan: ShardPlan
    /// Runs the engine's own programs.
    package var programs: EnginePrograms
    /// Called with notes for the user, as sentences.
    package var note: @Sendable (String) -> Void

    /// `programs` are those of PATH by default; GNU parallel keeps its state in the folder of the shards.
    package init(
        places: ShardFolder, plan: ShardPlan, programs: EnginePrograms? = nil,
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let home = places.folder.appending("parallel").string
        self.programs = programs ?? .here(setting: ["PARALLEL_HOME": home])
        (self.places, self.plan, self.note) = (places.own(plan), plan, note)
    }

    /// Whether it is the last submission of a shard without a whole result.
    func isNeeded(_ shard: Int, _ submission: Submission, of all: [Submission]) -> Bool {
        all.last { $0.shards.contains(shard) } == submission && !places.whole(shard).isFolder
    }

    /// Writes a file in the folder of the shards that no other user can read, and returns its path.
    ///
    /// Throws ``EngineError``.
    func write(_ text: String, as name: String) throws -> FilePath {
        let file = places.folder.appending(name)
        do { try AtomicFile.write(text.utf8, to: file, isPrivate: true) } catch {
            throw EngineError.file(file, reason: "it cannot be written: \(error). Make room.")
        }
        return file
    }
}

/// Runs the programs of an engine, such as `sbatch` or `kubectl`.
///
/// It uses no shell, so words need no quoting.
package struct EnginePrograms: Sendable {
    /// How a program ended, and what it wrote.
    package struct Answer: Hashable, Sendable {
        /// The exit status, or 128 plus the number of the signal that ended it, as in shells.
        package var status: Int32
        package var output: String
        package var errors: String

        package init(status: Int32, output: String = "", errors: String = "") {
            (self.status, self.output, self.errors) = (status, output, errors)
        }

        /// Its standard error on one line; its status if that is empty.
        package var reason: String {
            let lines = errors.split(whereSeparator: \.isNewline).map(\.trimmed).filter { !$0.isEmpty }
            return lines.isEmpty ? "status \(status)" : String(lines.joined(separator: "; ").prefix(Self.longest))
        }

        private static let longest = 1000

        /// The output; throws ``EngineError`` if the status is not 0.
        ///
        /// `command` is the program, and `attempted` its task, for the error.
        @discardableResult
        func checked(_ command: String, to attempted: String) throws -> String {
            guard status == 0 else { throw EngineError.failed(command: command, attempted: attempted, said: reason) }
            return output
        }
    }

    /// Runs a program with arguments, and with a file as its standard input if given.
    package var run: @Sendable (_ program: String, _ arguments: [String], _ input: FilePath?) async throws -> Answer

    /// The same without a time limit, for programs such as those that copy files.
    package var runLong: @Sendable (_ program: String, _ arguments: [String]) async throws -> Answer

    package init(
        _ run: @escaping @Sendable (_ program: String, _ arguments: [String], _ input: FilePath?) async throws -> Answer
    ) {
        self.run = run
        runLong = { try await run($0, $1, nil) }
    }

    /// The time limit of a program.
    private static let deadline = Duration.seconds(60)
    /// The most bytes of each output that are kept.
    private static let mostBytes = 16 << 20

    /// The programs of PATH, with the environment of this process and additional variables (default: none).
    package static func here(setting variables: [String: String] = [:]) -> EnginePrograms {
        var programs = EnginePrograms { try await answer($0, $1, $2, deadline, variables) }
        programs.runLong = { try await answer($0, $1, nil, nil, variables) }
        return programs
    }

    private static func answer(
        _ program: String, _ arguments: [String], _ input: FilePath?, _ deadline: Duration?,
        _ variables: [String: String]
    ) async throws -> Answer {
        guard let path = Environment.program(program) else { throw EngineError.missing(program: program, hint: "") }
        var command = GuardedCommand(
            path.string, arguments: arguments, environment: Environment.all.merging(variables) { $1 })
        command.input = input.map { .file($0) } ?? .null
        (command.output, command.errors) = (.streamed, .streamed)
        command.deadline = deadline
        let (exit, texts) = try await withGuardedProcess(command) { process in
            async let errors = text(of: process.errors)
            let output = try await text(of: process.output)
            return (output, try await errors)
        }
        let status: Int32 =
            switch exit.status {
            case .exited(let status): status
            case .signaled(let number): 128 + number
            case .notExecuted, .noDirectory: 127
            case .left: 128
            }
        let late = exit.timedOut ? "\(program) did not end within \(deadline?.components.seconds ?? 0) s. " : ""
        return Answer(status: status, output: texts.0, errors: late + texts.1)
    }

    private static func text(of stream: GuardedOutput) async throws -> String {
        var bytes: [UInt8] = []
        for try await piece in stream { bytes += piece.prefix(mostBytes - bytes.count) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Runs a program, and returns its standard output.
    ///
    /// `attempted` is its task, for errors: "submit the job array". `hint` is what to do if the program is missing, as
    /// a sentence. Without a time limit (`isLong`), it has no `input`. Throws ``EngineError`` if the program is missing
    /// or fails.
    package func output(
        of program: String, _ arguments: [String], input: FilePath? = nil, isLong: Bool = false, to attempted: String,
        hint: String
    ) async throws -> String {
        let answer: Answer
        do {
            answer = try await isLong ? runLong(program, arguments) : run(program, arguments, input)
        } catch EngineError.missing(let program, _) {
            throw EngineError.missing(program: program, hint: hint)
        }
        return try answer.checked(program, to: attempted)
    }
}

/// The files of shards on the coordinator's machine: `OUTPUT/shards`.
package struct ShardFolder: Hashable, Sendable {
    package static let folderName = "shards"

    /// The absolute path.
    package var folder: FilePath
    /// What the names of tries end with: jobs of another run, which had this folder before, may still write to theirs.
    private var run: Substring = "0"

    /// The files in the folder of a run's results, an absolute path.
    package init(output: FilePath) { folder = output.appending(Self.folderName) }

    /// The files of the run with this plan.
    func own(_ plan: ShardPlan) -> ShardFolder {
        var own = self
        own.run = plan.run
        return own
    }

    package var plan: FilePath { folder.appending("plan.json") }
    /// The durations by which cells are divided, if some are of an earlier run; see ``ShardPlan/durations``.
    package var durations: FilePath { folder.appending("durations.json") }
    /// The packs of catalogs, built once for all shards.
    package var packs: FilePath { folder.appending("packs") }
    /// The whole result of a shard.
    package func whole(_ shard: Int) -> FilePath { folder.appending("shard-\(shard)") }
    /// The partial result of a shard, one for each submission, because an earlier one may still write to its own.
    package func part(_ shard: Int, of submission: Submission) -> FilePath {
        folder.appending("shard-\(shard).\(submission.number).\(run).part")
    }
    /// The status of a shard's command, in decimal digits, if the engine writes one.
    package func status(_ shard: Int, of submission: Submission) -> FilePath {
        folder.appending("shard-\(shard).\(submission.number).\(run).exit")
    }
    /// The standard output and standard error of a shard's last submission.
    package func log(_ shard: Int) -> FilePath { folder.appending("shard-\(shard).log") }
    /// The packs; nil if there are none.
    var givenPacks: FilePath? { packs.isFolder ? packs : nil }
}
