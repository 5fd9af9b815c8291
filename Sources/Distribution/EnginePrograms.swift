import LinuxSupport
import ProcessGuard
package import SystemPackage
import Wording

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
