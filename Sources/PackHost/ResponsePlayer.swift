import NIOCore
import NIOHTTP1
import NIOPosix
import PackFormat

/// Plays one script on a connection, step by step, on the connection's event loop.
///
/// It holds one block of the body at a time, and gets the next one when the kernel has taken the last.
final class ResponsePlayer {
    /// Bytes per write: large enough for sendfile(2), small enough for fairness and exact counts.
    private static let fileBlock: Int64 = 256 << 10
    /// Bytes per read if the body must pass through TLS.
    private static let readBlock: Int64 = 128 << 10
    /// Blocks in a row before other connections of the loop get their turn.
    private static let turn = 16
    /// How often the kernel is asked whether the client has acknowledged everything.
    private static let acknowledgementPoll = TimeAmount.milliseconds(5)
    private static let changed = "the file changed while it was sent"

    let script: ResponseScript
    let file: PackFile?
    /// Bytes of the body that were handed to the kernel.
    private(set) var handed: Int64 = 0
    private(set) var headIsSent = false
    /// Whether everything has been sent.
    var hasSentAll: Bool { nextStep == script.steps.count && remaining.isEmpty && handed == script.planned }
    /// Whether the client has ended its side of the connection.
    ///
    /// That is no reason to stop: a client may end its side and wait for the response. But while a fault keeps the host
    /// silent without an end, it is the only sign that the client has gone.
    var clientEndedInput = false { didSet { endIfPointless() } }

    private let context: ChannelHandlerContext
    private let socket: SocketEnd
    private let core: HostCore
    private let resource: String?
    private let onHead: () -> Void
    private let onEnd: (HostTransfer.Cause) -> Void

    private var nextStep = 0
    private var remaining: Range<Int64> = 0..<0
    private var pace: Pace?
    private var timer: Scheduled<Void>?
    private var watch: ProgressWatch
    /// The checksum of the resource's bytes that were sent, if a step needs it.
    private var checksum = CRC32()
    private var isOver = false
    private var isSilent = false
    private var isReading = false
    private var isPumping = false
    private var mustPump = false

    /// Plays `script` with the bytes of `file`, which it closes.
    ///
    /// `onEnd` is called once, unless ``abandon()`` was.
    init(
        _ script: ResponseScript,
        file: PackFile?,
        of resource: String?,
        on connection: (context: ChannelHandlerContext, socket: SocketEnd, core: HostCore),
        onHead: @escaping () -> Void,
        onEnd: @escaping (HostTransfer.Cause) -> Void
    ) {
        (self.script, self.file, self.resource) = (script, file, resource)
        (context, socket, core) = connection
        (self.onHead, self.onEnd) = (onHead, onEnd)
        watch = ProgressWatch(limit: TimeAmount(core.limits.writeStall))
    }

    /// Begins to play the script.
    func play() {
        schedulePatrol()
        pump()
    }

    /// Stops without calling `onEnd`: the connection is gone, or is about to be.
    func abandon() {
        guard !isOver else { return }
        isOver = true
        timer?.cancel()
        watch.patrol?.cancel()
        if !isReading { file?.close() }
    }

    private func endIfPointless() {
        if isSilent && clientEndedInput { end(.clientClosed) }
    }

    private func end(_ cause: HostTransfer.Cause) {
        guard !isOver else { return }
        abandon()
        onEnd(cause)
    }

    /// Performs steps until one has to wait.
    ///
    /// A write that completes at once requests the next turn of the loop here, instead of a deeper call.
    private func pump() {
        mustPump = true
        guard !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        for _ in 0..<Self.turn where mustPump && !isOver {
            mustPump = false
            proceed()
        }
        if mustPump && !isOver { context.eventLoop.assumeIsolated().execute { self.pump() } }
    }

    private func proceed() {
        guard remaining.isEmpty else { return sendBlock() }
        guard nextStep < script.steps.count else { return whenFlushed { self.end(.complete) } }
        let step = script.steps[nextStep]
        nextStep += 1
        switch step {
        case .head:
            context.write(NIOAny(HTTPServerResponsePart.head(script.head)), promise: nil)
            headIsSent = true
            onHead()
            mustPump = true
        case .body(let range):
            remaining = range
            mustPump = true
        case .text(let bytes):
            send(.byteBuffer(ByteBuffer(bytes: bytes)), isContent: false)
        case .checksum:
            var trailer = ByteBuffer(integer: checksum.value, endianness: .little)
            trailer.writeInteger(UInt32(truncatingIfNeeded: handed), endianness: .little)
            send(.byteBuffer(trailer), isContent: false)
        case .flipped(let place):
            read(place, count: 1) { buffer in
                var buffer = buffer
                let byte = buffer.getInteger(at: buffer.readerIndex, as: UInt8.self) ?? 0
                buffer.setInteger(byte ^ 1, at: buffer.readerIndex)
                self.send(.byteBuffer(buffer))
            }
        case .pause(let duration):
            whenAcknowledged {
                self.pace = nil  // bytes that a pause has delayed are not caught up
                self.wait(until: .now() + TimeAmount(duration))
            }
        case .silence:
            isSilent = true
            context.flush()
            endIfPointless()
        case .cut(.fin):
            whenFlushed { self.end(.cut(reset: false)) }
        case .cut(.rst):
            whenAcknowledged { self.end(.cut(reset: true)) }
        case .cut(.streamReset):
            whenAcknowledged { self.end(.streamReset) }
        case .cut(.goAway):
            whenAcknowledged { self.end(.goAway) }
        }
    }

    private func wait(until deadline: NIODeadline) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.pump() }
    }

    /// Continues when the kernel has taken everything.
    private func whenFlushed(_ next: @escaping () -> Void) {
        guard headIsSent else { return next() }
        watch.begin()
        let nothing = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer()))
        context.writeAndFlush(NIOAny(nothing)).assumeIsolated().whenComplete { result in
            guard !self.isOver, case .success = result else { return }
            self.watch.end()
            next()
        }
    }

    /// Continues when the client's kernel has everything, so that the next step has an exact place for the client too.
    private func whenAcknowledged(_ next: @escaping () -> Void) {
        whenFlushed {
            guard self.socket.unacknowledged ?? 0 > 0 else { return next() }
            self.watch.begin()
            self.pollAcknowledgement(next)
        }
    }

    private func pollAcknowledgement(_ next: @escaping () -> Void) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.acknowledgementPoll) {
            guard self.socket.unacknowledged ?? 0 == 0 else { return self.pollAcknowledgement(next) }
            self.watch.end()
            next()
        }
    }

    private func sendBlock() {
        var count = min(Int64(remaining.count), core.isSecured ? Self.readBlock : Self.fileBlock)
        if let speed = script.pace {
            var pace = self.pace ?? Pace(bytesPerSecond: speed, start: .now())
            count = min(count, pace.block)
            let due = pace.moment(after: count)
            self.pace = pace
            guard due <= .now() else { return wait(until: due) }
            pace.sent += count
            self.pace = pace
        }
        let place = remaining.lowerBound
        remaining = (place + count)..<remaining.upperBound
        guard case .file = script.source, !core.isSecured, script.alteration == nil, !script.isChecked, let file else {
            return read(place, count: count) { self.send(.byteBuffer($0)) }
        }
        guard file.isIntact else { return end(.fileFault(reason: Self.changed)) }
        let region = FileRegion(fileHandle: file.handle, readerIndex: Int(place), endIndex: Int(place + count))
        send(.fileRegion(region))
    }

    /// Hands bytes to the kernel; bytes that are not part of the resource are not counted.
    private func send(_ data: IOData, isContent: Bool = true) {
        let count = isContent ? data.readableBytes : 0
        if isContent, script.isChecked, case .byteBuffer(let bytes) = data {
            bytes.withUnsafeReadableBytes { checksum.update($0) }
        }
        watch.begin()
        context.writeAndFlush(NIOAny(HTTPServerResponsePart.body(data))).assumeIsolated().whenComplete { result in
            guard case .success = result else { return }
            self.handed += Int64(count)
            if let resource = self.resource { self.core.count(count, of: resource) }
            guard !self.isOver else { return }
            self.watch.end()
            self.pump()
        }
    }

    /// Reads exactly `count` bytes of the body at `place`, with the changes that faults make.
    ///
    /// Bytes in memory are passed on at once, and a file is read on the thread pool.
    private func read(_ place: Int64, count wanted: Int64, then take: @escaping (ByteBuffer) -> Void) {
        let alteration = script.alteration
        let range = alteration?.original(place, count: wanted) ?? place..<(place + wanted)
        let use = { (bytes: ByteBuffer) in take(alteration?.applied(to: bytes, at: place, count: wanted) ?? bytes) }
        guard !range.isEmpty || alteration == nil else { return use(ByteBuffer()) }
        let (first, count) = (range.lowerBound, range.count)
        if case .bytes(let bytes) = script.source {
            return use(bytes.getSlice(at: bytes.readerIndex + Int(first), length: count) ?? ByteBuffer())
        }
        guard let file else { preconditionFailure("a script whose source is a file was played without one") }
        isReading = true
        let io = NonBlockingFileIO(threadPool: .singleton)
        io.read(
            fileHandle: file.handle, fromOffset: first, byteCount: count,
            allocator: context.channel.allocator, eventLoop: context.eventLoop
        ).assumeIsolated().whenComplete { result in
            self.isReading = false
            guard !self.isOver else { return file.close() }
            switch result {
            case .success(let buffer) where buffer.readableBytes == count: use(buffer)
            case .success: self.end(.fileFault(reason: "the file became shorter while it was sent"))
            case .failure(let error): self.end(.fileFault(reason: "the file could not be read: \(error)"))
            }
        }
    }

    /// Checks the client's progress and the file at intervals.
    private func schedulePatrol() {
        watch.patrol = context.eventLoop.assumeIsolated().scheduleTask(in: watch.period) {
            // sendfile(2) returns 0 at the end of a file, and NIO would try again without end.
            if let file = self.file, !self.isReading, !file.isIntact {
                return self.end(.fileFault(reason: Self.changed))
            }
            if self.watch.isStalled(self.socket.unacknowledged, self.handed) { return self.end(.writeStall) }
            self.schedulePatrol()
        }
    }
}

/// A speed that is kept without drift: the time of every byte counts from the start.
struct Pace {
    let bytesPerSecond: Int64
    let start: NIODeadline
    /// Bytes that were sent since the start.
    var sent: Int64 = 0

    /// Bytes per write: those of 50 ms, at least one.
    var block: Int64 { max(1, bytesPerSecond / 20) }

    /// The time at which `count` more bytes are due, to the nanosecond.
    func moment(after count: Int64) -> NIODeadline {
        let nanoseconds = Int128(sent + count) * 1_000_000_000 / Int128(bytesPerSecond)
        return start + .nanoseconds(Int64(clamping: nanoseconds))
    }
}
