import SandboxMessages

/// Makes a sandbox, and ends it with everything in it when `body` has returned or thrown, or the task is cancelled.
///
/// On return no process, namespace, interface or mount of it is left. If this process is killed, the sandbox ends with
/// it. Sockets from the sandbox keep their network alive: close them in `body`.
///
/// Throws what `body` throws; `CancellationError` if the task was cancelled; and `SandboxError`: `.refused` if this
/// machine does not allow it, `.died` if the sandbox was killed before `body` returned.
package func withSandbox<Value>(
    _ configuration: SandboxConfiguration = SandboxConfiguration(), body: (Sandbox) async throws -> Value
) async throws -> Value {
    try Task.checkCancellation()
    try configuration.request.check()
    let connection = try SandboxLaunch(configuration).start()
    return try await withTaskCancellationHandler {
        let result: Result<Value, any Error>
        do {
            result = .success(try await connection.use(configuration, body))
        } catch {
            result = .failure(error)
        }
        let end = connection.end
        connection.kill()
        await connection.waitForEnd()
        connection.close()
        if Task.isCancelled { throw CancellationError() }
        let value = try result.get()
        if let end { throw end }
        return value
    } onCancel: {
        connection.kill()
    }
}

extension SandboxConnection {
    /// Waits until the sandbox has started, and runs `body` with it.
    fileprivate func use<Value>(
        _ configuration: SandboxConfiguration, _ body: (Sandbox) async throws -> Value
    ) async throws -> Value {
        let deadline = Task {
            try await Task.sleep(for: configuration.deadline)
            kill(because: .late(configuration.deadline))
        }
        defer { deadline.cancel() }
        let answer = try await request(\.configure, configuration.request)
        deadline.cancel()
        if let failure = answer.reply.failure { throw SandboxError(failure, programs: configuration.programs) }
        let sandbox = try Sandbox(self, answer, link: configuration.link ?? .packets)
        defer { sandbox.close() }
        return try await body(sandbox)
    }
}
