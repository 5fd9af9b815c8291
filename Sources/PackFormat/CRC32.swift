/// The checksum of zip entries and PNG chunks (ISO 3309), eight bytes at a time (Kounavis and Berry, 2005).
package struct CRC32: Sendable {
    /// The effect of each byte on the checksum, for each of eight distances.
    private static let tables: [UInt32] = {
        var tables: [UInt32] = []
        for byte in 0..<256 as Range<UInt32> {
            var crc = byte
            for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 }
            tables.append(crc)
        }
        for index in 256..<2048 {
            let nearer = tables[index - 256]
            tables.append(nearer >> 8 ^ tables[Int(nearer & 0xFF)])
        }
        return tables
    }()

    private var state: UInt32 = 0xFFFF_FFFF

    /// The checksum of nothing yet.
    package init() {}

    /// The checksum of `bytes`.
    package static func checksum(of bytes: [UInt8]) -> UInt32 {
        var crc = CRC32()
        unsafe bytes.withUnsafeBytes { unsafe crc.update($0) }
        return crc.value
    }

    /// The checksum of everything that was added.
    package var value: UInt32 { ~state }

    /// Adds `bytes` to the checksum.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var crc = state
        unsafe Self.tables.withUnsafeBufferPointer { table in
            var index = 0
            while index + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian ^ UInt64(crc)
                crc = 0
                for distance in 0..<8 {
                    crc ^= unsafe table[(7 - distance) * 256 + Int(word >> UInt64(8 * distance) & 0xFF)]
                }
                index += 8
            }
            while index < bytes.count {
                let slot = unsafe Int((crc ^ UInt32(bytes[index])) & 0xFF)
                crc = unsafe crc >> 8 ^ table[slot]
                index += 1
            }
        }
        state = crc
    }
}
