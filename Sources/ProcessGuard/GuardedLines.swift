/// The lines that a guarded program writes on one stream, without their newlines.
///
/// Bytes that are not UTF-8 are replaced by U+FFFD. The last line need not end with a newline. Reading throws
/// `GuardError.lineTooLong` at a line of more than 1 MiB, because a program may never end a line.
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
        /// The number of bytes at the start of the buffer that contain no newline.
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
