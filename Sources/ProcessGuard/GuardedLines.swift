/// What a guarded program writes on one stream, line by line and without the ends of the lines.
///
/// Bytes that are no UTF-8 are replaced by U+FFFD. A last line need not have an end. Reading throws
/// `GuardError.lineTooLong` at a line of more than 1 MiB, because a program may never end one.
package struct GuardedLines: AsyncSequence, Sendable {
    package typealias Element = String

    /// The length of the longest line, in bytes.
    package static let limit = 1 << 20

    let reader: PipeReader

    package func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Reads the lines one after the other.
    package struct Iterator: AsyncIteratorProtocol {
        let reader: PipeReader
        private var buffer: ArraySlice<UInt8> = []
        /// So many bytes at the start of the buffer are known not to end a line.
        private var searched = 0
        private var ended = false

        init(reader: PipeReader) {
            self.reader = reader
        }

        package mutating func next() async throws -> String? {
            while true {
                if let end = buffer.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n")) {
                    return try take(upTo: end)
                }
                searched = buffer.count
                if ended {
                    return buffer.isEmpty ? nil : try take(upTo: buffer.endIndex)
                }
                guard buffer.count <= GuardedLines.limit else {
                    throw GuardError.lineTooLong(limit: GuardedLines.limit)
                }
                if let piece = try await reader.read() {
                    buffer += piece
                } else {
                    ended = true
                }
            }
        }

        private mutating func take(upTo end: Int) throws(GuardError) -> String {
            let line = buffer[..<end]
            guard line.count <= GuardedLines.limit else { throw .lineTooLong(limit: GuardedLines.limit) }
            buffer = end == buffer.endIndex ? [] : buffer[(end + 1)...]
            searched = 0
            return String(decoding: line, as: UTF8.self)
        }
    }
}
