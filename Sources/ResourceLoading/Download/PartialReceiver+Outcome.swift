import PackFormat
import Synchronization
import SystemPackage

extension PartialReceiver {
    /// The outcome of one try.
    enum Outcome: Sendable {
        /// Every byte is there; `sha256` is nil if the file must be read again for it.
        case arrived(size: Int64, sha256: String?)
        case redirect
        /// The connection was given up for a more urgent transfer.
        case yielded
        case startOver(String)
        case failed(DownloadFailure)

        var hasYielded: Bool { if case .yielded = self { true } else { false } }
    }

    /// Where the next try begins, and its value for If-Range.
    var start: (from: Int64, validator: String?) {
        state.withLock { ($0.position, $0.note?.validator) }
    }

    /// Whether every byte is there without another request, as after a run that ended before its last steps.
    var isComplete: Bool {
        state.withLock { $0.position > 0 && $0.position == $0.note?.total ?? expected.size }
    }

    /// Whether a range request can fetch the rest, so that the connection may be given up.
    ///
    /// It takes no lock: the loader reads it under its own lock, for which ``Hooks/room`` waits.
    var canResume: Bool {
        count.load(ordering: .acquiring) == 0 || hasValidator.load(ordering: .relaxed) || edition.sha256 != nil
    }

    /// Prepares for a try.
    func begin() {
        state.withLock { state in
            state.from = state.position
            state.rule = nil
            state.failure = nil
            state.received = 0
            state.highWaterBefore = state.highWater
        }
    }

    /// Discards everything that has arrived.
    func discard() throws(StoreError) { try restart(forgetsGain: true) }

    /// Empties the file, so that the next try begins at zero.
    ///
    /// Bytes that arrive again gain nothing.
    func rewind() throws(StoreError) { try restart(forgetsGain: false) }

    private func restart(forgetsGain: Bool) throws(StoreError) {
        try state.withLock { state throws(StoreError) in
            state.note = nil
            hasValidator.store(false, ordering: .relaxed)
            if forgetsGain {
                state.highWater = 0
                state.room = 0
            }
            try empty(&state)
        }
    }

    /// Bytes of the last response's body, kept or not; nil if there was no response.
    var received: Int64? {
        state.withLock { $0.rule == nil ? nil : $0.received }
    }

    /// Bytes that the try gained, and whether the host answered.
    var gain: (bytes: Int64, isAnswered: Bool) {
        state.withLock { ($0.highWater - $0.highWaterBefore, $0.rule != nil) }
    }

    /// Judges a try by the transfer's result and by what was received.
    func outcome(of result: TransferResult) -> Outcome {
        state.withLock { state in
            if let failure = state.failure { return .failed(failure) }
            if result.ending == .yielded { return .yielded }
            if result.ending == .cancelled { return .failed(.init(.cancelled, "The transfer was cancelled.")) }
            switch state.rule {
            // An answer that brings no file counts, even if its own body did not arrive completely.
            case .fail(let failure): return .failed(failure)
            case .startOver(let reason): return .startOver(reason)
            case .redirect: return .redirect
            case .complete: return finish(&state)
            case .append, .replace, nil: break
            }
            if let failure = DownloadFailure(result) { return .failed(failure) }
            guard state.rule != nil else { return .failed(.init(.badResponse, "The host sent no answer.")) }
            if let total = state.note?.total, state.position < total {
                return .failed(.init(.shortBody, "The host sent \(state.position) of \(total) bytes."))
            }
            return finish(&state)
        }
    }

    /// The outcome if the host is not asked, because every byte is there.
    func outcomeWithoutTransfer() -> Outcome { state.withLock { finish(&$0) } }

    private func finish(_ state: inout State) -> Outcome {
        // A host may not state the size and may end early without an error: then the content is wrong, not the length.
        if let size = expected.size, size != state.position {
            return .failed(.init(.wrongContent, "The host sent \(state.position) bytes for a file of \(size)."))
        }
        guard let digest = state.digest.take() else { return .arrived(size: state.position, sha256: nil) }
        return .arrived(size: state.position, sha256: digest.finish())
    }
}
