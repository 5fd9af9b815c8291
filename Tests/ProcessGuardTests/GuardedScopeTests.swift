import Glibc
import ProcessGuard
import SystemPackage
import Testing

@Suite(.timeLimit(.minutes(1))) struct GuardedScopeTests {
    private struct Failure: Error, Equatable {}

    @Test func endsEverythingAtTheDeadline() async throws {
        let token = Token()
        let clock = ManualClock()
        var command = shell("sleep 600 & echo up; sleep 600", environment: token.environment)
        command.output = .streamed
        command.deadline = .seconds(3600)
        command.grace = .seconds(600)
        let (exit, _) = try await withGuardedProcess(command, clock: clock) { process in
            var iterator = process.output.lines.makeAsyncIterator()
            try await #require(iterator.next() == "up")
            #expect(await eventually { clock.sleeperCount == 1 })
            clock.advance(by: .seconds(3599))
            #expect(!token.processes().isEmpty)
            clock.advance(by: .seconds(1))
            try await #require(iterator.next() == nil)
        }
        #expect(exit.timedOut && exit.status == .signaled(SIGTERM))
        #expect(exit.survivorsEnded >= 1)
        #expect(token.processes().isEmpty)
    }

    @Test func isInTimeIfItEndsBeforeTheDeadline() async throws {
        let clock = ManualClock()
        var command = shell("exit 0")
        command.deadline = .seconds(1)
        let exit = try await runGuarded(command, clock: clock)
        #expect(!exit.timedOut && exit.status == .exited(0))
        #expect(await eventually { clock.sleeperCount == 0 })
    }

    @Test func endsEverythingWhenTheTaskIsCancelled() async throws {
        let token = Token()
        try await withScratchDirectory(in: temporaryDirectory) { directory in
            let held = directory.appending("held")
            let task = Task {
                try await runGuarded(shell(stubbornDaemon + "sleep 600", held.string, environment: token.environment))
            }
            #expect(await eventually { exists(held) })
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            // All have ended by now: the cancelled call waits for that.
            #expect(token.processes().isEmpty)
        }
    }

    @Test func startsNothingInACancelledTask() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await runGuarded(shell("exit 0"))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func endsEverythingWhenTheBodyThrows() async throws {
        let token = Token()
        var command = shell("echo up; sleep 600", environment: token.environment)
        command.output = .streamed
        await #expect(throws: Failure()) {
            _ = try await withGuardedProcess(command) { process in
                for try await _ in process.output.lines { throw Failure() }
            }
        }
        #expect(token.processes().isEmpty)
    }

    @Test func endsWhenItIsAskedTo() async throws {
        var command = shell("exec sleep 600")
        command.grace = .seconds(600)
        // First without a delay, so that the guard may not even have begun, and then after longer delays.
        for delay in [0, 0, 0, 0, 1, 2, 4, 8, 16] {
            let (exit, guardProcess) = try await withGuardedProcess(command) { process in
                try await Task.sleep(for: .milliseconds(delay))
                process.end()
                process.end()
                return process.guardProcessID
            }
            #expect(exit.status == .signaled(SIGTERM) && !exit.timedOut)
            #expect(guardProcess > 0 && !processIDs().contains(guardProcess))
        }
    }

    /// Each of the two guards ends what the other one leaves, and the harness gets an error.
    @Test(arguments: [false, true], ["", stubbornDaemon, "(sh -c 'kill -STOP $$' &)\n"])
    func endsEverythingWhenAGuardIsKilled(isInner: Bool, script: String) async throws {
        let token = Token()
        let folder = temporaryDirectory.appending(token.description)
        defer { _ = folder.withPlatformString { unlink($0) } }
        var command = shell(script + "echo up; sleep 600; true", folder.string, environment: token.environment)
        command.output = .streamed
        var guardProcess: Int32 = 0
        let failure = await #expect(throws: GuardError.self) {
            _ = try await withGuardedProcess(command) { process in
                guardProcess = process.guardProcessID
                var iterator = process.output.lines.makeAsyncIterator()
                _ = try await iterator.next()
                let inner = children(of: guardProcess).first ?? 0
                kill(isInner ? inner : guardProcess, SIGKILL)
            }
        }
        #expect(failure == .lost(command: "sh", guardProcessID: guardProcess, isAllEnded: true))
        // The inner guard reports before it ends.
        #expect(await eventually { token.processes().isEmpty })
    }
}
