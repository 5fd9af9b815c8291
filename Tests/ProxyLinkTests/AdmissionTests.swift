import LinkModel
import NIOCore
import Testing

@testable import ProxyLink

/// Where clients may go, by the address to which a target resolves.
struct AdmissionTests {
    /// The verdict on a client at `client` of a link whose control API listens at `control`; nil admits it.
    private func verdict(
        _ address: String, _ port: Int = 9000, asked: String? = nil, client: String = "192.0.2.7",
        control: String = "127.0.0.1:8081", allowed: [String] = [], isGiven: Bool = false
    ) throws -> Denial? {
        let admission = Admission(
            target: Endpoint(host: asked ?? address, port: port), client: try SocketAddress(ipAddress: client, port: 5),
            isGiven: isGiven, apis: [try Endpoint(parsing: control)],
            allowed: Set(try allowed.map { try Endpoint(parsing: $0, defaultPort: 0) }))
        let place = try SocketAddress(ipAddress: address, port: port)
        do throws(Denial) {
            try admission.check(place)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("127.0.0.1:8081", "127.0.0.1"), ("127.0.0.1:8081", "0.0.0.0"), ("127.0.0.1:8081", "::ffff:127.0.0.1"),
        ("127.0.0.1:8081", "::ffff:0.0.0.0"), ("[::1]:8081", "::1"), ("[::1]:8081", "::"),
        ("0.0.0.0:8081", "127.0.0.1"),
        ("0.0.0.0:8081", "127.0.0.2"), ("0.0.0.0:8081", "::ffff:127.9.9.9"), ("[::]:8081", "::1"),
        ("[::]:8081", "127.0.0.1"), ("[::]:8081", "0.0.0.0"), ("192.0.2.1:8081", "192.0.2.1"),
        ("192.0.2.1:8081", "::ffff:192.0.2.1"),
    ])
    func theControlAPICannotBeReached(control: String, address: String) throws {
        for client in ["127.0.0.1", "::1", "192.0.2.7"] {
            for isGiven in [false, true] {
                let allowed = ["localhost", address.contains(":") ? "[\(address)]" : address]
                let denial = try verdict(
                    address, 8081, client: client, control: control, allowed: allowed, isGiven: isGiven)
                #expect(denial == .control)
            }
            #expect(try verdict(address, 8082, client: client, control: control) != .control)
        }
    }

    private static let own = ["127.0.0.1", "127.8.8.8", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1"]
    private static let links = ["169.254.169.254", "fe80::1", "febf::1", "::ffff:169.254.0.1"]

    @Test(arguments: own + links)
    func keepsRemoteClientsFromThisMachine(address: String) throws {
        #expect(try verdict(address) == .thisMachine(Endpoint(host: address, port: 9000)))
        for client in ["127.0.0.1", "127.0.0.9", "::1", "::ffff:127.0.0.1"] {
            #expect(try verdict(address, client: client) == nil)
        }
        // The target of a reverse listener, or of a route.
        #expect(try verdict(address, isGiven: true) == nil)
    }

    @Test func theAddressesOfInterfacesAreThisMachines() throws {
        let devices = try System.enumerateDevices().compactMap { $0.address?.ipAddress }
        try #require(!devices.isEmpty)
        for address in devices {
            #expect(try verdict(address) != nil, "\(address)")
            #expect(try verdict(address, client: address) == nil, "\(address)")
        }
    }

    @Test(arguments: ["192.0.2.9", "10.0.0.1", "2001:db8::1", "fec0::1", "168.254.0.1"])
    func otherAddressesAreReached(address: String) throws { #expect(try verdict(address) == nil) }

    @Test(
        arguments: [
            ("127.0.0.1:9000", "127.0.0.1", nil, true), ("127.0.0.1", "127.0.0.1", nil, true),
            ("127.0.0.1:9001", "127.0.0.1", nil, false), ("127.0.0.2:9000", "127.0.0.1", nil, false),
            ("127.0.0.1:9000", "::ffff:127.0.0.1", nil, true), ("[::ffff:127.0.0.1]:9000", "127.0.0.1", nil, true),
            ("[0:0:0:0:0:0:0:1]:9000", "::1", nil, true), ("localhost:9000", "127.0.0.1", nil, true),
            ("localhost", "::1", nil, true), ("localhost:9000", "169.254.0.1", nil, false),
            ("dev.test:9000", "127.0.0.1", "dev.test", true), ("Dev.Test", "127.0.0.1", "DEV.test", true),
            ("dev.test:9000", "127.0.0.1", "evil.test", false), ("dev.test:9000", "127.0.0.1", nil, false),
        ] as [(String, String, String?, Bool)])
    func allowedTargetsAreReached(allowed: String, address: String, asked: String?, isReached: Bool) throws {
        let denial = try verdict(address, asked: asked, allowed: [allowed])
        #expect((denial == nil) == isReached)
    }

    /// The connection is refused before it is made, in the terms of each protocol.
    @Test(arguments: ["127.0.0.1", "localhost", "0.0.0.0"])
    func aRealLinkDoesNotConnectToItsControlAPI(host: String) async throws {
        var configuration = ProxyLinkConfiguration(profile: .open, routes: RouteTable(policy: .direct))
        configuration.control = ControlConfiguration(listen: .anyLoopbackPort) { _ in throw ProxyLinkError.closed }
        try await withProxyLink(configuration) { link in
            let port = try #require(link.controlAddress).port
            let client = try await link.connectToProxy()
            try await client.send("GET http://\(host):\(port)/v1/link HTTP/1.1\r\n\r\n")
            #expect(
                await client.receiveAllText().hasPrefix(
                    """
                    HTTP/1.1 403 Forbidden\r
                    Proxy-Status: headwind; error=http_request_denied; \
                    details="The proxy does not connect to its own control API."\r

                    """))
            let socks = try await link.connectToProxy()
            try await socks.send([5, 1, 0, 5, 1, 0, 3, UInt8(host.utf8.count)] + Array(host.utf8))
            try await socks.send([UInt8(port >> 8), UInt8(port & 0xFF)])
            #expect(await socks.receiveAll().bytes == [5, 0, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0])
        }
    }
}
