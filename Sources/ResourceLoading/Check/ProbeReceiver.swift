import Synchronization

/// Receives the answer to a probe: its head, and no more of its body than was wanted.
final class ProbeReceiver: TransferReceiver {
    /// The most bytes of the body that are kept.
    private let most: Int
    /// Whether to stop at the head of an answer that has the whole file (200).
    private let wantsPart: Bool
    private let state = Mutex(ProbeAnswer())

    init(most: Int, wantsPart: Bool) {
        self.most = most
        self.wantsPart = wantsPart
    }

    /// What has arrived so far.
    var answer: ProbeAnswer { state.withLock { $0 } }

    func received(_ head: ResponseHead) -> Bool {
        state.withLock { $0.head = head }
        return !wantsPart || head.status != 200
    }

    func received(_ bytes: RawSpan) -> Bool {
        state.withLock { state in
            let room = most - state.body.count
            let count = min(room, bytes.byteCount)
            unsafe bytes.withUnsafeBytes { buffer in
                unsafe state.body.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
            state.isTooLong = state.isTooLong || bytes.byteCount > room
            return !state.isTooLong
        }
    }
}
