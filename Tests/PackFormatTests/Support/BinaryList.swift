/// A binary property list made by hand, with offsets of four bytes and references of two.
struct BinaryList {
    private var body = Array("bplist00".utf8)
    private var offsets: [Int] = []

    /// Adds an object, and returns its number.
    mutating func add(_ head: [UInt8], references: [Int] = []) -> Int {
        offsets.append(body.count)
        body += head
        for reference in references { body += number(reference, 2) }
        return offsets.count - 1
    }

    /// A number of `size` bytes, the highest byte first.
    func number(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
    }

    func bytes(top: Int) -> [UInt8] {
        var bytes = body
        for offset in offsets { bytes += number(offset, 4) }
        bytes += [0, 0, 0, 0, 0, 0, 4, 2]
        return bytes + number(offsets.count, 8) + number(top, 8) + number(body.count, 8)
    }
}
