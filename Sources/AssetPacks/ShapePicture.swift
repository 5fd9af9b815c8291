import LinkModel

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
