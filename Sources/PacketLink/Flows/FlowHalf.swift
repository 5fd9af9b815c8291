/// One direction of a flow: the bytes that its sender has sent, and those that the receiver has.
///
/// The byte line of a TCP sender counts its bytes from 0, the first one behind SYN.
struct FlowHalf {
    /// The number of packets so far.
    var packets: Int64 = 0
    /// The payload bytes that the receiver has: all that were delivered, but of TCP only those without gaps, and once.
    private(set) var payloadBytes: Int64 = 0
    /// The end of the bytes that are acknowledged, by acknowledgements that have reached the sender (TCP).
    private var acknowledged: Int64 = 0
    /// The payload bytes that the last event reported.
    var reportedPayload: Int64 = 0

    /// The sequence number of the byte line's first byte, the one behind SYN.
    private(set) var base: UInt32?
    /// The end of the bytes that were sent, on the byte line.
    private(set) var highest: Int64 = 0
    /// The place of FIN on the byte line; nil before it is sent.
    var finish: Int64?
    private var handshakes = 0
    private var resets = 0
    private var lastAcknowledgement: Int64 = .min
    private var repeats = 0
    private var resent = ResentRanges()
    private var received = ReceivedRanges()

    /// How far a sequence number may be ahead: the largest window (RFC 7323 §2.2).
    private static let mostAhead: Int64 = 1 << 30
    /// The most bytes of a byte line, far below the largest number.
    private static let mostBytes: Int64 = 1 << 60

    /// Notes a SYN, and returns how many times it has been sent, this time included.
    mutating func synchronize(_ sequence: UInt32) -> Int {
        if base != sequence &+ 1 {
            base = sequence &+ 1
            highest = 0
            handshakes = 0
        }
        handshakes += 1
        return handshakes
    }

    mutating func reset() -> Int {
        resets += 1
        return resets
    }

    /// Whether payload with this sequence number is the first behind a SYN that was seen.
    func isFirst(_ sequence: UInt32) -> Bool { handshakes > 0 && base == sequence }

    /// Starts the byte line at this sequence number, if no SYN was seen.
    mutating func begin(at sequence: UInt32) {
        if base == nil { base = sequence }
    }

    /// The place of a sequence number on the byte line; nil if this sender cannot have sent it.
    func offset(_ sequence: UInt32) -> Int64? {
        guard let base, highest < Self.mostBytes else { return nil }
        let expected = base &+ UInt32(truncatingIfNeeded: highest)
        let offset = highest + Int64(Int32(bitPattern: sequence &- expected))
        return offset <= highest + Self.mostAhead && offset >= -Self.mostAhead ? offset : nil
    }

    /// Notes sent bytes, and returns how many times the first of them has been sent, this time included.
    mutating func send(_ bytes: Range<Int64>) -> Int {
        let before = highest
        highest = max(highest, bytes.upperBound)
        guard bytes.lowerBound < before else { return 1 }
        return resent.send(bytes.lowerBound..<min(before, bytes.upperBound))
    }

    /// Notes an acknowledgement, and returns how many times in a row it has been sent, this time included.
    mutating func acknowledge(_ position: Int64) -> Int {
        repeats = position == lastAcknowledgement ? repeats + 1 : 1
        lastAcknowledgement = position
        return repeats
    }

    /// Notes that the bytes before `position` are acknowledged.
    mutating func noteAcknowledged(_ position: Int64) {
        guard position > acknowledged, position <= highest else { return }
        acknowledged = position
        resent.forget(before: position)
    }

    /// Notes delivered bytes of the byte line; returns how many more bytes the receiver now has without gaps.
    mutating func deliver(_ bytes: Range<Int64>) -> Int64 {
        received.add(bytes)
        return takeReceived()
    }

    /// Notes a delivered datagram of `count` payload bytes, and returns `count`.
    mutating func deliver(count: Int64) -> Int64 {
        payloadBytes += count
        return count
    }

    /// Notes that the bytes before an acknowledged position were delivered; returns how many more bytes that makes.
    ///
    /// The list of delivered ranges is bounded, and may have lost some of them.
    mutating func deliver(acknowledged position: Int64) -> Int64 {
        guard position <= highest else { return 0 }
        received.advance(to: min(position, finish ?? .max))
        return takeReceived()
    }

    private mutating func takeReceived() -> Int64 {
        let more = received.end - payloadBytes
        payloadBytes = received.end
        return more
    }

    var isFinished: Bool { finish.map { acknowledged > $0 } ?? false }

    /// The sequence number that the receiver expects next, as far as the link has seen; nil if it has seen none.
    var nextSequence: UInt32? { base.map { $0 &+ UInt32(truncatingIfNeeded: highest) } }
}
