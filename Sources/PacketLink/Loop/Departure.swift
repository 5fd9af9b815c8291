internal import LinkModel

/// A packet that is to be written now.
struct Departure {
    let slot: Int32
    /// The exact moment at which it was due.
    let at: Instant
    /// Which byte differs from what was sent, and in which bit; −1: none.
    var flippedByte = -1
    var flippedBit: UInt8 = 0
}
