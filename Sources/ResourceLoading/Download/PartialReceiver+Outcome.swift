import PackFormat
import Synchronization
import SystemPackage

extension PartialReceiver {
    /// What one try came to.
    enum Outcome: Sendable {
        /// Every byte is there; the digest if it is known without reading the file again.
        case arrived(size: Int64, sha256: String?)
        case redirect
        /// The connection was given up to a more urgent one.
        case yielded
        case startOver(String)
        case failed(DownloadFailure)

        var hasYielded: Bool { if case .yielded = self { true } else { false } }
    }

    /// Where the next try begins, and what If-Range carries for it.
    var start: (from: Int64, validator: String?) {
        state.withLock { ($0.position, $0.note?.validator) }
    }

    /// Whether everything is there without asking the host; true where only the end of the work was missed.
    var isComplete: Bool {
        state.withLock { $0.position > 0 && $0.position == $0.note?.total ?? expected.size }
    }

    /// Whether the rest can be asked for by a range, so that the connection may go.
    var canResume: Bool {
        state.withLock { $0.position == 0 || $0.note?.validator != nil || edition.sha256 != nil }
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

    /// Throws away what is there.
    func discard() throws(StoreError) {
        let result = state.withLock { state -> Result<Void, StoreError> in
            state.note = nil
            state.highWater = 0
            state.room = 0
            return Result { () throws(StoreError) in try empty(&state) }
        }
        try result.get()
    }

    /// Bytes of the body of the last response, kept or not; nil where there was no response.
    var received: Int64? {
        state.withLock { $0.rule == nil ? nil : $0.received }
    }

    /// Bytes that the try gained, and whether the host answered.
    var gain: (bytes: Int64, isAnswered: Bool) {
        state.withLock { ($0.highWater - $0.highWaterBefore, $0.rule != nil) }
    }

    /// Judges a try by what the transfer says and what was received.
    func outcome(of result: TransferResult) -> Outcome {
        state.withLock { state in
            if let failure = state.failure { return .failed(failure) }
            if result.ending == .yielded { return .yielded }
            if result.ending == .cancelled { return .failed(.init(.cancelled, "The transfer was cancelled.")) }
            switch state.rule {
            // An answer that brings no body counts, even if its own text did not come through.
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

    /// What is there when the host is not asked at all.
    func outcomeWithoutTransfer() -> Outcome { state.withLock { finish(&$0) } }

    private func finish(_ state: inout State) -> Outcome {
        // A host may leave its size unsaid and end early in good order: then the content is wrong, not the length.
        if let size = expected.size, size != state.position {
            return .failed(.init(.wrongContent, "The host sent \(state.position) bytes for a file of \(size)."))
        }
        guard let digest = state.digest.take() else { return .arrived(size: state.position, sha256: nil) }
        return .arrived(size: state.position, sha256: digest.finish())
    }
}
