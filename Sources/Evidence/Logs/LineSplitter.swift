/// Splits a program's output into lines as it arrives.
///
/// Lines end at line feeds, and at carriage returns, which progress bars write.
package struct LineSplitter {
    /// The most bytes of a line; a longer one is split here, since a program may never end a line.
    package static let mostBytes = 1 << 20

    private var rest: [UInt8] = []

    package init() {}

    /// The lines that end within `bytes`, without line ends and without empty lines.
    package mutating func append(_ bytes: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            let isEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            if isEnd || rest.count == Self.mostBytes {
                if !rest.isEmpty { lines.append(rest) }
                rest.removeAll(keepingCapacity: true)
            }
            if !isEnd { rest.append(byte) }
        }
        return lines
    }

    /// What was written after the last line end; nil if nothing was.
    package consuming func finish() -> [UInt8]? { rest.isEmpty ? nil : rest }
}
