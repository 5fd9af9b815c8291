import LinkModel
import ProcessGuard
import Reports
import Results
import Scenarios
import Synchronization

/// One run of a client's process: what it wrote, when, and how it ended.
struct ClientSession: Sendable {
    let cell: Cell
    let command: GuardedCommand
    let programs: Programs
    private let progress: ProgressPattern?

    struct Outcome: Sendable {
        var log: ClientLog
        var progress: [ProgressSample]
        var complaints: [String]
        var exit: GuardedExit
        var endedAt: Int64
    }

    /// Lines of standard error that are kept for a report.
    private static let keptComplaints = 20
    /// Bytes of a line that are looked at for secrets; what is kept of it is less.
    private static let readBytes = 4096

    init(cell: Cell, command: GuardedCommand, programs: Programs) throws {
        self.cell = cell
        self.command = command
        self.programs = programs
        progress = try ProgressPattern(cell.workload)
    }

    func run() async throws -> Outcome {
        let recorder = Recorder()
        let (exit, _) = try await withGuardedProcess(command, guardProgram: programs.guardProgram) { process in
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask { try await self.read(process.output, .stdout, into: recorder) }
                group.addTask { try await self.read(process.errors, .stderr, into: recorder) }
            }
        }
        return recorder.state.withLock { state in
            Outcome(
                log: state.log, progress: state.progress,
                complaints: state.complaints.map { Redaction.outputLine($0) }, exit: exit,
                endedAt: MonotonicClock.now)
        }
    }

    /// What two streams are read into at once.
    private final class Recorder: Sendable {
        let state = Mutex(State())
    }

    private struct State {
        var log = ClientLog()
        var progress: [ProgressSample] = []
        var complaints: [ArraySlice<UInt8>] = []
    }

    private func read(
        _ output: GuardedOutput, _ stream: Command.Progress.Stream, into recorder: Recorder
    ) async throws {
        var splitter = LineSplitter()
        for try await bytes in output {
            for line in splitter.append(bytes) { take(line, from: stream, into: recorder) }
        }
        if let line = splitter.finish() { take(line, from: stream, into: recorder) }
    }

    private func take(_ line: [UInt8], from stream: Command.Progress.Stream, into recorder: Recorder) {
        let now = MonotonicClock.now
        let isBuiltIn = if case .requests = cell.workload { true } else { false }
        recorder.state.withLock { state in
            if stream == .stdout, isBuiltIn || line.first == UInt8(ascii: "{") {
                if let event = state.log.append(line: line), !isBuiltIn, let fraction = event.fraction {
                    state.progress.append(ProgressSample(at: event.t, fraction: fraction))
                }
            }
            let text = String(decoding: line, as: UTF8.self)
            var fractions: [Double] = []
            if let progress, progress.stream == stream { fractions = progress.fractions(in: text) }
            state.progress += fractions.map { ProgressSample(at: now, fraction: $0) }
            guard stream == .stderr, fractions.isEmpty, !text.allSatisfy(\.isWhitespace) else { return }
            state.complaints = (state.complaints + [line.prefix(Self.readBytes)]).suffix(Self.keptComplaints)
        }
    }
}

/// How a foreign client tells its progress: a pattern whose first group is a percentage.
struct ProgressPattern: @unchecked Sendable {
    let stream: Command.Progress.Stream
    // A compiled pattern is immutable; the standard library just does not say that it may be shared.
    private let pattern: Regex<AnyRegexOutput>

    /// Nil where the workload names none.
    init?(_ workload: Workload) throws {
        guard case .command(let command) = workload, let progress = command.progress else { return nil }
        stream = progress.stream
        pattern = try Regex(progress.pattern)
    }

    /// All percentages of a line, as fractions: a bar that redraws itself writes many into one line.
    func fractions(in line: String) -> [Double] {
        line.matches(of: pattern).compactMap { match in
            guard match.output.count > 1, let text = match.output[1].substring, let percent = Double(text) else {
                return nil
            }
            return percent / 100
        }
    }
}
