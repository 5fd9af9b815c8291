/// What a guarded program writes on one stream, as it arrives: pieces of at most 64 KiB.
///
/// It ends when all of the program's processes have closed the stream. What is not read stays in a pipe of 64 KiB, and
/// then the program waits. It has one reader: two would each get some of the pieces. Reading throws `CancellationError`
/// where the task is cancelled.
package struct GuardedOutput: AsyncSequence, Sendable {
    package typealias Element = [UInt8]

    let reader: PipeReader

    /// The same, line by line.
    package var lines: GuardedLines { GuardedLines(reader: reader) }

    package func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Reads the pieces one after the other.
    package struct Iterator: AsyncIteratorProtocol {
        let reader: PipeReader

        package mutating func next() async throws -> [UInt8]? {
            try await reader.read()
        }
    }
}
