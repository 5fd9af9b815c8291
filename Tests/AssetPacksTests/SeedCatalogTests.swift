import PackFormat
import SystemPackage
import Testing

@testable import AssetPacks

/// The pictures of coloured shapes: valid, of the promised sizes, and always the same.
@Suite("Seed catalog")
struct SeedCatalogTests {
    @Test func writesTwelvePicturesWithSevenTags() throws {
        try withScratch { scratch in
            let catalog = try BuiltInCatalog.shapes.write(to: scratch)
            #expect(catalog.resources.count == 12)
            #expect(catalog.tags == ["blue", "circle", "green", "red", "square", "star", "triangle"])
            #expect(catalog.resources.allSatisfy { $0.tags.count == 2 })
            #expect(catalog.resources.allSatisfy { (100_000...600_000).contains($0.size) })
            #expect(Set(catalog.resources.map(\.size)).count == 12)
            for resource in catalog.resources {
                let bytes = try scratch.appending(resource.path).read()
                #expect(bytes.count == Int(resource.size))
                try expectPicture(bytes)
            }
        }
    }

    /// Expects a PNG with valid checksums, and as many pixels as its sides require.
    private func expectPicture(_ bytes: [UInt8]) throws {
        #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        func number(_ offset: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(bytes[offset + $1]) } }
        var (offset, names) = (8, [String]())
        while offset < bytes.count {
            let end = offset + 8 + number(offset)
            names.append(String(decoding: bytes[(offset + 4)..<(offset + 8)], as: UTF8.self))
            #expect(number(end) == Int(CRC32.checksum(of: Array(bytes[(offset + 4)..<end]))))
            offset = end + 4
        }
        #expect(names == ["IHDR", "IDAT", "IEND"])
        #expect(number(16) == number(20) && bytes.count > number(16) * number(20) * 3)
    }

    /// Pins the pictures: a change here changes all sizes and times that scenarios depend on.
    @Test func isAlwaysTheSame() throws {
        let picture = ShapePicture(colour: .red, shape: .circle, side: 20, seed: 1)
        #expect(picture.png() == picture.png())
        #expect(Digest.sha256Hex(picture.png()) == "ac1913b9bb8897af03b40a8769cdab473962fedddcc89d44d2d0abc33bd0626f")
    }

    /// The centre has the shape's colour; the corner does not.
    @Test(arguments: ShapePicture.Shape.allCases)
    func drawsTheShape(shape: ShapePicture.Shape) throws {
        let side = 60
        let png = ShapePicture(colour: .green, shape: shape, side: side, seed: 3).png()
        func pixel(_ x: Int, _ y: Int) -> [UInt8] {
            // Signature, header chunk, the data chunk's head, zlib's, and the block's.
            let start = 8 + 25 + 8 + 2 + 5 + y * (side * 3 + 1) + 1 + x * 3
            return Array(png[start..<(start + 3)])
        }
        func isGreen(_ pixel: [UInt8]) -> Bool {
            (40..<72).contains(pixel[0]) && (170..<202).contains(pixel[1]) && (70..<102).contains(pixel[2])
        }
        #expect(isGreen(pixel(30, 32)) && isGreen(pixel(28, 30)))
        #expect(!(0..<4).allSatisfy { isGreen(pixel($0, $0)) })
        // Only the star reaches this far up, and no shape reaches this far down.
        #expect(isGreen(pixel(30, 4)) == (shape == .star))
        #expect(!isGreen(pixel(30, 57)))
    }
}
