import Glibc
import Harness
import LinkModel
import PacketLink
import ProxyLink
import SystemPackage
import Testbed
import Testing

/// What puts a link between a client and a host.
enum Backend: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case packet
    case kernel
    case proxy

    /// Those that are here: the kernel's queues where there is netem, as under Scripts/netem-test.
    static let here: [Backend] = isUnderNetem ? allCases : keyed
    /// Those that decide about each packet by itself, and answer for a host that cannot be reached.
    static let keyed: [Backend] = [.packet, .proxy]

    var testDescription: String { rawValue }

    /// Runs `body` with a link that is up, and with a host that listens behind it.
    func withLink<Result>(
        _ profile: Profile, seed: UInt64 = 1, _ body: (LinkUnderTest) async throws -> Result
    ) async throws -> Result {
        switch self {
        case .packet:
            return try await withSandbox { sandbox in
                let configuration = PacketLinkConfiguration(profile: profile, seed: seed)
                let routes = try await sandbox.clientRoutes()
                return try await withPacketLink(
                    configuration, client: sandbox.clientTUN, host: sandbox.hostTUN,
                    tellRoute: { routes.set(hasRoute: $0) }
                ) { link in
                    let socket = try await sandbox.listen(on: .host)
                    let listener = PlainSocket(socket.descriptor)
                    defer { listener.close() }
                    return try await body(
                        LinkUnderTest(
                            place: .sandbox(sandbox), link: link, listener: listener,
                            address: SandboxAddresses.hostIPv4, port: socket.port ?? 0))
                }
            }
        case .kernel:
            var configuration = SandboxConfiguration()
            configuration.link = .router
            // Queues are there for all that may be asked of them.
            let silence = LinkFault(trigger: .time(.zero), effect: .offline(.silent))
            return try await withSandbox(configuration) { sandbox in
                try await sandbox.withKernelSession(LinkSetup(profile: profile, faults: [silence], seed: seed)) {
                    link in
                    let socket = try await sandbox.listen(on: .host)
                    let listener = PlainSocket(socket.descriptor)
                    defer { listener.close() }
                    return try await body(
                        LinkUnderTest(
                            place: .sandbox(sandbox), link: link, listener: listener,
                            address: SandboxAddresses.hostIPv4, port: socket.port ?? 0))
                }
            }
        case .proxy:
            let listener = try PlainSocket.make()
            defer { listener.close() }
            let port = try listener.listen()
            let host = Endpoint(host: "127.0.0.1", port: Int(port))
            let named = Endpoint(host: LinkUnderTest.name, port: Int(port))
            let configuration = ProxyLinkConfiguration(
                profile: profile, seed: seed, routes: RouteTable(routes: [named: host], policy: .direct))
            return try await withProxyLink(configuration) { link in
                try await body(
                    LinkUnderTest(
                        place: .proxy(UInt16(link.forwardAddress?.port ?? 0)), link: link, listener: listener,
                        address: "127.0.0.1", port: port))
            }
        }
    }
}
