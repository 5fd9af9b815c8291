import LinkModel
import NIOCore
import NIOEmbedded
import Testing

@testable import ProxyLink

/// Which clients may use the proxy's own listeners.
@Suite(.timeLimit(.minutes(1)))
struct AccessTests {
    private static func access(_ ranges: [String] = [], auth: String? = nil) throws -> ClientAccess {
        ClientAccess(
            ranges: try ranges.map { try AddressRange(parsing: $0) },
            credentials: try auth.map { try ProxyCredentials(parsing: $0) })
    }

    /// The bytes that a client at 192.0.2.1 gets, and the number of targets that were connected.
    private func answer(_ said: [UInt8], _ access: ClientAccess) throws -> (bytes: [UInt8], hosts: Int) {
        let link = try VirtualLink(.open, access: access)
        defer { link.stop() }
        let client = link.connect(.forward)
        client.receive(said)
        link.advance(.seconds(1))
        return (client.sent(), link.hostCount)
    }

    @Test(arguments: [
        ([], true), (["192.0.2.0/24"], true), (["198.51.100.0/24", "192.0.2.1"], true), (["0.0.0.0/0"], true),
        (["198.51.100.0/24"], false), (["::/0"], false),
    ])
    func aClientIsLetInByItsAddress(ranges: [String], isLetIn: Bool) throws {
        for said in ["GET http://a.test/ HTTP/1.1\r\n\r\n", "CONNECT a.test:443 HTTP/1.1\r\n\r\n"] {
            let (bytes, hosts) = try answer(Array(said.utf8), Self.access(ranges))
            #expect((hosts == 1) == isLetIn)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 403 Forbidden\r\nProxy-Status: headwind;") == !isLetIn, "\(text)")
        }
    }

    @Test func aReverseListenerLetsTheSameClientsIn() throws {
        for (range, hosts) in [("192.0.2.1", 1), ("192.0.2.2", 0)] {
            let link = try VirtualLink(.open, access: Self.access([range]))
            defer { link.stop() }
            _ = link.connect()
            link.advance(.seconds(1))
            #expect(link.hostCount == hosts && link.engine.connections.count == hosts)
        }
    }

    /// `phone:secret`, in Base64.
    private static let right = "cGhvbmU6c2VjcmV0"

    @Test(arguments: [
        ("Basic \(right)", true), ("basic \(right)", true), ("BASIC  \(right)", true), ("", false), ("Basic", false),
        ("Basic cGhvbmU6c2VjcmV", false), ("Basic cGhvbmU6c2VjcmV1", false), ("Basic cGhvbmU6c2VjcmV0IA==", false),
        ("Bearer \(right)", false), (right, false), ("Basic \(right) \(right)", false), ("Basic phone:secret", false),
        ("Basic cGhvbmU6", false),
    ])
    func requiresAPassword(value: String, isRight: Bool) throws {
        let access = try Self.access(auth: "phone:secret")
        for line in ["GET http://a.test/ HTTP/1.1", "CONNECT a.test:443 HTTP/1.1"] {
            let said = "\(line)\r\nHost: a.test\r\n\(value.isEmpty ? "" : "Proxy-Authorization: \(value)\r\n")\r\n"
            let (bytes, hosts) = try answer(Array(said.utf8), access)
            #expect((hosts == 1) == isRight, "\(line)")
            guard !isRight else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 407 Proxy Authentication Required\r\n"), "\(text)")
            #expect(text.contains("\r\nProxy-Authenticate: Basic realm=\"headwind\", charset=\"UTF-8\"\r\n"), "\(text)")
        }
    }

    @Test func twoPasswordFieldsAreRefused() throws {
        let field = "Proxy-Authorization: Basic \(Self.right)\r\n"
        let said = "GET http://a.test/ HTTP/1.1\r\n\(field)\(field)\r\n"
        #expect(try answer(Array(said.utf8), Self.access(auth: "phone:secret")).hosts == 0)
    }

    /// The password is for the proxy, and not for the server behind it.
    @Test func theServerDoesNotSeeThePassword() throws {
        let link = try VirtualLink(.open, access: Self.access(auth: "phone:secret"))
        defer { link.stop() }
        let client = link.connect(.forward)
        client.receive(Array("GET http://a.test/ HTTP/1.1\r\nProxy-Authorization: Basic \(Self.right)\r\n\r\n".utf8))
        link.advance(.seconds(1))
        #expect(String(decoding: link.host().sent(), as: UTF8.self).hasPrefix("GET / HTTP/1.1\r\nHost: a.test\r\n"))
    }

    private static func login(_ user: String, _ password: String, version: UInt8 = 1) -> [UInt8] {
        [version, UInt8(user.utf8.count)] + user.utf8 + [UInt8(password.utf8.count)] + password.utf8
    }

    private static let request: [UInt8] = [5, 1, 0, 3, 6] + Array("a.test".utf8) + [1, 187]
    private static let success: [UInt8] = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]

    private static let logins: [([UInt8], [UInt8])] = [
        ([5, 1, 2] + login("phone", "secret") + request, [5, 2, 1, 0] + success),
        ([5, 2, 0, 2] + login("phone", "secret") + request, [5, 2, 1, 0] + success),
        ([5, 1, 2] + login("phone", "secre1") + request, [5, 2, 1, 1]),
        ([5, 1, 2] + login("phon", "esecret") + request, [5, 2, 1, 1]),
        ([5, 1, 2] + login("", "") + request, [5, 2, 1, 1]),
        ([5, 1, 2] + login("phone", "secret", version: 5) + request, [5, 2, 1, 1]),
        // A client that offers no password method, and one that skips the login.
        ([5, 1, 0] + request, [5, 0xFF]), ([5, 1, 2] + request, [5, 2, 1, 1]),
    ]

    /// Logins by RFC 1929.
    @Test(arguments: logins) func socksRequiresThePassword(said: [UInt8], expected: [UInt8]) throws {
        let access = try Self.access(auth: "phone:secret")
        let (bytes, hosts) = try answer(said, access)
        #expect(bytes == expected && (hosts == 1) == (expected.suffix(10) == Self.success[...]))
        // Bytes that arrive one by one get the same answer.
        let link = try VirtualLink(.open, access: access)
        defer { link.stop() }
        let client = link.connect(.forward)
        for byte in said { client.receive([byte]) }
        link.advance(.seconds(1))
        #expect(client.sent() == expected)
    }

    @Test(arguments: ["", "phone", ":secret", "phone:", "phone:a\nb", String(repeating: "a", count: 256) + ":b"])
    func malformedCredentialsAreRefused(text: String) {
        #expect(throws: ProxyCredentialsError.self) { try ProxyCredentials(parsing: text) }
    }

    @Test func aPasswordMayHaveColons() throws {
        let credentials = try ProxyCredentials(parsing: "a:b:c")
        #expect(credentials.match(user: Array("a".utf8), password: Array("b:c".utf8)))
    }
}
