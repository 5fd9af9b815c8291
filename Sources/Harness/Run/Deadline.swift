/// The run's own deadline came before its end.
struct DeadlineReached: Error {}

/// Runs `body`, and cancels it when `deadline` is over; nil sets none.
///
/// Returns when `body` has: what it holds is given back by then. Throws ``DeadlineReached`` where it was cancelled for that.
func withDeadline(
    _ deadline: Duration?, clock: some Clock<Duration> = ContinuousClock(),
    _ body: @escaping () async throws -> Void
) async throws {
    guard let deadline else { return try await body() }
    // Unsafe, because what a caller's closure holds need not be Sendable: one task runs it, and the caller waits for that task.
    nonisolated(unsafe) let body = body
    try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
            try await body()
            return true
        }
        group.addTask {
            try await clock.sleep(for: deadline)
            return false
        }
        let isDone = try await group.next() ?? true
        group.cancelAll()
        guard !isDone else { return }
        do { _ = try await group.next() } catch is CancellationError {}
        throw DeadlineReached()
    }
}
