import LinuxSupport
package import SystemPackage

/// Runs a program under a guard, and returns when none of its processes is left.
///
/// `body` runs concurrently with the program, and may read its output or end it. After `body` returns, this waits for
/// the program, and discards its further output. If `body` throws, the task is cancelled, or the deadline passes, all
/// processes are ended. They have always ended on return, except those that `GuardedExit.left` names. If the harness is
/// killed, the guard ends them.
///
/// A program that fails, or cannot be executed, is no error: the status says so. Throws what `body` throws,
/// `CancellationError` if the task was cancelled before the program ended, and `GuardError`.
///
/// `starter` starts the guard, by default as a child of this process. `guardProgram` is the program `headwind-guard`;
/// the default is the one installed with the running program. `clock` measures the deadline. The guard measures the
/// grace by CLOCK_MONOTONIC.
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
    // Not a child of this task: it waits for the end even if this task is cancelled.
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

/// Runs a program under a guard, and waits for its end.
///
/// See `withGuardedProcess`.
package func runGuarded(
    _ command: GuardedCommand, guardProgram: FilePath? = nil, clock: any Clock<Duration> = ContinuousClock()
) async throws -> GuardedExit {
    try await withGuardedProcess(command, guardProgram: guardProgram, clock: clock) { _ in }.exit
}

extension GuardedProcess {
    /// Waits for the end, discards the output until then, and closes all descriptors.
    fileprivate func attend(_ end: Task<GuardedExit, any Error>) async {
        // Not a child of this task either: a program whose output is not read may never end.
        let discarding = Task { await discardOutput() }
        _ = await end.result
        await discarding.value
        close()
    }
}

/// The location of the guard's program.
package enum GuardLocation {
    /// The path of `headwind-guard`, in the folder of the programs that the running program starts.
    package static func besideThisProgram() throws(GuardError) -> FilePath {
        do {
            return try RunningProgram.companions.appending("headwind-guard")
        } catch {
            throw .noGuard(path: RunningProgram.link, error)
        }
    }
}
