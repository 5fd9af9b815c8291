/// The checksum of the Internet protocols (RFC 1071).
struct Checksum {
    private var sum: UInt64 = 0

    /// Takes in bytes; those of an odd count are followed by a zero, so only the last call may have one.
    mutating func add(_ bytes: some Sequence<UInt8>) {
        var isHigh = true
        for byte in bytes {
            sum += isHigh ? UInt64(byte) << 8 : UInt64(byte)
            isHigh.toggle()
        }
    }

    mutating func add(_ word: UInt32) { sum += UInt64(word >> 16) + UInt64(word & 0xffff) }

    /// What a header carries.
    var value: UInt16 {
        var folded = sum
        while folded >> 16 != 0 { folded = folded & 0xffff + folded >> 16 }
        return ~UInt16(folded)
    }
}
