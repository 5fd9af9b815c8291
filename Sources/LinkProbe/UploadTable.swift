import Synchronization

/// The uploads that a server expects.
///
/// Each is taken once.
final class UploadTable: Sendable {
    struct Upload: Sendable {
        let receiver: BulkReceiver.Limits
        let goal: Goal<ArrivalLog>
    }

    private struct State {
        var next: UInt64 = 0
        var expected: [UInt64: Upload] = [:]
    }

    private let state = Mutex(State())

    /// A new number for an upload that may follow.
    func number() -> UInt64 {
        state.withLock { state in
            state.next += 1
            return state.next
        }
    }

    /// Expects `upload` under a number.
    func expect(_ upload: Upload, as number: UInt64) {
        state.withLock { $0.expected[number] = upload }
    }

    /// Removes and returns the upload of that number; `nil` if none is expected, or it was already taken.
    func take(_ number: UInt64) -> Upload? {
        state.withLock { $0.expected.removeValue(forKey: number) }
    }
}
