internal import LinkModel
internal import NIOCore

extension Instant {
    init(_ deadline: NIODeadline) {
        self.init(nanoseconds: Int64(clamping: deadline.uptimeNanoseconds))
    }

    /// CLOCK_MONOTONIC, read now.
    static func monotonic() -> Instant { Instant(NIODeadline.now()) }
}

extension NIODeadline {
    init(_ instant: Instant) {
        self = .uptimeNanoseconds(UInt64(max(0, instant.nanoseconds)))
    }
}
