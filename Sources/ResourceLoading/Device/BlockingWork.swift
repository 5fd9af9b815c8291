import Dispatch

/// Work that waits for the disk or keeps a core busy for long: off Swift's cooperative threads, of which there is but
/// one a core.
enum BlockingWork {
    private static let queue = DispatchQueue(label: "headwind.blocking-work", attributes: .concurrent)

    /// Runs `body` on a thread that may block.
    ///
    /// Not cancellable: what it does is short or must be finished.
    static func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { () throws(Failure) in try body() }) }
        }
        return try result.get()
    }
}
