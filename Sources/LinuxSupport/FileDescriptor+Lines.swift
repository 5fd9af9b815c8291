package import SystemPackage

extension FileDescriptor {
    /// Passes the remaining complete lines of a file to `body`, many at a time, each with its newline.
    ///
    /// A last line without a newline is left out. `most` is the largest number of bytes of a line; a longer one throws
    /// `tooLong`.
    package func readLines(
        most: Int, orThrow tooLong: @autoclosure () -> any Error, _ body: (ArraySlice<UInt8>) throws -> Void
    ) throws {
        var block = [UInt8](repeating: 0, count: 1 << 20)
        var begun: [UInt8] = []
        while true {
            let count = try unsafe block.withUnsafeMutableBytes { try unsafe read(into: $0) }
            guard count > 0 else { return }
            begun += block[..<count]
            guard let end = begun.lastIndex(of: 0x0A) else {
                guard begun.count <= most else { throw tooLong() }
                continue
            }
            try body(begun[...end])
            begun.removeSubrange(...end)
        }
    }
}
