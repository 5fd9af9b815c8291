internal import NIOCore

/// Collects bytes until a request's head is complete.
struct HeadCollector {
    private let limit: Int
    private var bytes = ByteBuffer()
    /// How many of `bytes` were searched for the end of the head.
    private var searched = 0

    enum Progress {
        case incomplete
        /// The head, and the bytes after it.
        case complete(RequestHead, rest: ByteBuffer)
    }

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { bytes.readableBytes == 0 }

    mutating func append(_ more: inout ByteBuffer) throws(Refusal) -> Progress {
        bytes.writeBuffer(&more)
        guard let length = endOfHead() else {
            if bytes.readableBytes > limit { throw tooLong }
            return .incomplete
        }
        guard length <= limit, let head = bytes.readSlice(length: length) else { throw tooLong }
        return .complete(try RequestHead(parsing: head.readableBytesView), rest: bytes)
    }

    private var tooLong: Refusal { .malformed("its head is longer than \(limit) bytes") }

    /// The length of the head with its empty line; a line may end with LF alone (RFC 9112 §2.2).
    private mutating func endOfHead() -> Int? {
        let view = bytes.readableBytesView
        var index = view.startIndex + searched
        while let feed = view[index...].firstIndex(of: UInt8(ascii: "\n")) {
            let rest = view[(feed + 1)...]
            let emptyLine = rest.first == UInt8(ascii: "\n") ? 1 : rest.starts(with: "\r\n".utf8) ? 2 : 0
            if emptyLine > 0, hasRequestLine(before: feed) { return feed + 1 + emptyLine - view.startIndex }
            guard rest.count > 1 else {
                searched = feed - view.startIndex
                return nil
            }
            index = feed + 1
        }
        searched = view.count
        return nil
    }

    /// Whether there is more than line ends before `index`: empty lines before the request line are skipped.
    private func hasRequestLine(before index: Int) -> Bool {
        bytes.readableBytesView[..<index].contains { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    }
}
