/// The run's own deadline passed before it ended.
struct DeadlineReached: Error {}

/// Runs `body`, and cancels it after `deadline`; nil: no deadline.
///
/// It returns after `body`, so that resources of `body` are released by then. Throws ``DeadlineReached`` if the
/// deadline has cancelled it.
func withDeadline(
    _ deadline: Duration?, clock: some Clock<Duration> = ContinuousClock(),
    _ body: @escaping () async throws -> Void
) async throws {
    guard let deadline else { return try await body() }
    // Unsafe, because a caller's closure need not be Sendable: only one task runs it, and the caller waits for that
    // task.
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
