/// The head of an HTTP/1 request, read strictly (RFC 9112 §2 to §5): an ambiguity between two parsers is an error.
struct RequestHead: Hashable, Sendable {
    struct Field: Hashable, Sendable {
        let name: String
        /// The bytes as sent, without the blanks around them; they need not be UTF-8.
        let value: [UInt8]

        var text: String { String(decoding: value, as: UTF8.self) }
    }

    let method: String
    let target: String
    /// The minor version of HTTP/1: 0 or 1.
    let minorVersion: Int
    let fields: [Field]

    func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name }.map(\.text)
    }
}

extension RequestHead {
    /// Reads a head with the empty line that ends it.
    init(parsing bytes: some Collection<UInt8>) throws(Refusal) {
        var lines = Self.lines(of: bytes)[...]
        // A server should ignore an empty line before the request line (RFC 9112 §2.2).
        while let first = lines.first, first.isEmpty { lines.removeFirst() }
        guard let requestLine = lines.popFirst() else { throw .malformed("the request line is missing") }
        let words = requestLine.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, requestLine.allSatisfy(Self.isVisible) else {
            throw .malformed("the request line is not 'METHOD TARGET HTTP/1.1'")
        }
        let version = String(decoding: words[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw .malformed("the version is \(version); this proxy speaks only HTTP/1.1 and HTTP/1.0")
        }
        guard !words[0].isEmpty, words[0].allSatisfy(Self.isToken) else {
            throw .malformed("the method is not a token")
        }
        guard !words[1].isEmpty else { throw .malformed("the request target is empty") }
        var fields: [Field] = []
        for line in lines where !line.isEmpty { fields.append(try Self.field(line)) }
        self.init(
            method: String(decoding: words[0], as: UTF8.self), target: String(decoding: words[1], as: UTF8.self),
            minorVersion: version == "HTTP/1.1" ? 1 : 0, fields: fields)
        try checkFraming()
    }

    private static func lines(of bytes: some Collection<UInt8>) -> [[UInt8]] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            line.last == UInt8(ascii: "\r") ? Array(line.dropLast()) : Array(line)
        }
    }

    static func field(_ line: [UInt8]) throws(Refusal) -> Field {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw .malformed("a header line has no colon")
        }
        let name = line[..<colon]
        // This also catches folded lines, and a blank before the colon (RFC 9112 §5.1, §5.2).
        guard !name.isEmpty, name.allSatisfy(isToken) else { throw .malformed("a header's name is not a token") }
        let value = line[(colon + 1)...]
        guard value.allSatisfy(isFieldByte) else {
            throw .malformed("the value of \(String(decoding: name, as: UTF8.self)) has a control character")
        }
        let start = value.firstIndex { !isBlank($0) } ?? value.endIndex
        let end = value.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
        return Field(name: String(decoding: name, as: UTF8.self), value: Array(value[start..<end]))
    }

    /// Throws if the body's length is ambiguous: such a body could carry a second request (RFC 9112 §6.3, §11.2).
    private func checkFraming() throws(Refusal) {
        let lengths = values("content-length")
        let codings = values("transfer-encoding")
        if lengths.count > 1 { throw .malformed("Content-Length is repeated") }
        if let length = lengths.first, length.isEmpty || !length.utf8.allSatisfy({ (48...57).contains($0) }) {
            throw .malformed("Content-Length is not a number")
        }
        if !lengths.isEmpty, !codings.isEmpty {
            throw .malformed("it has both Content-Length and Transfer-Encoding")
        }
        if codings.count > 1 || codings.contains(where: { $0.lowercased() != "chunked" }) {
            throw .malformed("its Transfer-Encoding is not chunked")
        }
        // RFC 9112 §6.1: the sender of such a message may not know the field, and frame the body in another way.
        if !codings.isEmpty, minorVersion == 0 { throw .malformed("HTTP/1.0 has no Transfer-Encoding") }
        if values("host").count > 1 { throw .malformed("Host is repeated") }
    }

    private static func isVisible(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    static func isFieldByte(_ byte: UInt8) -> Bool { byte == 0x09 || (byte >= 0x20 && byte != 0x7F) }

    /// Whether the byte may be part of a token (RFC 9110 §5.6.2).
    private static func isToken(_ byte: UInt8) -> Bool { tokenBytes.contains(byte) }

    private static let tokenBytes = Set(
        "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
}
