import Foundation

extension Task where Success: Sendable, Failure == any Error {
    /// Runs blocking work on a thread of its own, which begins at once.
    ///
    /// Tasks have as few threads as there are processors, and the only one may be waiting for this work.
    static func onThread(_ body: @escaping @Sendable () throws -> Success) -> Task<Success, any Error> {
        let (results, continuation) = AsyncThrowingStream<Success, any Error>.makeStream()
        Thread.detachNewThread {
            do {
                continuation.yield(try body())
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        return Task {
            for try await result in results { return result }
            throw _Concurrency.CancellationError()
        }
    }
}
