import Evidence
import LinuxSupport
import ProcessGuard
import Redaction
import Results
import Scenarios
import Synchronization
import SystemPackage

/// A scenario's command that judges what a client left; it runs on this machine, without the link.
struct Oracle: Sendable {
    /// The client's output.
    let output: KeptOutput
    private let text: String
    /// The folder that the client ran in.
    private let directory: FilePath
    private let programs: Programs
    /// Whether the client's files vanish with its sandbox, so that the oracle cannot see them.
    private let isBlind: Bool

    /// The time that it may take.
    private static let patience = Duration.seconds(60)
    /// The exit statuses of a shell that finds no such program, or may not run it.
    private static let notRun: ClosedRange<Int32> = 126...127

    /// nil if the scenario has no oracle.
    ///
    /// Throws if the files with the client's output cannot be made.
    init?(of cell: Cell, in folder: AttemptFolder, directory: FilePath?, programs: Programs) throws {
        let texts = cell.expectations.conduct.compactMap { if case .oracle(let text) = $0 { text } else { nil } }
        guard let text = texts.first, let directory else { return nil }
        (self.text, self.directory, self.programs) = (text, directory, programs)
        isBlind = folder.storage != nil
        output = try KeptOutput(in: folder.root)
    }

    /// Runs the oracle after the client has ended with `exit`.
    func judge(_ exit: GuardedExit) async throws -> ConductRecord.Oracle {
        guard !isBlind else {
            return .init(trouble: "the oracle cannot see files of a device with 'storage': remove 'storage'")
        }
        if let trouble = output.finish() { return .init(trouble: trouble) }
        var command = GuardedCommand(
            "/bin/sh", arguments: ["-c", text],
            environment: Environment.all.merging([
                "HEADWIND_DIRECTORY": directory.string, "HEADWIND_STATUS": "\(Self.status(of: exit))",
                "HEADWIND_STDOUT": output.path(of: .stdout).string, "HEADWIND_STDERR": output.path(of: .stderr).string,
            ]) { $1 })
        (command.directory, command.deadline) = (directory, Self.patience)
        (command.output, command.errors) = (.streamed, .streamed)
        let last = LastLine()
        let end = try await withGuardedProcess(command, guardProgram: programs.guardProgram) { process in
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask { for try await bytes in process.output { last.take(bytes) } }
                group.addTask { for try await bytes in process.errors { last.take(bytes) } }
            }
        }.exit
        let says = last.text.map { Redaction.outputLine($0) }
        guard !end.timedOut else {
            return .init(says: says, trouble: "the oracle took longer than \(Self.patience.text)")
        }
        switch end.status {
        case .exited(let status) where Self.notRun.contains(status):
            return .init(says: says, trouble: "the oracle could not be run" + (says.map { ": \($0)" } ?? ""))
        case .exited(let status): return .init(status: Int(status), says: says)
        case .signaled(let signal): return .init(says: says, trouble: "the oracle was ended by signal \(signal)")
        case .notExecuted, .noDirectory, .left: return .init(trouble: "the oracle could not be run: \(end.status)")
        }
    }

    /// The exit status in a shell's terms; 124 for a client that was stopped at its deadline.
    private static func status(of exit: GuardedExit) -> Int32 {
        if exit.timedOut { return 124 }
        return switch exit.status {
        case .exited(let status): status
        case .signaled(let signal): 128 + signal
        case .notExecuted, .noDirectory: 127
        case .left: 124
        }
    }
}

/// The last line that a program wrote, up to 4096 bytes.
private final class LastLine: Sendable {
    private let state = Mutex((line: [UInt8](), last: [UInt8]()))
    private static let mostBytes = 4096

    func take(_ bytes: some Sequence<UInt8>) {
        state.withLock { state in
            for byte in bytes {
                if byte != UInt8(ascii: "\n") {
                    if state.line.count < Self.mostBytes { state.line.append(byte) }
                    continue
                }
                if !state.line.isEmpty { state.last = state.line }
                state.line = []
            }
        }
    }

    /// nil if it wrote none.
    var text: [UInt8]? {
        state.withLock { state in
            let last = state.line.isEmpty ? state.last : state.line
            return last.isEmpty ? nil : last
        }
    }
}
