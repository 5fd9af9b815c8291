/// Finds the name of the server in the first bytes of a TLS client (RFC 6066 §3; RFC 8446 §4.1.2 and §5.1).
///
/// Its input is untrusted: it keeps 17 KiB at most, and ends the search at anything that is no ClientHello.
package struct ServerNameReader: Sendable {
    /// The state of the search.
    package enum Progress: Sendable, Hashable {
        case incomplete
        /// It is over; nil: the client names no server, or does not speak TLS.
        case complete(String?)
    }

    /// The content type of records with handshake messages.
    private static let handshake: UInt8 = 22
    private static let most = 16 * 1024
    /// The most bytes of a domain name (RFC 1035 §2.3.4).
    private static let longest = 253
    /// Received bytes that are not yet a whole record.
    private var bytes: [UInt8] = []
    /// The handshake message, as far as the records so far hold it.
    private var message: [UInt8] = []

    package init() {}

    /// Whether a connection that begins with this byte may use TLS.
    package static func isLikely(_ first: UInt8?) -> Bool { first == handshake }

    /// Takes the next bytes of the client, and returns the state of the search.
    package mutating func append(_ new: some Collection<UInt8>) -> Progress {
        guard bytes.count + message.count + new.count <= Self.most + 1024 else { return .complete(nil) }
        bytes += new
        var rest = bytes[...]
        while true {
            if let progress = found { return progress }
            guard let type = rest.first else { break }
            guard type == Self.handshake else { return .complete(nil) }
            var record = Cursor(rest.dropFirst(3))
            guard let fragment = record.vector(lengthBytes: 2) else { break }
            // An empty fragment is forbidden (RFC 8446 §5.1), and there could be thousands.
            guard !fragment.isEmpty else { return .complete(nil) }
            message += fragment
            rest = rest[fragment.endIndex...]
        }
        bytes = Array(rest)
        return .incomplete
    }

    /// The result of the search; nil while the message is incomplete.
    private var found: Progress? {
        var start = Cursor(message[...])
        guard let type = start.number(1) else { return nil }
        guard type == 1 else { return .complete(nil) }
        return start.vector(lengthBytes: 3).map { .complete(Self.name(in: $0)) }
    }

    private static func name(in hello: ArraySlice<UInt8>) -> String? {
        // Version and random; then the session's identifier, cipher suites and compression methods.
        var fields = Cursor(hello.dropFirst(34))
        for lengthBytes in [1, 2, 1] where fields.vector(lengthBytes: lengthBytes) == nil { return nil }
        guard let extensions = fields.vector(lengthBytes: 2) else { return nil }
        var rest = Cursor(extensions)
        while let type = rest.number(2), let content = rest.vector(lengthBytes: 2) {
            guard type == 0 else { continue }
            var outer = Cursor(content)
            guard let list = outer.vector(lengthBytes: 2) else { return nil }
            var names = Cursor(list)
            guard names.number(1) == 0, let name = names.vector(lengthBytes: 2), (1...longest).contains(name.count),
                name.allSatisfy({ (0x21...0x7E).contains($0) })
            else { return nil }
            return String(decoding: name, as: UTF8.self).lowercased()
        }
        return nil
    }

    /// Reads numbers and vectors as TLS writes them (RFC 8446 §3); nil if there are too few bytes.
    private struct Cursor {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

        mutating func number(_ count: Int) -> Int? {
            guard rest.count >= count else { return nil }
            let value = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
            return value
        }

        mutating func vector(lengthBytes: Int) -> ArraySlice<UInt8>? {
            guard let length = number(lengthBytes), rest.count >= length else { return nil }
            defer { rest = rest.dropFirst(length) }
            return rest.prefix(length)
        }
    }
}
