internal import LinkModel

/// What records packets of both ends; see ``CaptureWriter``.
protocol PacketRecording: AnyObject, Sendable {
    /// A packet as the device of `end` has sent or been given it.
    func record(_ packet: Span<UInt8>, at end: End, isInbound: Bool, time: Instant, comment: String?)
}
