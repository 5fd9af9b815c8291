import NIOCore
import PackFormat

/// The file that a changed pack has instead of the original.
struct Alteration: Hashable {
    /// The value that each byte is combined with by exclusive or; 0 changes nothing.
    let mask: UInt8
    /// Zeros in front of the original file, before the mask is applied.
    let leadingZeros: Int64
    /// Bytes of the original file; zeros follow them, too.
    let originalSize: Int64
    /// Bytes of the changed file.
    let size: Int64

    /// The change that these faults make to a resource of `originalSize` bytes; nil if none of them changes it.
    ///
    /// Their differences add up. The changed file has at most 1 PiB.
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

    /// The part of an entity tag that no other change of the file has.
    var name: String { "\(mask)-\(leadingZeros)-\(size)" }

    /// How many steps later the changed file was modified: 2 to 8, another number for other kinds of change.
    var dateSteps: Int64 {
        1 + (mask != 0 ? 1 : 0) + (leadingZeros != 0 ? 2 : 0) + (size != originalSize + leadingZeros ? 4 : 0)
    }

    /// The range of bytes of the original file that are needed for `count` bytes at `place`.
    func original(_ place: Int64, count: Int64) -> Range<Int64> {
        let range = (place - leadingZeros)..<(place - leadingZeros + count)
        return range.clamped(to: 0..<max(0, originalSize))
    }

    /// The changed bytes: `count` from `place` on, of which `bytes` are in the original file, with zeros around them.
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

    /// A mask that changes every byte.
    private static let otherBytes: UInt8 = 0x5A
    /// Bytes of the largest file that a fault makes: 1 PiB.
    private static let mostBytes: Int64 = 1 << 50
}

extension Int64 {
    fileprivate func addingClamped(_ other: Int64) -> Int64 { Int64(clamping: Int128(self) + Int128(other)) }
}
