import LinkModel
import Testing

@Suite struct ServerNameReaderTests {
    /// A vector as TLS writes it: its length, then its content.
    private static func vector(_ lengthBytes: Int, _ content: [UInt8]) -> [UInt8] {
        (0..<lengthBytes).reversed().map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) } + content
    }

    /// The ClientHello of a client that requests `name`, after an extension of `padding` bytes.
    private static func hello(_ name: [UInt8]?, padding: Int = 0, kind: UInt8 = 0) -> [UInt8] {
        var extensions = [0x00, 0x15] + vector(2, [UInt8](repeating: 0, count: padding))
        if let name { extensions += [0, 0] + vector(2, vector(2, [kind] + vector(2, name))) }
        let body =
            [3, 3] + [UInt8](repeating: 7, count: 32) + vector(1, [UInt8](repeating: 9, count: 32))
            + vector(2, [0x13, 0x01, 0x13, 0x02]) + vector(1, [0]) + vector(2, extensions)
        return [1] + vector(3, body)
    }

    /// A handshake message in records of at most `size` bytes.
    private static func records(_ message: [UInt8], of size: Int = 16_384) -> [UInt8] {
        stride(from: 0, to: message.count, by: size).flatMap { start in
            [22, 3, 1] + vector(2, Array(message[start..<min(start + size, message.count)]))
        }
    }

    private static func name(_ bytes: [UInt8], pieces: Int) -> ServerNameReader.Progress {
        var reader = ServerNameReader()
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            let progress = reader.append(bytes[start..<min(start + pieces, bytes.count)])
            if progress != .incomplete { return progress }
        }
        return .incomplete
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let expected: ServerNameReader.Progress

        init(_ what: String, _ bytes: [UInt8], _ expected: ServerNameReader.Progress) {
            (testDescription, self.bytes, self.expected) = (what, bytes, expected)
        }
    }

    private static let packs = Array("Packs.Example.org".utf8)

    @Test(arguments: [
        Case("a name, in lower case", records(hello(packs)), .complete("packs.example.org")),
        Case("behind a long extension", records(hello(packs, padding: 9000)), .complete("packs.example.org")),
        Case("in small records", records(hello(packs), of: 7), .complete("packs.example.org")),
        Case("and what follows", records(hello(packs)) + [20, 3, 3, 0, 1, 1], .complete("packs.example.org")),
        Case("no name", records(hello(nil)), .complete(nil)),
        Case("another kind of name", records(hello(packs, kind: 1)), .complete(nil)),
        Case("an empty name", records(hello([])), .complete(nil)),
        Case("a line break in the name", records(hello(Array("a\nb".utf8))), .complete(nil)),
        Case("a name that is too long", records(hello([UInt8](repeating: 97, count: 254))), .complete(nil)),
        Case("another message", records([2] + vector(3, [1, 2, 3])), .complete(nil)),
        Case("no TLS after one record", records([1, 0, 0, 9]) + Array("GET / HTTP/1.1\r\n".utf8), .complete(nil)),
        Case("only a beginning", Array(records(hello(packs)).dropLast()), .incomplete),
        Case(
            "lengths that reach beyond the message", records([1] + vector(3, hello(packs).suffix(70))), .complete(nil)),
        Case(
            "a message without end", records([1, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 40_000)),
            .complete(nil)),
    ])
    func finds(_ test: Case) {
        for pieces in [1, 5, 512, 100_000] {
            #expect(Self.name(test.bytes, pieces: pieces) == test.expected, "in pieces of \(pieces)")
        }
    }

    /// With any byte changed, the reader ends or waits, and never returns more than a name.
    @Test func survivesDamage() {
        let sound = Self.records(Self.hello(Self.packs), of: 50)
        for index in sound.indices {
            for value: UInt8 in [0, 1, 0x7F, 0xFF] {
                var damaged = sound
                damaged[index] = value
                if case .complete(let name?) = Self.name(damaged, pieces: 11) { #expect(name.utf8.count <= 253) }
            }
        }
    }
}
