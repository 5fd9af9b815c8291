import NIOCore
import PackFormat

/// Another file than the one that is there: what a changed pack has.
struct Alteration: Hashable {
    /// What each byte is combined with by exclusive or.
    let mask: UInt8
    /// Zeros in front of the file that is there, before the mask.
    let leadingZeros: Int64
    /// Bytes of the file that is there; behind them there are zeros, too.
    let originalSize: Int64
    /// Bytes of the other file.
    let size: Int64

    /// What these faults make of a resource of so many bytes; nil where none of them changes it.
    ///
    /// Their differences add up.
    init?(_ actions: [HostFault.Action], of originalSize: Int64) {
        var (mask, difference, leading, isChanged) = (UInt8(0), Int64(0), Int64(0), false)
        for action in actions {
            switch action {
            case .changedContent(let more): (mask, difference) = (Self.otherBytes, difference.addingClamped(more))
            case .changedSize(let more): difference = difference.addingClamped(more)
            case .leadingZeros(let more): leading = leading.addingClamped(more)
            default: continue
            }
            isChanged = true
        }
        guard isChanged else { return nil }
        (self.mask, self.originalSize) = (mask, originalSize)
        leadingZeros = min(Self.mostBytes, leading)
        size = min(Self.mostBytes, max(0, originalSize.addingClamped(difference).addingClamped(leadingZeros)))
    }

    /// The bytes of the file that is there, among `count` at `place`.
    func original(_ place: Int64, count: Int64) -> Range<Int64> {
        let range = (place - leadingZeros)..<(place - leadingZeros + count)
        return range.clamped(to: 0..<max(0, originalSize))
    }

    /// What is sent in place of `count` bytes at `place`, of which these are in the file that is there: zeros are around them.
    func applied(to bytes: ByteBuffer, at place: Int64, count: Int64) -> ByteBuffer {
        var buffer = ByteBuffer()
        let zeros = min(count, max(0, leadingZeros - place))
        buffer.writeRepeatingByte(0, count: Int(zeros))
        buffer.writeImmutableBuffer(bytes)
        buffer.writeRepeatingByte(0, count: max(0, Int(count) - buffer.readableBytes))
        guard mask != 0 else { return buffer }
        buffer.withUnsafeMutableReadableBytes { bytes in
            for index in bytes.indices { bytes[index] ^= mask }
        }
        return buffer
    }

    /// Makes a byte another one, whichever it was.
    private static let otherBytes: UInt8 = 0x5A
    /// The largest file that a fault makes.
    private static let mostBytes: Int64 = 1 << 50
}

extension Int64 {
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? (other > 0 ? .max : .min) : sum
    }
}
