/// A stretch of a stream that has been sent and not yet been acknowledged.
struct Segment {
    var bytes: Range<Int64>
    var isFinish: Bool
    var sentAt: Instant
    /// Counted over all transmissions of the sender.
    var ordinal: Int64
    var transmissions: Int
    /// In which order it arrived, from 1; 0: not yet.
    var arrival: Int64 = 0
    /// Which transmission it was that arrived.
    var arrivedTransmission = 0
    var isAcknowledged = false
    var isLost = false

    var count: Int { Int(bytes.upperBound - bytes.lowerBound) }
    /// What its acknowledgement's timestamp tells (RFC 3522): it was sent again, and the first one arrived after all.
    var arrivedBeforeRetransmission: Bool { arrivedTransmission == 1 && transmissions > 1 }
}
