import LinkModel
import Links
import ProxyLink
import SystemPackage
import Testbed
import Testing

/// A backend that puts a link between a client and a host: each of Headwind's, and one of the tests' own.
struct Backend: Sendable, CustomTestStringConvertible {
    let name: String
    let provider: any LinkProvider

    init(_ name: String, _ provider: any LinkProvider) { (self.name, self.provider) = (name, provider) }

    private init(_ backend: LinkBackend) { self.init(backend.rawValue, backend.provider) }

    static let all = LinkBackend.allCases.map { Backend($0) } + [Backend("direct", DirectBackend())]

    /// A machine that lacks nothing.
    static let machine = LinkMachine(
        sandboxes: .available(notes: []),
        kernel: KernelCapability(sandbox: .available(notes: []), parts: KernelPart.Kind.allCases.map { KernelPart($0) })
    )

    /// The backends that work here and have a property.
    ///
    /// The kernel's queues work where there is netem, as under Scripts/netem-test.
    static func here(having property: LinkProperty) -> [Backend] {
        all.filter { backend in
            guard isUnderNetem || backend.provider.sandbox != .router else { return false }
            if case .no = backend.provider.ability(for: property, on: machine) { return false }
            return true
        }
    }

    /// The backends that decide about each packet by its key, and answer for a host that cannot be reached.
    static let keyed = [LinkBackend.packet, .proxy].map { Backend($0) }

    var testDescription: String { name }

    /// Runs `body` with a link that is up, and a host that listens behind it.
    func withLink<Result>(
        _ profile: Profile, seed: UInt64 = 1, _ body: (LinkUnderTest) async throws -> Result
    ) async throws -> Result {
        // The queues must suit everything that a test may set.
        let silence = LinkFault(trigger: .time(.zero), effect: .offline(.silent))
        let setup = LinkSetup(profile: profile, faults: [silence], seed: seed)
        guard let kind = provider.sandbox else {
            let listener = try PlainSocket.make()
            defer { listener.close() }
            let port = try listener.listen()
            let host = Endpoint(host: "127.0.0.1", port: Int(port))
            let named = Endpoint(host: LinkUnderTest.name, port: Int(port))
            let place = LinkPlace.loopback(RouteTable(routes: [named: host], policy: .direct), targets: [host])
            return try await provider.withLink(setup, at: place) { link, entrance in
                try await body(
                    LinkUnderTest(
                        place: entrance.proxy.map { .proxy(UInt16($0.port)) } ?? .loopback, link: link,
                        listener: listener, address: host.host, port: port))
            }
        }
        var configuration = SandboxConfiguration()
        configuration.link = kind
        return try await withSandbox(configuration) { sandbox in
            try await provider.withLink(setup, at: .sandbox(sandbox)) { link, _ in
                let socket = try await sandbox.listen(on: .host)
                let listener = PlainSocket(socket.descriptor)
                defer { listener.close() }
                return try await body(
                    LinkUnderTest(
                        place: .sandbox(sandbox), link: link, listener: listener,
                        address: SandboxAddresses.hostIPv4, port: socket.port ?? 0))
            }
        }
    }
}
