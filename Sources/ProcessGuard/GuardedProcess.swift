import CLinux
import Glibc
import Synchronization
import SystemPackage

/// A program that runs under a guard.
///
/// It is valid inside the closure that receives it.
package final class GuardedProcess: Sendable {
    /// Why the harness made the guard end all processes.
    enum Reason: Sendable {
        case asked
        case deadline
        case cancelled
    }

    private struct State {
        var reason: Reason?
        var lastResort: Task<Void, Never>?
        /// Whether the guard's status was collected: another process may have its identifier now.
        var ended = false
    }

    /// The guard's process identifier, for messages.
    ///
    /// The program's is not known here.
    package let guardProcessID: Int32
    private let command: GuardedCommand
    private let waitForGuard: @Sendable () async throws -> Void
    private let descriptors: GuardDescriptors
    private let outputReader: PipeReader
    private let errorReader: PipeReader
    private let state = Mutex(State())

    init(command: GuardedCommand, started: GuardStarter.Started, descriptors: GuardDescriptors) {
        self.command = command
        guardProcessID = started.processID
        waitForGuard = started.wait
        self.descriptors = descriptors
        outputReader = PipeReader(descriptors.output)
        errorReader = PipeReader(descriptors.errors)
    }

    /// The program's standard output.
    ///
    /// Traps unless the command says `.streamed`.
    package var output: GuardedOutput {
        precondition(descriptors.output != nil, "the command's output is not streamed")
        return GuardedOutput(reader: outputReader)
    }

    /// The program's standard error.
    ///
    /// Traps unless the command says `.streamed`.
    package var errors: GuardedOutput {
        precondition(descriptors.errors != nil, "the command's errors are not streamed")
        return GuardedOutput(reader: errorReader)
    }

    /// Ends all processes of the program: with SIGTERM, and with SIGKILL after its grace.
    ///
    /// It does not wait for the end. It may be called at any time, and more than once.
    package func end() {
        end(because: .asked)
    }

    /// Ends all processes of the program as its deadline does; `GuardedExit.timedOut` is then true.
    ///
    /// It does not wait for the end.
    package func endLate() { end(because: .deadline) }

    /// Kills all processes of the program (SIGKILL), as a system does that has run out of memory.
    ///
    /// It does not wait for the end. The program's status is then that this signal ended it; the result gives no
    /// reason.
    package func kill() {
        whileItRuns { _ in _ = headwind_pidfd_send_signal(descriptors.process.rawValue, SIGUSR1) }
    }

    /// Sends a signal to the program itself, not to programs that it started; does nothing if it has ended.
    package func signal(_ number: Int32) {
        whileItRuns { _ in tell(UInt8(truncatingIfNeeded: number)) }
    }

    private func whileItRuns(_ body: (inout State) -> Void) { state.withLock { if !$0.ended { body(&$0) } } }

    /// Writes a byte on the lifeline: the number of a signal for the program, or ``endWord``.
    ///
    /// The harness ignores SIGPIPE, as the guards may have ended.
    private func tell(_ word: UInt8) {
        _ = try? descriptors.lifeline.writeAll([word])
    }

    /// `LIFELINE_END` of headwind-guard: end all processes.
    private static let endWord: UInt8 = 0

    /// Makes the guard end all processes; the first reason counts.
    func end(because reason: Reason) {
        whileItRuns { state in
            guard state.reason == nil else { return }
            state.reason = reason
            if command.foreground == nil {
                _ = headwind_pidfd_send_signal(descriptors.process.rawValue, SIGTERM)
            } else {
                tell(Self.endWord)
            }
            state.lastResort = Task { [self] in await killGuard(after: command.grace + Self.margin) }
        }
    }

    /// Why the harness made the guard end all processes; nil if it did not.
    var endReason: Reason? { state.withLock(\.reason) }

    /// Waits until no process of the program is left, and returns its result.
    func waitForEnd() async throws -> GuardedExit {
        // An error means that the sandbox of the guard has died; then the guard has ended too.
        var failure: (any Error)?
        do { try await waitForGuard() } catch { failure = error }
        let reason = state.withLock { state in
            state.ended = true
            state.lastResort?.cancel()
            return state.reason
        }
        outputReader.endWriters()
        errorReader.endWriters()
        if let failure { throw failure }
        guard let report = GuardReport(line: await reportLine()) else {
            throw GuardError.lost(command: command.executable, guardProcessID: guardProcessID, isAllEnded: false)
        }
        guard !report.isGuardLost else {
            throw GuardError.lost(
                command: command.executable, guardProcessID: guardProcessID, isAllEnded: report.left == 0)
        }
        guard let exit = report.exit(timedOut: reason == .deadline) else {
            throw GuardError.notBegun(command: command.executable, Errno(rawValue: report.code))
        }
        return exit
    }

    /// The line of the report; empty if none arrives.
    ///
    /// It arrives a little later if the outer guard was killed, and the inner guard is ending the program.
    private func reportLine() async -> [UInt8] {
        let report = descriptors.report
        let wait = Task<[UInt8], Never> {
            while !Task.isCancelled {
                do {
                    if let line = try report.readAvailable(1 << 16) { return line }
                } catch {
                    break
                }
                await Readiness().wait(for: report)
            }
            return []
        }
        let bound = Task { [limit = command.grace + Self.margin] in
            if (try? await Task.sleep(for: limit)) != nil { wait.cancel() }
        }
        defer { bound.cancel() }
        return await wait.value
    }

    /// Reads and discards the remaining output, so that the program does not wait for a reader.
    func discardOutput() async {
        await withTaskGroup { group in
            for reader in [outputReader, errorReader] {
                group.addTask { while (try? await reader.read()) ?? nil != nil {} }
            }
        }
    }

    /// Closes all descriptors.
    ///
    /// The guard must have ended.
    func close() {
        outputReader.close()
        errorReader.close()
        descriptors.close()
    }

    /// The longest time that the guard takes beyond the grace: 5 s until SIGKILL works, and 5 s for a busy machine.
    private static let margin: Duration = .seconds(10)

    /// Kills a guard that hangs, after `bound`.
    ///
    /// A guard should never hang. But if one does, the harness must not hang with it.
    private func killGuard(after bound: Duration) async {
        guard (try? await Task.sleep(for: bound)) != nil else { return }
        whileItRuns { _ in _ = headwind_pidfd_send_signal(descriptors.process.rawValue, SIGKILL) }
    }
}

/// The bytes that a guarded program writes on one stream, as they arrive: pieces of at most 64 KiB.
///
/// It ends when all of the program's processes have closed the stream. Unread bytes stay in a pipe of 64 KiB; once that
/// is full, the program waits. Use one reader: two would each get some of the pieces. Reading throws
/// `CancellationError` if the task is cancelled.
package struct GuardedOutput: AsyncSequence, Sendable {
    package typealias Element = [UInt8]

    let reader: PipeReader

    /// The same, line by line.
    package var lines: GuardedLines { GuardedLines(reader: reader) }

    package func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Reads the pieces one after the other.
    package struct Iterator: AsyncIteratorProtocol {
        let reader: PipeReader

        package mutating func next() async throws -> [UInt8]? {
            try await reader.read()
        }
    }
}
