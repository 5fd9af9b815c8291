internal import LinkModel

/// Blocks of a capture that wait to be written to the file.
struct CaptureBuffer {
    private(set) var bytes: [UInt8] = []
    private(set) var outcome = PacketCapture.Outcome()
    private var received = [0, 0]
    private var missed = [0, 0]
    private let limit: Int64
    private let hasPayload: Bool
    private let room: Int

    /// The bytes that are reserved for the blocks at the end of the file.
    private static let tailBytes: Int64 = 256

    init(limit: Int64, hasPayload: Bool = true, room: Int) {
        self.limit = limit
        self.hasPayload = hasPayload
        self.room = room
        bytes.reserveCapacity(room)
        append(PcapngBlocks.head)
    }

    /// Adds a packet, or counts it as missed if there is no room; returns whether the buffer was empty before.
    mutating func add(_ packet: Span<UInt8>, at end: End, isInbound: Bool, nanoseconds: UInt64, comment: String?)
        -> Bool
    {
        let index = end == .client ? 0 : 1
        received[index] += 1
        let kept = hasPayload ? packet.count : PacketHead.length(of: packet)
        let (before, after) = PcapngBlocks.packet(
            length: packet.count, kept: kept, at: end, isInbound: isInbound, nanoseconds: nanoseconds, comment: comment)
        let size = before.count + kept + after.count
        guard bytes.count + size <= room, outcome.bytes + Int64(size) + Self.tailBytes <= limit,
            outcome.failure == nil
        else {
            missed[index] += 1
            outcome.missedPackets += 1
            return false
        }
        let wasEmpty = bytes.isEmpty
        append(before)
        unsafe packet.extracting(first: kept).withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        outcome.bytes += Int64(kept)
        append(after)
        outcome.packets += 1
        return wasEmpty
    }

    /// Adds the blocks at the end of the file: the statistics of both ends.
    mutating func close(nanoseconds: UInt64) {
        for (index, end) in PcapngBlocks.ends.enumerated() {
            append(
                PcapngBlocks.statistics(
                    of: end, received: received[index], missed: missed[index], nanoseconds: nanoseconds))
        }
    }

    /// Exchanges the waiting bytes with `other`, which is emptied and filled next.
    mutating func swap(_ other: inout [UInt8]) {
        other.removeAll(keepingCapacity: true)
        Swift.swap(&bytes, &other)
    }

    mutating func fail(_ failure: PacketLinkError) { outcome.failure = failure }

    private mutating func append(_ block: [UInt8]) {
        bytes += block
        outcome.bytes += Int64(block.count)
    }
}
