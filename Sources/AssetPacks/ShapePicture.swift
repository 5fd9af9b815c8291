import LinkModel
import PackFormat

/// A coloured shape on noise: a picture that cannot be compressed.
struct ShapePicture {
    enum Colour: String, CaseIterable {
        case red
        case green
        case blue

        var components: (red: UInt8, green: UInt8, blue: UInt8) {
            switch self {
            case .red: (220, 40, 40)
            case .green: (40, 170, 70)
            case .blue: (50, 90, 220)
            }
        }
    }

    enum Shape: String, CaseIterable {
        case circle
        case square
        case triangle
        case star
    }

    let colour: Colour
    let shape: Shape
    /// Its width and height in pixels.
    let side: Int
    let seed: UInt64

    /// The picture as a PNG file.
    func png() -> [UInt8] {
        var noise = SeededGenerator(seed: seed)
        var rows: [UInt8] = []
        rows.reserveCapacity(side * (side * 3 + 1))
        let fill = colour.components
        for y in 0..<side {
            // Filter type 0: the row without a change (PNG, RFC 2083 §6.2).
            rows.append(0)
            for x in 0..<side {
                let bits = noise.next()
                let grain = (UInt8(bits & 0x1F), UInt8(bits >> 8 & 0x1F), UInt8(bits >> 16 & 0x1F))
                if contains(x, y) {
                    rows += [fill.red &+ grain.0, fill.green &+ grain.1, fill.blue &+ grain.2]
                } else {
                    rows += [UInt8(bits >> 24 & 0xFF), UInt8(bits >> 32 & 0xFF), UInt8(bits >> 40 & 0xFF)]
                }
            }
        }
        return PNG.file(width: side, height: side, rows: rows)
    }

    private func contains(_ x: Int, _ y: Int) -> Bool {
        let (centre, size) = (Double(side) / 2, Double(side) * 0.4)
        let (dx, dy) = ((Double(x) + 0.5 - centre) / size, (Double(y) + 0.5 - centre) / size)
        switch shape {
        case .circle: return dx * dx + dy * dy <= 1
        case .square: return abs(dx) <= 0.85 && abs(dy) <= 0.85
        case .triangle: return dy <= 0.8 && dy >= -1 + abs(dx) * 1.8
        case .star: return Self.isInStar(dx, dy)
        }
    }

    /// Whether a point is inside at least four of the five edges of a pentagram on two of its points; y points down.
    private static func isInStar(_ x: Double, _ y: Double) -> Bool {
        let directions = [(0.0, 1.0), (0.951, 0.309), (0.588, -0.809), (-0.588, -0.809), (-0.951, 0.309)]
        return directions.count { x * $0.0 - y * $0.1 <= 0.38 } >= 4
    }
}

/// Writes PNG files (RFC 2083) with stored pixels, so that a file's size depends only on its sides.
private enum PNG {
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
