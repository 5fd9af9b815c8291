/// Cuts what a program writes into lines, as it comes: at line feeds, and at the carriage returns of a bar that redraws
/// itself.
package struct LineSplitter {
    /// A line that is longer is cut here; a program may never end one.
    package static let mostBytes = 1 << 20

    private var rest: [UInt8] = []

    package init() {}

    /// The lines that end within `bytes`, without their ends.
    package mutating func append(_ bytes: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || rest.count == Self.mostBytes {
                if !rest.isEmpty { lines.append(rest) }
                rest.removeAll(keepingCapacity: true)
                if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { continue }
            }
            rest.append(byte)
        }
        return lines
    }

    /// What was written after the last end of a line; nil where nothing was.
    package consuming func finish() -> [UInt8]? { rest.isEmpty ? nil : rest }
}
