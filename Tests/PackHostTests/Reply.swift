/// A response as received.
struct Reply: Sendable {
    let bytes: [UInt8]
    let end: RawClient.End
    let duration: Duration

    /// The status line and the fields, one line each.
    var head: [Substring] {
        String(decoding: bytes[..<bodyStart], as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: true)
    }

    var status: Int { head.first.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) } ?? 0 }

    var body: [UInt8] { Array(bytes[bodyStart...]) }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of a field that occurs exactly once; nil otherwise.
    subscript(name: String) -> String? {
        let lines = head.dropFirst().filter { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        guard lines.count == 1, let line = lines.first else { return nil }
        return String(line.dropFirst(name.count + 1).drop { $0 == " " })
    }

    private var bodyStart: Int {
        let mark = Array("\r\n\r\n".utf8)
        guard bytes.count >= 4 else { return bytes.count }
        for index in 0...(bytes.count - 4) where bytes[index..<(index + 4)].elementsEqual(mark) { return index + 4 }
        return bytes.count
    }
}
