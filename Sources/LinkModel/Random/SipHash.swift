/// SipHash-2-4 (Aumasson and Bernstein, 2012) over whole 64-bit words: a keyed hash whose output looks random.
///
/// Swift's own `Hasher` is seeded per process, and so cannot repeat a decision.
struct SipHash {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64
    private var byteCount: UInt64 = 0

    /// Starts with the two halves of a 128-bit key.
    init(key0: UInt64, key1: UInt64) {
        v0 = key0 ^ 0x736f_6d65_7073_6575
        v1 = key1 ^ 0x646f_7261_6e64_6f6d
        v2 = key0 ^ 0x6c79_6765_6e65_7261
        v3 = key1 ^ 0x7465_6462_7974_6573
    }

    /// Takes in eight bytes, the lowest first.
    mutating func combine(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
        byteCount += 8
    }

    /// The hash of all words so far and of `tail`, up to seven bytes.
    mutating func finish(tail: some Collection<UInt8> = EmptyCollection<UInt8>()) -> UInt64 {
        precondition(tail.count < 8, "a tail is shorter than a word")
        var last = (byteCount + UInt64(tail.count)) << 56
        for (index, byte) in tail.enumerated() { last |= UInt64(byte) << (8 * UInt64(index)) }
        v3 ^= last
        round()
        round()
        v0 ^= last
        v2 ^= 0xff
        for _ in 0..<4 { round() }
        return v0 ^ v1 ^ v2 ^ v3
    }

    /// The hash of some bytes.
    static func hash(key0: UInt64, key1: UInt64, bytes: [UInt8]) -> UInt64 {
        var hash = SipHash(key0: key0, key1: key1)
        var index = 0
        while index + 8 <= bytes.count {
            hash.combine(
                (0..<8).reduce(0) { word, offset in word | UInt64(bytes[index + offset]) << (8 * UInt64(offset)) }
            )
            index += 8
        }
        return hash.finish(tail: bytes[index...])
    }

    private mutating func round() {
        v0 &+= v1
        v1 = rotated(v1, by: 13) ^ v0
        v0 = rotated(v0, by: 32)
        v2 &+= v3
        v3 = rotated(v3, by: 16) ^ v2
        v0 &+= v3
        v3 = rotated(v3, by: 21) ^ v0
        v2 &+= v1
        v1 = rotated(v1, by: 17) ^ v2
        v2 = rotated(v2, by: 32)
    }

    private func rotated(_ value: UInt64, by count: UInt64) -> UInt64 {
        value << count | value >> (64 - count)
    }
}
