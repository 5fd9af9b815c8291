import CCurl
import LinuxSupport
import SystemPackage

/// One transfer under way: its handle, and what libcurl's callbacks need.
///
/// Belongs to the loop's thread from its start to its end.
final class ActiveTransfer {
    let id: UInt64
    let easy: CurlEasy
    /// When something last moved, in nanoseconds of CLOCK_MONOTONIC.
    private(set) var lastActivity: Int64
    /// Whether body bytes arrived since the loop last told of progress.
    var hasNews = false
    /// Whether the transfer is held back: it reads nothing, and its patience does not run.
    private(set) var isHeld = false
    /// Whether its bytes may wait a little.
    let isSparing: Bool
    /// Bytes of its body so far.
    private(set) var taken: Int64 = 0

    private let receiver: any TransferReceiver
    private let pause: TransferPause
    private let started: Int64
    private var head = ResponseHead()
    /// Whether the final head was handed over: what comes after the body then are trailers.
    private var isHeadDone = false
    private var isStopped = false
    /// Bytes of heads so far, interim ones and trailers among them.
    private var headBytes = 0
    private let isHandshake: Bool
    /// The phases whose ends are signs of life.
    ///
    /// The first two are a proxy's where there is one, and none of the host's.
    private var phases = [
        CURLINFO_NAMELOOKUP_TIME_T, CURLINFO_CONNECT_TIME_T, CURLINFO_APPCONNECT_TIME_T, CURLINFO_PRETRANSFER_TIME_T,
    ]
    private let finish: (TransferResult) -> Void

    /// Prepares a transfer; `finish` is called once, at its end, if the initialiser does not throw.
    init(
        id: UInt64,
        request: TransferRequest,
        configuration: TransferConfiguration,
        receiver: any TransferReceiver,
        pause: TransferPause,
        finish: @escaping (TransferResult) -> Void
    ) throws(CurlCode) {
        var easy = try CurlEasy()
        try easy.apply(request, configuration)
        self.id = id
        isSparing = request.isSparing
        isHandshake = if case .handshake = request.method { true } else { false }
        self.easy = easy
        self.receiver = receiver
        self.pause = pause
        self.finish = finish
        started = MonotonicClock.now
        lastActivity = started - request.waited.nanoseconds
        if case .tunnel = configuration.proxy { phases.removeFirst(2) }
        try setCallbacks()
    }

    /// The name by which libcurl reports the end of this transfer.
    var address: UInt { unsafe UInt(bitPattern: easy.handle) }

    private func setCallbacks() throws(CurlCode) {
        // libcurl hands the pointer back. The loop keeps this object until the handle has left the multi handle.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        try unsafe easy.setCallbacks(
            head: { data, size, count, context in
                guard let data = unsafe data, let context = unsafe context else { return 0 }
                let line = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
                let transfer = unsafe Unmanaged<ActiveTransfer>.fromOpaque(context).takeUnretainedValue()
                return transfer.take(headLine: unsafe String(decoding: line, as: UTF8.self)) ? size * count : 0
            },
            body: { data, size, count, context in
                guard let data = unsafe data, let context = unsafe context else { return 0 }
                let bytes = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
                let transfer = unsafe Unmanaged<ActiveTransfer>.fromOpaque(context).takeUnretainedValue()
                return transfer.take(body: unsafe bytes.bytes) ? size * count : 0
            },
            context: context
        )
    }

    /// The most that the heads of one answer may have, in bytes: without it a head could go on for ever.
    private static let mostHeadBytes = 256 << 10

    private func take(headLine line: String) -> Bool {
        lastActivity = MonotonicClock.now
        headBytes += line.utf8.count
        guard headBytes <= Self.mostHeadBytes else {
            isStopped = true
            return false
        }
        guard !isHeadDone else { return true }
        guard line.trimmingASCIISpace.isEmpty else {
            head.take(line: line)
            return true
        }
        // An empty line ends a head. libcurl knows no status of the host yet while a proxy answers CONNECT.
        guard easy.number(CURLINFO_RESPONSE_CODE) >= 200 else { return true }
        isHeadDone = true
        isStopped = !receiver.received(head)
        return !isStopped
    }

    private func take(body bytes: RawSpan) -> Bool {
        lastActivity = MonotonicClock.now
        hasNews = true
        taken += Int64(bytes.byteCount)
        isStopped = isStopped || !receiver.received(bytes)
        return !isStopped
    }

    /// Whether its body has begun to arrive.
    var isInBody: Bool { taken > 0 }

    /// Bytes of its body that are still to come; nil where the host did not say how many it has.
    var left: Int64? { head.contentLength.map { max(0, $0 - taken) } }

    /// Whether it is to end now, in favour of one that is more urgent.
    var isToYield: Bool { pause.isYielding }

    /// Says whether it brings nothing although it may: one that is tried again does from the first sign of its host on.
    func noticeIdle(_ isSilent: Bool) {
        if isSilent { pause.setIdle(true) } else if headBytes > 0 { pause.setIdle(false) }
    }

    /// Stops reading while the transfer is paused, and goes on afterwards.
    func followPause() {
        let isOn = pause.isOn
        guard isOn != isHeld else { return }
        isHeld = isOn
        lastActivity = MonotonicClock.now
        easy.setHeld(isOn)
    }

    /// Looks whether a phase without a callback (name lookup, connect, handshake) ended since the last activity.
    func noticePhases() {
        for phase in phases {
            let microseconds = easy.offset(phase)
            if microseconds > 0 { lastActivity = max(lastActivity, started + microseconds * 1000) }
        }
    }

    /// Reports the end, with all that libcurl knows.
    ///
    /// The handle has left the multi handle before.
    func finish(_ ending: TransferResult.Ending) {
        var result = TransferResult(ending: isStopped && ending != .cancelled ? .stopped : ending)
        result.detail = easy.detail
        result.status = easy.number(CURLINFO_RESPONSE_CODE)
        result.tunnelStatus = easy.number(CURLINFO_HTTP_CONNECTCODE)
        result.proxyRefusal = head.proxyStatus.flatMap { ProxyRefusal(field: $0) }
        result.systemError = Errno(rawValue: CInt(truncatingIfNeeded: easy.number(CURLINFO_OS_ERRNO)))
        if ending == .failed(.hostNotResolved) { result.hasNetwork = NetworkInterfaces.hasUsableOne }
        if [.failed(.hostNotResolved), .failed(.proxyNotResolved)].contains(ending) {
            result.isLookupSilent = NameLookup.isSilent(after: MonotonicClock.now - started)
        }
        if ending == .silent, isHeadDone { result.silentAddress = easy.text(CURLINFO_PRIMARY_IP) }
        result.certificateVerdict = easy.number(CURLINFO_SSL_VERIFYRESULT)
        if isHandshake { result.certificates = easy.certificates }
        let wait = easy.offset(CURLINFO_RETRY_AFTER)
        if wait > 0 { result.retryAfter = .seconds(wait) }
        result.redirect = easy.text(CURLINFO_REDIRECT_URL)
        finish(result)
    }
}
