import CZlib

/// Writes PNG files (RFC 2083) by zlib.
enum PNG {
    /// The file of a picture of 8-bit red, green and blue; each row of `rows` begins with its filter type.
    static func file(width: Int, height: Int, rows: [UInt8]) -> [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header = bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 2, 0, 0, 0]
        for (name, data) in [("IHDR", header), ("IDAT", compressed(rows)), ("IEND", [])] {
            let body = Array(name.utf8) + data
            file += bigEndian(UInt32(data.count)) + body + bigEndian(checksum(body))
        }
        return file
    }

    private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var length = compressBound(uLong(bytes.count))
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
            let status = unsafe compress2(buffer.baseAddress, &length, bytes, uLong(bytes.count), 1)
            precondition(status == Z_OK, "zlib has room for what it asked for")
            count = Int(length)
        }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        UInt32(unsafe crc32(0, bytes, UInt32(bytes.count)))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
}
