import QRCode
import Testing

struct QRCodeTests {
    /// The three corners by which a camera finds a code (ISO/IEC 18004 §6.3.3).
    private static let finder = [
        "#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######",
    ]

    @Test(arguments: [
        ("http://192.0.2.1:8080/", 25), ("http://192.168.100.200:65535/", 29), ("http://[2001:db8::1]:8080/", 25),
    ])
    func anAddressIsASmallCode(text: String, size: Int) throws {
        let code = try #require(QRCode(text))
        #expect(code.size == size)
        for (left, top) in [(0, 0), (size - 7, 0), (0, size - 7)] {
            let corner = (0..<7).map { row in
                String((0..<7).map { code.isDark(left + $0, top + row) ? "#" : "." })
            }
            #expect(corner == Self.finder)
        }
    }

    @Test func aTextThatIsTooLongGivesNoCode() {
        #expect(QRCode(String(repeating: "a", count: 213)) != nil)
        #expect(QRCode(String(repeating: "a", count: 214)) == nil)
    }

    /// The picture has every dark module, and no other.
    @Test func thePictureIsTheCode() throws {
        let code = try #require(QRCode("http://192.0.2.1:8080/"))
        let picture = code.svg(title: "a title")
        #expect(picture.contains("<title>a title</title>") && picture.contains("viewBox=\"-4 -4 33 33\""))
        var drawn: Set<[Int]> = []
        for run in picture.matches(of: /M(\d+),(\d+)h(\d+)v1h-(\d+)z/) {
            let (left, top, width) = try (#require(Int(run.1)), #require(Int(run.2)), #require(Int(run.3)))
            #expect(run.3 == run.4)
            for column in left..<left + width { drawn.insert([column, top]) }
        }
        for row in 0..<code.size {
            for column in 0..<code.size { #expect(drawn.contains([column, row]) == code.isDark(column, row)) }
        }
    }
}
