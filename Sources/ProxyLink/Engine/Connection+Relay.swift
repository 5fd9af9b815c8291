internal import LinkModel
internal import LinuxSupport
internal import NIOCore

extension Connection {
    /// Bytes have been read from the socket at one end.
    func received(_ bytes: ByteBuffer, from end: End) {
        switch phase {
        case .awaitingRequest(let collector): collect(bytes, in: collector)
        case .connecting, .dialing: early.writeImmutableBuffer(bytes)
        case .relaying:
            door?.received[end.sends] += Int64(bytes.readableBytes)
            if let bytes = end == .client ? request(bytes) : bytes { pass(bytes, from: end) }
        case .serving, .refusing, .ended: break
        }
    }

    /// The part of a client's bytes that is for the target; nil if there is none.
    ///
    /// A connection carries one exchange. Bytes behind the first request of a forward proxy's client may be for another
    /// target; they are dropped, as after `Connection: close` (RFC 9112 §9.6).
    private func request(_ bytes: ByteBuffer) -> ByteBuffer? {
        guard var body else { return bytes }
        var rest = bytes
        do throws(Refusal) {
            let own = try body.take(&rest)
            self.body = body
            if rest.readableBytes > 0, halves.downlink.delivered > 0 {
                // The client reuses a connection that the target has not closed: FIN tells it that no more comes.
                if own.readableBytes > 0 { relay(own, from: .client) }
                finished(from: .client)
                return nil
            }
            return own.readableBytes > 0 ? own : nil
        } catch {
            breakOff(error)
            return nil
        }
    }

    /// Sends bytes into the model, or directly to the peer if the link is unshaped and no earlier bytes wait.
    func relay(_ bytes: ByteBuffer, from end: End) {
        if end == .client { findKey(in: bytes) }
        let direction = end.sends
        if engine.isDirect, halves[direction].held.isEmpty {
            self[end.peer]?.send(bytes)
            if !isEnded { passed(bytes.readableBytes, from: end) }
        } else {
            halves[direction].held.append(bytes)
            engine.input(on: self) { $0.send(bytes.readableBytes, from: end, on: $1, at: $2) }
        }
    }

    /// Counts bytes that went to the peer of `end` directly, without the model.
    func passed(_ bytes: Int, from end: End) {
        engine.counted.relayed[end.sends] += Int64(bytes)
        count(bytes, end.sends, at: engine.now)
    }

    /// A read has ended: moves more in the kernel if it may, and asks for the next read.
    func readCompleted(from end: End) {
        switch phase {
        case .awaitingRequest, .serving, .refusing: client?.read()
        case .relaying: splice(from: end)
        case .connecting, .dialing, .ended: break
        }
        // Bytes that may pass unseen have not entered the model.
        if !mayPassUnseen(from: end) { engine.pump() }
        readOn(from: end)
    }

    /// Reads more from one end if there is room for it.
    func readOn(from end: End) {
        guard case .relaying = phase, let socket = self[end] else { return }
        let direction = end.sends
        if pipes[direction]?.isFull(isScarce: engine.commons.isScarce) == true { return }
        if engine.isDirect, halves[direction].held.isEmpty {
            if self[end.peer]?.isWritable ?? true { socket.read() }
            return
        }
        let limit = engine.tuning.readAhead[direction]
        let waiting = engine.backlog(from: end, of: self)
        if halves[direction].isThrottled ? waiting <= limit / 2 : waiting < limit {
            halves[direction].isThrottled = false
            socket.read()
        } else if !halves[direction].isThrottled {
            halves[direction].isThrottled = true
            engine.throttle(self)
        }
    }

    /// Resumes reading that had stopped because of a backlog, if the backlog is shorter now.
    func resumeReading() {
        for end in End.allCases where halves[end.sends].isThrottled {
            readOn(from: end)
            if halves[end.sends].isThrottled, !isEnded { engine.throttle(self) }
        }
    }

    /// The socket at one end takes bytes again, or takes none for now.
    func writabilityChanged(at end: End) {
        guard case .relaying = phase else { return }
        updateReceiving(at: end)
        readOn(from: end.peer)
        engine.pump()
    }

    /// Tells the model whether the program at one end reads.
    func updateReceiving(at end: End) {
        guard case .relaying = phase, let socket = self[end] else { return }
        let direction = end.peer.sends
        let isReceiving = engine.isDirect || socket.isWritable
        guard halves[direction].isReceiving != isReceiving else { return }
        halves[direction].isReceiving = isReceiving
        engine.input(on: self) { $0.setReceiving(isReceiving, at: end, on: $1, at: $2) }
    }

    /// Writes the bytes that the model has delivered since the last call, with one flush.
    func writeDue(_ direction: Direction) {
        let due = halves[direction].due
        guard due > 0 else { return }
        halves[direction].due = 0
        let receiver: End = direction == .downlink ? .client : .host
        for piece in halves[direction].held.take(due) { self[receiver]?.write(piece) }
        self[receiver]?.flush()
        count(due, direction, at: halves[direction].deliveredAt)
    }

    /// Bytes that were written and that the kernel has not yet taken.
    func unflushedBytes(_ direction: Direction) -> Int64 {
        (direction == .downlink ? client : host)?.bufferedBytes ?? 0
    }

    private func count(_ bytes: Int, _ direction: Direction, at now: Instant) {
        halves[direction].delivered += Int64(bytes)
        halves[direction].deliveredAt = now
        engine.counted.payload[direction] += Int64(bytes)
        door?.sent[direction] += Int64(bytes)
        report(direction, now: now)
        engine.noteTraffic(of: self)
    }

    /// Emits the total of delivered bytes, at most once in ``LinkEngine/reportTime`` unless `isLast`.
    func report(_ direction: Direction, now: Instant, isLast: Bool = false) {
        let half = halves[direction]
        guard half.delivered > half.reported else { return }
        guard isLast || half.reported == 0 || half.reportedAt.duration(to: now) >= LinkEngine.reportTime else { return }
        halves[direction].reported = half.delivered
        halves[direction].reportedAt = now
        guard engine.feed.hasDeliveryReaders else { return }
        emit(.delivered(direction: direction, total: half.delivered), at: half.deliveredAt)
    }

    /// Names the connection by its first request of plain HTTP, or finds the server's name in its first bytes of TLS.
    private func findKey(in bytes: ByteBuffer) {
        if serverName != nil { return findServerName(in: bytes) }
        guard !isKeyed else { return }
        isKeyed = true
        if ServerNameReader.isLikely(bytes.readableBytesView.first) {
            serverName = ServerNameReader()
            return findServerName(in: bytes)
        }
        guard let request = FirstRequest(beginning: bytes.readableBytesView) else { return }
        key = engine.key(for: request, of: self)
        engine.rekey(self)
        emit(.keyed(key: "\(key)", alias: key.alias))
    }

    private func findServerName(in bytes: ByteBuffer) {
        guard case .complete(let name)? = serverName?.append(bytes.readableBytesView) else { return }
        serverName = nil
        tlsName = name
        guard let name else { return }
        emit(.serverName(name: name))
    }

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
            engine.counted.spliced[end.sends] += Int64(move.sent)
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
