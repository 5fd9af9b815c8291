import Synchronization

/// The uploads that a server has been told to expect.
///
/// Each is taken once.
final class UploadTable: Sendable {
    struct Upload: Sendable {
        let limits: BulkReceiver.Limits
        let goal: Goal<ArrivalLog>
    }

    private struct State {
        var next: UInt64 = 0
        var expected: [UInt64: Upload] = [:]
    }

    private let state = Mutex(State())

    /// Expects `upload`, under the number that is returned.
    func expect(_ upload: Upload) -> UInt64 {
        state.withLock { state in
            state.next += 1
            state.expected[state.next] = upload
            return state.next
        }
    }

    /// The upload of that number; `nil` where none is expected, or no more.
    func take(_ number: UInt64) -> Upload? {
        state.withLock { $0.expected.removeValue(forKey: number) }
    }
}
