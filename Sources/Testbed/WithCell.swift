import CellMessages

/// Makes a cell, and ends it with everything in it when `body` has returned or thrown, or the task is cancelled.
///
/// On return no process, namespace, interface or mount of it is left. If this process is killed, the cell ends with it.
/// Sockets that were handed out keep their network alive and are to be closed in `body`.
///
/// Throws what `body` throws; `CancellationError` where the task was cancelled; and `CellError`: `.refused` where this
/// machine does not allow it, `.died` where the cell was killed before `body` had returned.
package func withCell<Value>(
    _ configuration: CellConfiguration = CellConfiguration(), body: (Cell) async throws -> Value
) async throws -> Value {
    try Task.checkCancellation()
    try configuration.check()
    let connection = try CellLaunch(configuration).start()
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

extension CellConnection {
    /// Waits for the cell to be up, and has `body` use it.
    fileprivate func use<Value>(
        _ configuration: CellConfiguration, _ body: (Cell) async throws -> Value
    ) async throws -> Value {
        let deadline = Task {
            try await Task.sleep(for: configuration.deadline)
            kill(because: .late(configuration.deadline))
        }
        defer { deadline.cancel() }
        let answer = try await request { CellRequest(id: $0, configure: configuration.request) }
        deadline.cancel()
        if let failure = answer.reply.failure { throw CellError(failure, programs: configuration.programs) }
        let cell = try Cell(self, answer, link: configuration.link)
        defer { cell.close() }
        return try await body(cell)
    }
}
