import PackFormat
import Synchronization
import SystemPackage

/// Writes the bytes that the tries of one download receive into its partial file.
///
/// The loop's thread calls it during a try, and the download's task between tries. A lock ensures that they never do at
/// once.
final class PartialReceiver: TransferReceiver {
    /// Callbacks for what a receiver does not decide itself.
    struct Hooks: Sendable {
        /// Called with the head of a response: status, length of its body, first byte of the range.
        var responded: @Sendable (_ status: Int, _ length: Int64?, _ from: Int64) -> Void
        /// Reserves room for a file of this many bytes; returns why there is none, nil if there is.
        var room: @Sendable (_ bytes: Int64) -> DownloadFailure?
    }

    struct State: ~Copyable {
        let file: FileDescriptor
        /// Bytes in the file.
        var position: Int64 = 0
        /// The highest value of `position` so far: only bytes beyond it count as gained.
        var highWater: Int64 = 0
        var note: PartialNote?
        /// The digest of all bytes in the file; nil if the first of them came from an earlier process.
        var digest: Digest.Stream?
        /// Bytes for which room is reserved.
        var room: Int64 = 0
        // Of the current try:
        var from: Int64 = 0
        var rule: ResponseRule?
        var failure: DownloadFailure?
        /// Bytes of the body, kept or not.
        var received: Int64 = 0
        var highWaterBefore: Int64 = 0

        deinit { try? file.close() }
    }

    let pack: String
    let edition: PackEdition
    let expected: Expectation
    let partial: PartialFile
    private let hooks: Hooks
    let state: Mutex<State>
    /// Bytes in the file, for reports of progress.
    let count: Atomic<Int64>
    /// Bytes of the whole file, once the host has stated them; 0 before.
    let total: Atomic<Int64>
    /// Whether the note has a value for If-Range.
    let hasValidator: Atomic<Bool>

    /// Opens the partial file of a pack, and continues it if it is of the same edition; throws if it cannot be opened.
    init(pack: String, edition: PackEdition, expected: Expectation, partial: PartialFile, hooks: Hooks)
        throws(DownloadFailure)
    {
        self.pack = pack
        self.edition = edition
        self.expected = expected
        self.partial = partial
        self.hooks = hooks
        let resume = partial.resumePoint(for: pack, edition)
        let file = try DownloadFailure.ofStore { () throws(StoreError) in
            if resume == nil { try partial.remove() }
            return try FileSystem.openOrCreate(partial.data)
        }
        let offset = resume?.offset ?? 0
        let note = resume?.note
        state = Mutex(
            State(
                file: file,
                position: offset,
                highWater: offset,
                note: note,
                digest: offset == 0 ? Digest.Stream() : nil
            )
        )
        count = Atomic(offset)
        total = Atomic(note?.total ?? 0)
        hasValidator = Atomic(note?.validator != nil)
    }

    func received(_ head: ResponseHead) -> Bool {
        state.withLock { state in
            let from = state.from
            hooks.responded(
                head.status, head.contentLength, head.status == 206 ? head.contentRange?.bytes?.lowerBound ?? 0 : 0)
            let rule = ResponseRule(head, from: from, note: state.note, expected: expected)
            state.rule = rule
            do throws(StoreError) {
                switch rule {
                case .replace(let total): try begin(&state, total: total, validator: head.validator)
                case .append(let total): state.note?.total = total
                default: break
                }
            } catch {
                state.failure = DownloadFailure(error)
            }
            if rule.takesBody, let whole = state.note?.total {
                total.store(whole, ordering: .relaxed)
                askForRoom(&state, whole)
            }
            return state.failure == nil
        }
    }

    func received(_ bytes: RawSpan) -> Bool {
        state.withLock { state in
            state.received += Int64(bytes.byteCount)
            // A short body of an error is read and dropped, so that its connection can be used again.
            guard state.rule?.takesBody == true else { return state.received <= 64 * 1024 }
            let end = state.position + Int64(bytes.byteCount)
            if let most = state.note?.total ?? expected.size ?? expected.limit, end > most {
                state.failure = DownloadFailure(.wrongLength, "The host sent more than the \(most) bytes of the file.")
                return false
            }
            if end > state.room { askForMoreRoom(&state, end) }
            guard state.failure == nil else { return false }
            write(bytes, &state)
            return state.failure == nil
        }
    }

    private func askForRoom(_ state: inout State, _ bytes: Int64) {
        guard bytes > state.room else { return }
        if let failure = hooks.room(bytes) { state.failure = failure } else { state.room = bytes }
    }

    /// Reserves room for a file of unknown size: rounded up to a MiB, or exact if the device is nearly full.
    private func askForMoreRoom(_ state: inout State, _ end: Int64) {
        let rounded = (end + 0xF_FFFF) & ~0xF_FFFF
        if hooks.room(rounded) == nil { state.room = rounded } else { askForRoom(&state, end) }
    }

    private func write(_ bytes: RawSpan, _ state: inout State) {
        unsafe bytes.withUnsafeBytes { buffer in
            do {
                let written = try unsafe state.file.writeAll(toAbsoluteOffset: state.position, buffer)
                unsafe state.digest?.update(buffer)
                state.position += Int64(written)
            } catch {
                state.failure = DownloadFailure(StoreError("write", partial.data, error as? Errno))
            }
        }
        state.highWater = max(state.highWater, state.position)
        // Whoever reads this count knows of the validator for these bytes.
        count.store(state.position, ordering: .releasing)
    }

    /// Begins a file again: writes the note first, so that bytes without a note are never trusted.
    private func begin(_ state: inout State, total: Int64?, validator: String?) throws(StoreError) {
        try empty(&state)
        let note = PartialNote(pack: pack, edition: edition, validator: validator, total: total)
        try partial.write(note)
        state.note = note
        hasValidator.store(validator != nil, ordering: .relaxed)
    }

    func empty(_ state: inout State) throws(StoreError) {
        do { try state.file.resize(to: 0) } catch { throw StoreError("empty", partial.data, error as? Errno) }
        state.position = 0
        state.digest = Digest.Stream()
        count.store(0, ordering: .relaxed)
    }
}

/// Receives the answer of a transfer.
///
/// Every call comes from the transfer loop's one thread, in order, and must be brief.
protocol TransferReceiver: AnyObject, Sendable {
    /// Takes the head of the final response; returns whether to go on.
    ///
    /// Heads of interim responses and of a proxy are not passed.
    func received(_ head: ResponseHead) -> Bool

    /// Takes the next bytes of its body; returns whether to go on.
    func received(_ bytes: RawSpan) -> Bool
}
