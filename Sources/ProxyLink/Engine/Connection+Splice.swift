internal import LinkModel
internal import LinuxSupport
internal import NIOCore

extension Connection {
    /// The most bytes that one connection may move before others have their turn.
    private static let spliceLimit = 4 * 1024 * 1024

    /// Moves bytes from `end` to its peer inside the kernel, if the last read was full and no code must see the bytes.
    ///
    /// Bytes that the peer's kernel does not take wait at the peer, as after a read.
    func splice(from end: End) {
        guard let source = self[end], let target = self[end.peer] else { return }
        guard source.hasFilledBuffer, mayPassUnseen(from: end) else {
            source.expectsSplice = false
            return
        }
        guard target.isEmpty, let pipe = engine.commons.splicePipe, let from = source.descriptor,
            let to = target.descriptor
        else { return }
        let move = pipe.move(
            from: from, to: to, limit: Self.spliceLimit, piece: engine.readLimit.share(atMost: SplicePipe.size))
        if move.sent > 0 { source.expectsSplice = true }
        let count = move.sent + move.rest
        if count > 0 {
            engine.spliced[end.sends] += Int64(move.sent)
            door?.received[end.sends] += Int64(count)
            passed(count, from: end)
        }
        if move.rest > 0 {
            var rest = ByteBuffer()
            rest.writeWithUnsafeMutableBytes(minimumWritableBytes: move.rest) { unsafe pipe.takeRest(into: $0) }
            target.write(rest)
            target.flush()
        }
        if move.hasFailed { source.fail() }
    }

    /// Whether bytes of `end` need not be seen here: the link is unshaped, and no toxic or parser takes them.
    func mayPassUnseen(from end: End) -> Bool {
        guard case .relaying = phase, engine.isDirect, halves[end.sends].held.isEmpty, pipes[end.sends] == nil else {
            return false
        }
        return end == .host || (isKeyed && serverName == nil && body == nil)
    }
}
