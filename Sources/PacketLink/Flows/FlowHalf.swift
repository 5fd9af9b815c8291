/// One direction of a flow: what its sender has sent, and how far that has come.
struct FlowHalf {
    /// Packets so far.
    var packets: Int64 = 0
    /// Payload that the receiver has: of TCP without gaps, and once; elsewhere all that was delivered.
    private(set) var payloadBytes: Int64 = 0
    /// How far the receiver's acknowledgements, once they had reached the sender, said that it has the bytes (TCP).
    private var acknowledged: Int64 = 0
    /// What the last event said.
    var reportedPayload: Int64 = 0

    /// The sequence number of the byte line's first byte: that behind SYN.
    private(set) var base: UInt32?
    /// The end of what has been sent.
    private(set) var highest: Int64 = 0
    /// Where FIN stands.
    var finish: Int64?
    private var handshakes = 0
    private var resets = 0
    private var lastAcknowledgement: Int64 = .min
    private var repeats = 0
    private var resent = ResentRanges()
    private var received = ReceivedRanges()

    /// No sender is further ahead of itself than the largest window (RFC 7323 §2.2).
    private static let mostAhead: Int64 = 1 << 30
    /// A byte line ends long before numbers do.
    private static let mostBytes: Int64 = 1 << 60

    /// How often a SYN has been sent, this time included.
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

    /// Whether payload with this number is the first one behind a SYN that was seen.
    func isFirst(_ sequence: UInt32) -> Bool { handshakes > 0 && base == sequence }

    /// Takes the first segment that is seen for the start of the byte line, where no SYN was seen.
    mutating func begin(at sequence: UInt32) {
        if base == nil { base = sequence }
    }

    /// The place of a sequence number on the byte line; nil where it can be none of this sender's.
    func offset(_ sequence: UInt32) -> Int64? {
        guard let base, highest < Self.mostBytes else { return nil }
        let expected = base &+ UInt32(truncatingIfNeeded: highest)
        let offset = highest + Int64(Int32(bitPattern: sequence &- expected))
        return offset <= highest + Self.mostAhead && offset >= -Self.mostAhead ? offset : nil
    }

    /// How many times the first of these bytes has been sent, this time included.
    mutating func send(_ bytes: Range<Int64>) -> Int {
        let before = highest
        highest = max(highest, bytes.upperBound)
        guard bytes.lowerBound < before else { return 1 }
        return resent.send(bytes.lowerBound..<min(before, bytes.upperBound))
    }

    /// How many times this acknowledgement has been sent in a row, this time included.
    mutating func acknowledge(_ position: Int64) -> Int {
        repeats = position == lastAcknowledgement ? repeats + 1 : 1
        lastAcknowledgement = position
        return repeats
    }

    /// Notes how far the bytes have been acknowledged.
    mutating func noteAcknowledged(_ position: Int64) {
        guard position > acknowledged, position <= highest else { return }
        acknowledged = position
        resent.forget(before: position)
    }

    /// Notes that payload of the byte line has been delivered; answers how much more the receiver has in order.
    mutating func deliver(_ bytes: Range<Int64>) -> Int64 {
        received.add(bytes)
        return takeReceived()
    }

    /// Notes that a datagram has been delivered.
    mutating func deliver(count: Int64) -> Int64 {
        payloadBytes += count
        return count
    }

    /// Notes what an acknowledgement says of what has been delivered, which a bounded list may have missed.
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

    /// What the receiver expects next, as far as the link has seen.
    var nextSequence: UInt32? { base.map { $0 &+ UInt32(truncatingIfNeeded: highest) } }
}
