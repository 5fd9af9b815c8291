import Evidence
import LinkModel
import LinuxSupport
import ProcessGuard
import Scenarios
import Synchronization

/// One run of a client's process: its output with times, and how it ended.
struct ClientSession: Sendable {
    let cell: Cell
    let command: GuardedCommand
    let programs: Programs
    let starter: GuardStarter
    /// The times at which the client showed a sign of life.
    let signs: SignsOfLife
    let progress: ProgressPattern?
    /// Keeps the client's output; nil: it is not kept.
    let kept: KeptOutput?

    /// Runs the client as often as its workload says, and again after each kill by a fault; all runs make one log.
    ///
    /// The trace gets the log, and when and how the client ended; the end is also returned. After a kill it calls
    /// `savedBytes`. It calls `onReport` at each report that faults can wait for. All runs together have the command's
    /// deadline.
    func run(
        into trace: borrowing Mutex<AttemptTrace>, kills: ClientKills, savedBytes: () -> Int64?,
        onReport: @escaping @Sendable (FaultSchedule.ClientMoment) -> Void
    ) async throws -> GuardedExit {
        let recorder = ClientRecorder(
            ClientLog(of: cell.workload), progress: progress, search: try OutputSearch(cell.expectations),
            onReport: onReport)
        let start = ContinuousClock.now
        var exit: GuardedExit
        var met: [(at: Int64, savedBytes: Int64?)] = []
        var starts: [AttemptTrace.Start] = []
        do {
            if self.starts == .sideBySide {
                (exit, starts) = try await runTwo(since: start, kills, into: recorder)
            } else {
                let began = MonotonicClock.now
                exit = try await runOnce(command, kills, into: recorder)
                while kills.ended(), exit.status == .signaled(9), !exit.timedOut {
                    met.append((MonotonicClock.now, savedBytes()))
                    recorder.begin()
                    exit = try await runOnce(left(since: start), kills, into: recorder).following(exit)
                }
                starts.append(.init(exit, began: began, lastWords: recorder.lastWords))
            }
            if self.starts == .again, case .exited = exit.status, !exit.timedOut, cell.signalInShell(exit) == nil {
                try await Task.sleep(for: Self.pause)
                recorder.begin()
                let began = MonotonicClock.now
                exit = try await runOnce(left(since: start), kills, into: recorder).following(exit)
                starts.append(.init(exit, began: began, lastWords: recorder.lastWords))
            }
        } catch {
            recorder.abandon()
            throw error
        }
        // All processes have ended, and all output was read.
        let goneAt = MonotonicClock.now
        let log = await recorder.finish()
        trace.withLock { trace in
            (trace.client, trace.exit, trace.kills, trace.starts) = (log, exit, met, starts)
            (trace.clientEnd, trace.clientGone) = (exit.endedNanoseconds.map { min($0, goneAt) } ?? goneAt, goneAt)
            trace.lastSign = min(signs.latest, trace.clientEnd)
        }
        return exit
    }

    /// How often the workload starts the command.
    private var starts: Command.Starts { cell.workload.command?.starts ?? .once }

    /// The pause between two starts in sequence, longer than the cache lifetime of a scenario's host.
    private static let pause = Duration.seconds(2)
    /// The time between two starts side by side; a part of the pack has arrived by then.
    private static let headStart = Duration.seconds(1)

    /// The command with the rest of its deadline.
    private func left(since start: ContinuousClock.Instant) -> GuardedCommand {
        var left = command
        left.deadline = command.deadline.map { max(.milliseconds(1), $0 - (ContinuousClock.now - start)) }
        return left
    }

    /// Runs the command twice at once; the second starts a moment later.
    private func runTwo(
        since start: ContinuousClock.Instant, _ kills: ClientKills, into recorder: ClientRecorder
    ) async throws -> (GuardedExit, [AttemptTrace.Start]) {
        async let later: (GuardedExit, AttemptTrace.Start) = {
            try await Task.sleep(for: Self.headStart)
            // In its own process namespace, it would have the same process id as the first, and many programs name
            // files by it.
            var command = left(since: start)
            command.wantsNamespace = false
            let began = MonotonicClock.now
            let exit = try await runOnce(command, ClientKills(), into: recorder)
            return (exit, .init(exit, began: began))
        }()
        let began = MonotonicClock.now
        let first = try await runOnce(command, kills, into: recorder)
        let second = try await later
        let both = first.beside(second.0) { cell.signalInShell($0) != nil }
        return (both, [.init(first, began: began), second.1])
    }

    private func runOnce(
        _ command: GuardedCommand, _ kills: ClientKills, into recorder: ClientRecorder
    ) async throws -> GuardedExit {
        try await withGuardedProcess(command, guardProgram: programs.guardProgram, by: starter) { process in
            kills.began(process)
            signs.note()
            let watch = cell.idleTimeout.map { limit in
                Task {
                    try await signs.silence(of: limit)
                    process.endLate()
                }
            }
            defer { watch?.cancel() }
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask { try await self.read(process.output, .stdout, into: recorder) }
                group.addTask { try await self.read(process.errors, .stderr, into: recorder) }
            }
        }.exit
    }

    private func read(
        _ output: GuardedOutput, _ stream: Command.Progress.Stream, into recorder: ClientRecorder
    ) async throws {
        var splitter = LineSplitter()
        for try await bytes in output {
            kept?.take(Array(bytes), from: stream)
            for line in splitter.append(bytes) { recorder.take(line, from: stream) }
        }
        if let line = splitter.finish() { recorder.take(line, from: stream) }
    }
}

extension AttemptTrace.Start {
    fileprivate init(_ exit: GuardedExit, began: Int64, lastWords: String? = nil) {
        var status: Int?
        if case .exited(let code) = exit.status, !exit.timedOut { status = Int(code) }
        self.init(
            began: began, ended: exit.endedNanoseconds ?? MonotonicClock.now, exitStatus: status, lastWords: lastWords)
    }
}
