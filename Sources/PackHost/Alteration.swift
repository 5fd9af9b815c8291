import NIOCore
import PackFormat

/// Another file than the one that is there: what a changed pack has.
struct Alteration: Hashable {
    /// What each byte is combined with by exclusive or.
    let mask: UInt8
    /// Bytes of the file that is there; behind them there are zeros, before the mask.
    let originalSize: Int64
    /// Bytes of the other file.
    let size: Int64

    /// What these faults make of a resource of so many bytes; nil where none of them changes it.
    ///
    /// Their differences add up.
    init?(_ actions: [HostFault.Action], of originalSize: Int64) {
        var (mask, difference, isChanged) = (UInt8(0), Int64(0), false)
        for action in actions {
            switch action {
            case .changedContent(let more): (mask, difference) = (Self.otherBytes, difference.addingClamped(more))
            case .changedSize(let more): difference = difference.addingClamped(more)
            default: continue
            }
            isChanged = true
        }
        guard isChanged else { return nil }
        (self.mask, self.originalSize) = (mask, originalSize)
        size = min(Self.mostBytes, max(0, originalSize.addingClamped(difference)))
    }

    /// Bytes that are in the file that is there, of `count` at `place`.
    func original(_ place: Int64, count: Int64) -> Int64 { max(0, min(count, originalSize - place)) }

    /// What is sent in place of these bytes, and of zeros behind them, `count` in all.
    func applied(to bytes: ByteBuffer, count: Int64) -> ByteBuffer {
        var buffer = bytes
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
