import Foundation

extension Task where Success: Sendable, Failure == any Error {
    /// Work that blocks, on a thread of its own, which begins at once: the threads of tasks are as few as processors, and the
    /// only one may be waiting for this.
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
