import LinuxSupport
package import SystemPackage

/// Runs a program under a guard, and answers when none of its processes is left.
///
/// `body` runs beside the program and may read what it writes, or end it. When `body` has returned, the program is
/// waited for, and what it still writes is read and forgotten. When `body` throws, or the task is cancelled, or the
/// deadline is over, all processes are ended. In each case they have ended on return, but for those that
/// `GuardedExit.left` names. If the harness is killed meanwhile, the guard ends them.
///
/// A program that fails, or cannot be executed, is not an error: the status says so. Throws what `body` throws,
/// `CancellationError` where the task was cancelled before the program had ended, and `GuardError`.
///
/// `starter` starts the guard, by default as a child of this process. `guardProgram` is the program `headwind-guard`; the default is the one beside the running program. `clock` is what
/// the deadline is measured by. The grace is the guard's business, and is measured by CLOCK_MONOTONIC.
package func withGuardedProcess<Value>(
    _ command: GuardedCommand,
    guardProgram: FilePath? = nil,
    by starter: GuardStarter = .here,
    clock: any Clock<Duration> = ContinuousClock(),
    body: (GuardedProcess) async throws -> Value
) async throws -> (exit: GuardedExit, value: Value) {
    try Task.checkCancellation()
    let process = try await GuardLaunch(
        command, program: try guardProgram ?? GuardLocation.besideThisProgram(), by: starter
    ).start()
    // Not a child of this task, because the end is waited for even if this task is cancelled.
    let end = Task { try await process.waitForEnd() }
    let deadline = command.deadline.map { limit in
        Task {
            try await clock.sleep(for: limit)
            process.end(because: .deadline)
        }
    }
    defer { deadline?.cancel() }
    return try await withTaskCancellationHandler {
        let value: Value
        do {
            value = try await body(process)
        } catch {
            process.end()
            await process.attend(end)
            throw error
        }
        await process.attend(end)
        let exit = try await end.value
        if process.endReason == .cancelled { throw CancellationError() }
        return (exit, value)
    } onCancel: {
        process.end(because: .cancelled)
    }
}

/// Runs a program under a guard that gets no requests while it runs.
///
/// See `withGuardedProcess`.
package func runGuarded(
    _ command: GuardedCommand, guardProgram: FilePath? = nil, clock: any Clock<Duration> = ContinuousClock()
) async throws -> GuardedExit {
    try await withGuardedProcess(command, guardProgram: guardProgram, clock: clock) { _ in }.exit
}

extension GuardedProcess {
    /// Waits for the end, reads what is still written until then, and closes everything.
    fileprivate func attend(_ end: Task<GuardedExit, any Error>) async {
        // Not a child of this task either: a program whose output is not read may never end.
        let discarding = Task { await discardOutput() }
        _ = await end.result
        await discarding.value
        close()
    }
}

/// Where the guard's program is.
package enum GuardLocation {
    /// `headwind-guard` where the running program has the programs that it starts.
    package static func besideThisProgram() throws(GuardError) -> FilePath {
        do {
            return try RunningProgram.companions.appending("headwind-guard")
        } catch {
            throw .noGuard(path: RunningProgram.link, error)
        }
    }
}
