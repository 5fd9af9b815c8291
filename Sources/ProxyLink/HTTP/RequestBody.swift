internal import NIOCore

/// Finds the end of one request's body in a stream (RFC 9112 §6.3).
///
/// Bytes pass unchanged. A chunked body is read strictly: an ambiguity between two parsers is an error. (The decoder of
/// NIOHTTP1 removes the framing, and needs a pipeline; here the framing stays.)
struct RequestBody: Hashable, Sendable {
    private enum Place: Hashable {
        /// In a body with a length: the bytes that are left of it.
        case bytes(Int)
        /// In a chunk: the bytes that are left of it.
        case chunk(Int)
        /// In the line end behind a chunk.
        case chunkEnd
        /// In the line with the size of a chunk.
        case size
        /// In a line of the trailer section.
        case trailer
    }

    private var place: Place
    /// The part of a line that has arrived so far.
    private var line: [UInt8] = []
    /// Bytes of the trailer section so far.
    private var trailerBytes = 0

    /// The most bytes of a line with a size, extensions included.
    private static let longestSize = 1024
    private static let longestTrailer = 16 * 1024
    /// The most hexadecimal digits of a size, which is then below 2^60 bytes.
    private static let mostDigits = 15

    /// The body that `head` announces; its framing was already checked.
    init(of head: RequestHead) throws(Refusal) {
        if !head.values("transfer-encoding").isEmpty {
            place = .size
        } else if let length = head.values("content-length").first {
            guard let length = Int(length) else { throw .malformed("Content-Length is out of range") }
            place = .bytes(length)
        } else {
            place = .bytes(0)
        }
    }

    /// Whether all bytes of the body have been taken.
    var isComplete: Bool { place == .bytes(0) }

    /// Removes and returns the part of `bytes` that belongs to the body; leaves what follows the body.
    mutating func take(_ bytes: inout ByteBuffer) throws(Refusal) -> ByteBuffer {
        var rest = bytes.readableBytesView
        while !rest.isEmpty, !isComplete {
            switch place {
            case .bytes(let count): place = .bytes(count - Self.drop(count, from: &rest))
            case .chunk(let count):
                let left = count - Self.drop(count, from: &rest)
                place = left == 0 ? .chunkEnd : .chunk(left)
            case .chunkEnd:
                if try readLine(&rest, most: 0, of: "a chunk") != nil { place = .size }
            case .size:
                guard let line = try readLine(&rest, most: Self.longestSize, of: "the size of a chunk") else { break }
                let size = try Self.size(line)
                place = size == 0 ? .trailer : .chunk(size)
            case .trailer:
                let room = Self.longestTrailer - trailerBytes
                guard let line = try readLine(&rest, most: room, of: "the trailer section") else { break }
                trailerBytes += line.count
                if line.isEmpty { place = .bytes(0) } else { _ = try RequestHead.field(line) }
            }
        }
        return bytes.readSlice(length: bytes.readableBytes - rest.count) ?? ByteBuffer()
    }

    private static func drop(_ count: Int, from bytes: inout ByteBufferView) -> Int {
        let dropped = min(count, bytes.count)
        bytes = bytes.dropFirst(dropped)
        return dropped
    }

    /// The next line without its CRLF, the only line end that is accepted; nil if it is not complete.
    private mutating func readLine(
        _ bytes: inout ByteBufferView, most: Int, of what: String
    ) throws(Refusal) -> [UInt8]? {
        while let byte = bytes.popFirst() {
            if byte == UInt8(ascii: "\n") {
                guard line.last == UInt8(ascii: "\r") else { throw .malformed("\(what) ends without CRLF") }
                defer { line = [] }
                return Array(line.dropLast())
            }
            guard line.last != UInt8(ascii: "\r") else { throw .malformed("\(what) has a CR in it") }
            line.append(byte)
            // The CR at the end may exceed the limit by one.
            if line.count > most + 1 || (line.count > most && byte != UInt8(ascii: "\r")) {
                throw .malformed("\(what) is longer than \(most == 0 ? "its size" : "\(most) bytes")")
            }
        }
        return nil
    }

    /// The size in bytes in a chunk's first line; extensions may follow it (RFC 9112 §7.1).
    private static func size(_ line: [UInt8]) throws(Refusal) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        guard digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }), (1...mostDigits).contains(digits.count),
            let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw .malformed("the size of a chunk is not a hexadecimal number") }
        guard line.allSatisfy(RequestHead.isFieldByte) else {
            throw .malformed("the extension of a chunk has a control character")
        }
        return size
    }
}
