import PackFormat

/// Small archives that unpack to a large size.
enum DeflatedZip {
    /// A zip file with one entry `a`: the letter A, and `runs` runs of 258 more, each of 13 bits (RFC 1951 §3.2.6).
    static func archive(runs: Int) -> [UInt8] {
        // Block header, the letter A, `runs` times length 258 at distance 1, end of block.
        let bits = "110" + "01110001" + String(repeating: "1100010100000", count: runs) + "0000000"
        let digits = bits.utf8.map { $0 & 1 }
        let body = stride(from: 0, to: digits.count, by: 8).map { start in
            digits[start..<min(start + 8, digits.count)].reversed().reduce(UInt8(0)) { $0 << 1 | $1 }
        }
        let size = 1 + 258 * runs
        let crc = Int(CRC32.checksum(of: [UInt8](repeating: 0x41, count: size)))
        // From the version needed to the length of the extra field; the flag says that names are UTF-8.
        let common =
            number(20, 2) + number(0x0800, 2) + number(8, 2) + number(0, 4) + number(crc, 4) + number(body.count, 4)
            + number(size, 4) + number(1, 2) + number(0, 2)
        let local = number(0x0403_4B50, 4) + common + [0x61] + body
        let directory =
            number(0x0201_4B50, 4) + number(3 << 8 | 20, 2) + common + number(0, 6) + number(0o100_644 << 16, 4)
            + number(0, 4) + [0x61]
        let end =
            number(0x0605_4B50, 4) + number(0, 4) + number(1, 2) + number(1, 2) + number(directory.count, 4)
            + number(local.count, 4) + number(0, 2)
        return local + directory + end
    }

    private static func number(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
