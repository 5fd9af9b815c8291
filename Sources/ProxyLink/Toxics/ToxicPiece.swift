internal import LinkModel
internal import NIOCore

/// A piece of a stream on its way through toxics.
struct ToxicPiece {
    var bytes: ByteBuffer
    /// When it was read, plus the delays of earlier latency toxics.
    var came: Instant
    /// When it arrived at the station that holds it.
    var arrived: Instant
    /// The random number, from 0 to below 1, of that station's jitter.
    var roll = 0.0
}

/// What comes out of a toxic, and out of all toxics of a direction.
enum ToxicOutput {
    case piece(ToxicPiece)
    /// The end of the sender's stream.
    case end
    /// A toxic closes the connection.
    case close
    /// A toxic resets the connection.
    case reset
}
