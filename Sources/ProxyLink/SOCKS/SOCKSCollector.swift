internal import NIOCore

/// Collects the messages of a SOCKS 5 client up to its request (RFC 1928 §3 to §5), and reads them strictly.
///
/// A client need not wait for an answer before its next message: early bytes are kept until they are due. (NIOSOCKS
/// takes one message from a read, so such a client would wait without end.)
struct SOCKSCollector {
    private var bytes = ByteBuffer()
    /// Whether the greeting has been answered.
    private(set) var hasGreeted = false
    /// Whether the client needs no credentials, or has sent them.
    private var isKnown: Bool
    private let credentials: ProxyCredentials?

    static let version: UInt8 = 5
    /// The version of the username/password subnegotiation (RFC 1929 §2).
    static let passwordVersion: UInt8 = 1
    private static let noAuthentication: UInt8 = 0
    private static let password: UInt8 = 2
    private static let connect: UInt8 = 1

    /// `credentials`: what the client must send; nil: nothing.
    init(_ credentials: ProxyCredentials? = nil) {
        self.credentials = credentials
        isKnown = credentials == nil
    }

    mutating func append(_ more: inout ByteBuffer) throws(Refusal) -> RequestCollector.Progress {
        bytes.writeBuffer(&more)
        guard hasGreeted else { return try greeting() }
        return isKnown ? try request() : try authentication()
    }

    /// VER, NMETHODS, METHODS (§3).
    private mutating func greeting() throws(Refusal) -> RequestCollector.Progress {
        var reader = bytes
        guard let (_, count) = reader.readMultipleIntegers(as: (UInt8, UInt8).self),
            let methods = reader.readBytes(length: Int(count))
        else { return .incomplete }
        let method = isKnown ? Self.noAuthentication : Self.password
        guard methods.contains(method) else {
            throw isKnown ? .unsupported(.authentication) : .unauthenticated(ofPage: false)
        }
        bytes = reader
        hasGreeted = true
        return .answer(ByteBuffer(bytes: [Self.version, method]))
    }

    /// VER, ULEN, UNAME, PLEN, PASSWD (RFC 1929 §2).
    private mutating func authentication() throws(Refusal) -> RequestCollector.Progress {
        var reader = bytes
        guard let version = reader.readInteger(as: UInt8.self), let user = Self.text(from: &reader),
            let password = Self.text(from: &reader)
        else { return .incomplete }
        guard version == Self.passwordVersion, credentials?.match(user: user, password: password) == true else {
            throw .unauthenticated(ofPage: false)
        }
        bytes = reader
        isKnown = true
        return .answer(ByteBuffer(bytes: [Self.passwordVersion, 0]))
    }

    /// Reads a text with its length before it; nil if it is not complete.
    private static func text(from bytes: inout ByteBuffer) -> [UInt8]? {
        bytes.readInteger(as: UInt8.self).flatMap { bytes.readBytes(length: Int($0)) }
    }

    /// VER, CMD, RSV, ATYP, DST.ADDR, DST.PORT (§4).
    private func request() throws(Refusal) -> RequestCollector.Progress {
        var reader = bytes
        typealias Head = (UInt8, UInt8, UInt8, UInt8)
        guard let (version, command, reserved, type) = reader.readMultipleIntegers(as: Head.self) else {
            return .incomplete
        }
        guard version == Self.version, reserved == 0 else {
            throw .malformed("its SOCKS request begins with the bytes \(version), \(command), \(reserved)")
        }
        guard let host = try Self.host(type, from: &reader), let port = reader.readInteger(as: UInt16.self) else {
            return .incomplete
        }
        guard command == Self.connect else { throw .unsupported(.command) }
        do throws(EndpointError) {
            // A SOCKS client may ask for the same targets as an HTTP client.
            let target = try Endpoint(parsing: host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)")
            return .complete(.socks(target), rest: reader)
        } catch {
            // The message is one line, so it leaves out the name, which may have line ends.
            throw .malformed("its SOCKS request names neither a host nor an address")
        }
    }

    /// Reads the target's name, or its address as text (§5); nil if it is not complete.
    private static func host(_ type: UInt8, from bytes: inout ByteBuffer) throws(Refusal) -> String? {
        switch type {
        case 1: address(bytes.readSlice(length: 4))
        case 3: bytes.readInteger(as: UInt8.self).flatMap { bytes.readString(length: Int($0)) }
        case 4: address(bytes.readSlice(length: 16))
        default: throw .unsupported(.addressType)
        }
    }

    private static func address(_ packed: ByteBuffer?) -> String? {
        packed.flatMap { try? SocketAddress(packedIPAddress: $0, port: 0).ipAddress }
    }
}
