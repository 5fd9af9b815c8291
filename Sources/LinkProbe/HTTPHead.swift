/// The head of an HTTP/1.1 response (RFC 9112, section 4).
struct HTTPHead: Sendable {
    /// The most bytes of a head: 16 KiB.
    static let longest = 16 << 10

    var status: Int
    var reason: String
    /// The fields in the order of the response, with names in lower case.
    var fields: [(name: String, value: String)]

    /// Reads the lines of a head, without the empty one that ends it; `nil` if this is no head.
    init?(_ bytes: some Collection<UInt8>) {
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
        guard let words = lines.first?.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false),
            words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3, let status = Int(words[1]),
            status >= 100
        else { return nil }
        self.status = status
        reason = words.count > 2 ? String(words[2]) : ""
        fields = lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (line[..<colon].lowercased(), String(line[line.index(after: colon)...]).trimmed)
        }
    }

    /// The value of the first field of that name; `nil` if there is none.
    subscript(name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name == name }?.value
    }
}

extension String {
    fileprivate var trimmed: String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        return String(String(drop(while: isBlank).reversed()).drop(while: isBlank).reversed())
    }
}
