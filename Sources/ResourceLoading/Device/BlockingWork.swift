import Dispatch

/// Runs work that waits for the disk or keeps a core busy, off Swift's cooperative threads.
///
/// There is only one of those for each core.
enum BlockingWork {
    private static let queue = DispatchQueue(label: "headwind.blocking-work", attributes: .concurrent)

    /// Runs `body` on a thread that may block.
    ///
    /// It cannot be cancelled: the work is short or must be finished.
    static func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { () throws(Failure) in try body() }) }
        }
        return try result.get()
    }
}
