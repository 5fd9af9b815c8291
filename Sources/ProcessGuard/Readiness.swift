import Dispatch
import Glibc
import SystemPackage

/// One wait until a descriptor can be read or is closed at the other end.
///
/// It takes no thread of the cooperative pool.
///
/// `@unchecked`, because Dispatch for Linux does not declare what it says: sources may be used from any thread.
struct Readiness: @unchecked Sendable {
    private let source: any DispatchSourceRead
    private let descriptor: FileDescriptor

    /// Prepares a wait.
    ///
    /// It holds a duplicate of the descriptor, so that the original may be closed at any time.
    init(of original: FileDescriptor) throws(Errno) {
        descriptor = try original.duplicatedAboveStandard()
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor.rawValue, queue: .global())
    }

    /// Waits once; returns early if the task is cancelled, or after `cancel()`.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                source.setEventHandler { [self] in source.cancel() }
                source.setCancelHandler { [descriptor] in
                    try? descriptor.close()
                    continuation.resume()
                }
                source.activate()
            }
        } onCancel: {
            source.cancel()
        }
    }

    /// Ends the wait.
    func cancel() {
        source.cancel()
    }
}
