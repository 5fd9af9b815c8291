import PackFormat

/// Writes PNG files (RFC 2083) with stored pixels, so that a file's size depends only on its sides.
enum PNG {
    /// The most bytes of a stored block (RFC 1951 §3.2.4).
    private static let blockSize = 65_535

    /// The file of a picture of 8-bit red, green and blue; each row of `rows` begins with its filter type.
    static func file(width: Int, height: Int, rows: [UInt8]) -> [UInt8] {
        var header = bigEndian(UInt32(width)) + bigEndian(UInt32(height))
        // Eight bits per sample, three samples per pixel, not interlaced.
        header += [8, 2, 0, 0, 0]
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        for (name, data) in [("IHDR", header), ("IDAT", stored(rows)), ("IEND", [])] {
            let body = Array(name.utf8) + data
            file += bigEndian(UInt32(data.count))
            file += body
            file += bigEndian(CRC32.checksum(of: body))
        }
        return file
    }

    /// A zlib stream (RFC 1950) of stored blocks.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        stream.reserveCapacity(bytes.count + bytes.count / blockSize * 5 + 16)
        for start in stride(from: 0, to: bytes.count, by: blockSize) {
            let end = min(start + blockSize, bytes.count)
            let count = UInt16(end - start)
            stream.append(end == bytes.count ? 1 : 0)
            for value in [count, ~count] { stream += [UInt8(value & 0xFF), UInt8(value >> 8)] }
            stream += bytes[start..<end]
        }
        return stream + bigEndian(adler32(bytes))
    }

    /// The Adler-32 checksum, RFC 1950 §9; the sums are reduced before they can overflow.
    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for start in stride(from: 0, to: bytes.count, by: 5552) {
            for byte in bytes[start..<min(start + 5552, bytes.count)] {
                low &+= UInt32(byte)
                high &+= low
            }
            low %= 65_521
            high %= 65_521
        }
        return high << 16 | low
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
}
