internal import NIOCore

/// Follows the body of one request through a stream, so that what is behind it is known (RFC 9112 §6.3).
///
/// Bytes pass as they are. A chunked body is read strictly: what two readers could understand in two ways is an error. (The decoder of
/// NIOHTTP1 takes the framing away, and needs a pipeline; here the framing stays.)
struct RequestBody: Hashable, Sendable {
    private enum Place: Hashable {
        /// So many bytes belong to the body, or to a chunk with the line end behind it.
        case bytes(Int)
        case chunk(Int)
        case chunkEnd
        /// In a line: the size of a chunk, or a field of the trailer section.
        case size
        case trailer
    }

    private var place: Place
    /// The part of a line that has come so far.
    private var line: [UInt8] = []
    /// Bytes of the trailer section so far.
    private var trailerBytes = 0

    /// Bytes of a line with a size, extensions included.
    private static let longestSize = 1024
    private static let longestTrailer = 16 * 1024
    /// 2^60 bytes have no more.
    private static let mostDigits = 15

    /// The body that `head`, which has been checked, announces.
    init(of head: RequestHead) throws(MalformedHead) {
        if !head.values("transfer-encoding").isEmpty {
            place = .size
        } else if let length = head.values("content-length").first {
            guard let length = Int(length) else { throw MalformedHead("Content-Length is out of range") }
            place = .bytes(length)
        } else {
            place = .bytes(0)
        }
    }

    /// Whether all of it has been taken.
    var isComplete: Bool { place == .bytes(0) }

    /// Takes the part of `bytes` that belongs to the body; the rest is behind it.
    mutating func take(_ bytes: inout ByteBuffer) throws(MalformedHead) -> ByteBuffer {
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

    /// The next line without its CRLF, which no other line end stands for; nil where it is not whole.
    private mutating func readLine(
        _ bytes: inout ByteBufferView, most: Int, of what: String
    ) throws(MalformedHead) -> [UInt8]? {
        while let byte = bytes.popFirst() {
            if byte == UInt8(ascii: "\n") {
                guard line.last == UInt8(ascii: "\r") else { throw MalformedHead("\(what) ends without CRLF") }
                defer { line = [] }
                return Array(line.dropLast())
            }
            guard line.last != UInt8(ascii: "\r") else { throw MalformedHead("\(what) has a CR in it") }
            line.append(byte)
            // The CR of the line's end is one more.
            if line.count > most + 1 || (line.count > most && byte != UInt8(ascii: "\r")) {
                throw MalformedHead("\(what) is longer than \(most == 0 ? "its size" : "\(most) bytes")")
            }
        }
        return nil
    }

    /// The size in a chunk's first line; extensions may follow (RFC 9112 §7.1).
    private static func size(_ line: [UInt8]) throws(MalformedHead) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        let isHex = digits.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                true
            default: false
            }
        }
        guard isHex, (1...mostDigits).contains(digits.count),
            let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw MalformedHead("the size of a chunk is not a hexadecimal number") }
        guard line.allSatisfy(RequestHead.isFieldByte) else {
            throw MalformedHead("the extension of a chunk has a control character")
        }
        return size
    }
}
