import CLinux
import Glibc
import Synchronization
import SystemPackage

/// A program that runs under a guard.
///
/// It is valid inside the closure that it was given to.
package final class GuardedProcess: Sendable {
    /// Why the harness had the guard end everything.
    enum Reason: Sendable {
        case asked
        case deadline
        case cancelled
    }

    private struct State {
        var reason: Reason?
        var lastResort: Task<Void, Never>?
        /// The guard has been waited for: its number may be another process's.
        var ended = false
    }

    /// The guard's own number, for messages.
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

    /// What the program writes on standard output.
    ///
    /// A trap unless the command says `.streamed`.
    package var output: GuardedOutput {
        precondition(descriptors.output != nil, "the command's output is not streamed")
        return GuardedOutput(reader: outputReader)
    }

    /// What the program writes on standard error.
    ///
    /// A trap unless the command says `.streamed`.
    package var errors: GuardedOutput {
        precondition(descriptors.errors != nil, "the command's errors are not streamed")
        return GuardedOutput(reader: errorReader)
    }

    /// Ends all processes of the program: SIGTERM, and SIGKILL after its grace.
    ///
    /// Does not wait for it, and may be called at any time and again.
    package func end() {
        end(because: .asked)
    }

    /// Ends all processes of the program as its deadline does, which `GuardedExit.timedOut` tells.
    ///
    /// Does not wait for it.
    package func endLate() { end(because: .deadline) }

    /// Kills all processes of the program (SIGKILL), as a system does that has run out of memory.
    ///
    /// Does not wait for it. The program's status then is that it was ended by this signal, and nothing is said of a reason.
    package func kill() {
        state.withLock { state in
            guard !state.ended else { return }
            _ = headwind_pidfd_send_signal(descriptors.process.rawValue, SIGUSR1)
        }
    }

    /// Sends a signal to the program itself, not to what it has started; none to one that has ended.
    package func signal(_ number: Int32) {
        state.withLock { state in
            guard !state.ended else { return }
            tell(UInt8(truncatingIfNeeded: number))
        }
    }

    /// Writes a byte on the lifeline: the number of a signal for the program, or ``endWord``.
    ///
    /// The harness ignores SIGPIPE, as guards may be gone.
    private func tell(_ word: UInt8) {
        _ = try? descriptors.lifeline.writeAll([word])
    }

    /// `LIFELINE_END` of headwind-guard: everything is to end.
    private static let endWord: UInt8 = 0

    /// The first reason is the one that counts.
    func end(because reason: Reason) {
        state.withLock { state in
            guard !state.ended, state.reason == nil else { return }
            state.reason = reason
            if command.foreground == nil {
                _ = headwind_pidfd_send_signal(descriptors.process.rawValue, SIGTERM)
            } else {
                tell(Self.endWord)
            }
            state.lastResort = Task { [self] in await killGuard(after: command.grace + Self.margin) }
        }
    }

    /// The reason why everything was made to end, if the guard has not ended of itself.
    var endReason: Reason? { state.withLock(\.reason) }

    /// Waits until nothing of the program is left, and tells what became of it.
    func waitForEnd() async throws -> GuardedExit {
        // Where its place has died, the guard has ended too.
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

    /// The report, which comes a little later where the outer guard was killed and the inner one is ending the program; empty
    /// where none comes.
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

    /// Reads what has no other reader any more, so that the program does not wait for a reader.
    func discardOutput() async {
        await withTaskGroup { group in
            for reader in [outputReader, errorReader] {
                group.addTask { while (try? await reader.read()) ?? nil != nil {} }
            }
        }
    }

    /// Closes everything.
    ///
    /// The guard must have ended.
    func close() {
        outputReader.close()
        errorReader.close()
        descriptors.close()
    }

    /// What the guard takes at most beyond the grace: 5 s for SIGKILL to work, and as much for a busy machine.
    private static let margin: Duration = .seconds(10)

    /// The end of a guard that hangs.
    ///
    /// It cannot, but then a harness must not hang either.
    private func killGuard(after bound: Duration) async {
        guard (try? await Task.sleep(for: bound)) != nil else { return }
        state.withLock { state in
            guard !state.ended else { return }
            _ = headwind_pidfd_send_signal(descriptors.process.rawValue, SIGKILL)
        }
    }
}

/// What a guarded program writes on one stream, as it arrives: pieces of at most 64 KiB.
///
/// It ends when all of the program's processes have closed the stream. What is not read stays in a pipe of 64 KiB, and
/// then the program waits. It has one reader: two would each get some of the pieces. Reading throws `CancellationError`
/// where the task is cancelled.
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
