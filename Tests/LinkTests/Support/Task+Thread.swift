import Foundation

extension Task where Failure == any Error {
    /// Work that blocks, on a thread of its own: those of tasks are as few as processors.
    static func onThread(_ body: @escaping @Sendable () throws -> Success) -> Task<Success, any Error> {
        Task {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
            }
        }
    }
}
