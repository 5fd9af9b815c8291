import CCurl
import LinuxSupport
import SystemPackage

/// A running transfer: its handle, and what libcurl's callbacks need.
///
/// It belongs to the loop's thread from its start to its end.
final class ActiveTransfer {
    let order: TransferLoop.Order
    let easy: CurlEasy
    /// When something last moved, in nanoseconds of CLOCK_MONOTONIC.
    private(set) var lastActivity: Int64
    /// Whether body bytes arrived since the loop last reported progress.
    var hasNews = false
    /// Whether the transfer is held back: it reads nothing, and its patience does not run.
    private(set) var isHeld = false
    /// Bytes of its body that have arrived.
    private(set) var taken: Int64 = 0

    private let started: Int64
    private var head = ResponseHead()
    /// Whether the final head was passed on: header lines after the body are trailers.
    private var isHeadDone = false
    private var isStopped = false
    /// Bytes of header lines so far, including those of interim heads and trailers.
    private var headBytes = 0
    /// The phases whose ends count as signs of life.
    ///
    /// With a proxy tunnel, the first two are the proxy's and do not count for the host.
    private var phases = [
        CURLINFO_NAMELOOKUP_TIME_T, CURLINFO_CONNECT_TIME_T, CURLINFO_APPCONNECT_TIME_T, CURLINFO_PRETRANSFER_TIME_T,
    ]

    /// Prepares the transfer of an order, which it answers at its end, unless the initialiser throws.
    init(_ order: TransferLoop.Order, _ configuration: TransferConfiguration) throws(CurlCode) {
        var easy = try CurlEasy()
        try easy.apply(order.request, configuration)
        self.order = order
        self.easy = easy
        started = MonotonicClock.now
        lastActivity = started - order.request.waited.nanoseconds
        if case .tunnel = configuration.proxy { phases.removeFirst(2) }
        try setCallbacks()
    }

    /// The handle's address, by which libcurl reports the end of this transfer.
    var address: UInt { unsafe UInt(bitPattern: easy.handle) }

    private func setCallbacks() throws(CurlCode) {
        // libcurl passes the pointer back. The loop keeps this object until the handle has left the multi handle.
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

    /// The most bytes of header lines in one answer: without a limit a head could go on without end.
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
        // An empty line ends a head. While a proxy answers CONNECT, libcurl does not know a status of the host yet.
        guard easy.number(CURLINFO_RESPONSE_CODE) >= 200 else { return true }
        isHeadDone = true
        isStopped = !order.receiver.received(head)
        return !isStopped
    }

    private func take(body bytes: RawSpan) -> Bool {
        lastActivity = MonotonicClock.now
        hasNews = true
        taken += Int64(bytes.byteCount)
        isStopped = isStopped || !order.receiver.received(bytes)
        return !isStopped
    }

    /// Whether its body has begun to arrive.
    var isInBody: Bool { taken > 0 }

    /// Bytes of its body that are still to come; nil if the host did not say the size.
    var left: Int64? { head.contentLength.map { max(0, $0 - taken) } }

    /// Whether it must end now, because a more urgent one needs the link.
    var isToYield: Bool { order.pause.isYielding }

    /// Reports whether it receives nothing although it may; a retried transfer is idle until header bytes arrive.
    func noticeIdle(_ isSilent: Bool) {
        if isSilent { order.pause.setIdle(true) } else if headBytes > 0 { order.pause.setIdle(false) }
    }

    /// Stops reading when the transfer is paused, and goes on when it no longer is.
    func followPause() {
        let isOn = order.pause.isOn
        guard isOn != isHeld else { return }
        isHeld = isOn
        lastActivity = MonotonicClock.now
        easy.setHeld(isOn)
    }

    /// Checks whether a phase without a callback (name lookup, connect, handshake) ended since the last activity.
    func noticePhases() {
        for phase in phases {
            let microseconds = easy.offset(phase)
            if microseconds > 0 { lastActivity = max(lastActivity, started + microseconds * 1000) }
        }
    }

    /// Reports the end, with everything that libcurl knows.
    ///
    /// The handle must have left the multi handle before.
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
        if case .handshake = order.request.method { result.certificates = easy.certificates }
        let wait = easy.offset(CURLINFO_RETRY_AFTER)
        if wait > 0 { result.retryAfter = .seconds(wait) }
        result.redirect = easy.text(CURLINFO_REDIRECT_URL)
        order.continuation.resume(returning: result)
    }
}
