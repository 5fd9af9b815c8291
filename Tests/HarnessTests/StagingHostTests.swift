import Foundation
import HostTLS
import Links
import PackFormat
import PackHost
import Results
import Scenarios
import SystemPackage
import Testing

@testable import Harness

/// Foreign hosts at this machine's loopback: each backend reaches them through the link.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(3)))
struct StagingHostTests {
    /// What a client meets there.
    enum Case: String, CaseIterable, Sendable {
        case address, ownClient, localhost, resolved, redirected, redirectedToName, secured, refused, silent

        /// The command, where `$BASE` is the host's URL; nil for the built-in client.
        var command: String? {
            switch self {
            case .ownClient: nil
            case .address, .localhost, .resolved, .silent, .refused: "curl -sSf -m 3 -o {output} '$BASE/level.bin'"
            case .redirected, .redirectedToName: "curl -sSfL -m 10 -o {output} '$BASE/level.bin'"
            case .secured: "curl -sSf -m 10 --cacert '$CA' -o {output} '$BASE/level.bin'"
            }
        }

        /// The name or address that the URL has.
        var name: String {
            switch self {
            case .address, .ownClient, .redirected, .redirectedToName, .refused, .silent: "127.0.0.1"
            case .localhost: "localhost"
            case .resolved, .secured: "staging.example"
            }
        }

        /// The exit status of curl(1); a proxy answers instead of a host that refuses.
        func status(over backend: LinkBackend) -> Int {
            switch self {
            case .address, .ownClient, .localhost, .resolved, .redirected, .redirectedToName, .secured: 0
            case .refused: backend == .proxy ? 22 : 7
            case .silent: 28
            }
        }
    }

    static let resolved = ["staging.example:127.0.0.1", "cdn.example:127.0.0.1"]

    @Test(arguments: Case.allCases, [LinkBackend.packet, .proxy])
    func isReachedThroughTheLink(meets: Case, backend: LinkBackend) async throws {
        try await Self.run(meets, backend) { bench, base, ca in
            let expected = meets.status(over: backend)
            let work =
                meets.command.map {
                    let line = $0.replacing("$BASE", with: base).replacing("$CA", with: ca)
                    return "workload: {command: \"\(line)\"}\nexpect: {exit: \(expected)}"
                } ?? "workload: [{request: {tags: [level.bin]}}]"
            var run = try bench.prepare("host: \(base)/\n\(work)")
            (run.backend, run.resolved) = (backend, try Self.resolved.map { try ResolvedName(parsing: $0) })
            let result = try await run.perform()
            #expect(result.exitCode == 0, "\(result.text)")
            let cell = try #require(result.cells.first)
            #expect(cell.link.backend == backend.rawValue, "\(result.text)")
            #expect(cell.farSide == .host && result.text.contains(FarSide.host.sentence), "\(result.text)")
            // The pack crossed the link, with its headers.
            let crossed = cell.attempts.first?.samples[.bytesOnWire].value ?? 0
            #expect(expected != 0 || (200_000..<240_000).contains(crossed), "\(crossed) B")
        }
    }

    /// Runs `body` with the case's host, the host's URL without a `/` at the end, and the file of its authority.
    private static func run(
        _ meets: Case, _ backend: LinkBackend, _ body: (Bench, String, String) async throws -> Void
    ) async throws {
        let bench = try Bench()
        let site = try Site.files(directory: bench.folder.appending("packs"))
        var configuration = HostConfiguration(site: site)
        let authority = RunAuthority()
        let ca = try bench.write("ca.pem", authority.certificatePEM.utf8).string
        if meets == .secured {
            configuration.security = .init(makeHandlers: try authority.handlerFactory(names: ["staging.example"]))
        }
        try await withPackHost(configuration) { host in
            let scheme = meets == .secured ? "https" : "http"
            func base(_ port: Int, _ name: String = meets.name) -> String { "\(scheme)://\(name):\(port)" }
            switch meets {
            case .address, .ownClient, .localhost, .resolved, .secured: try await body(bench, base(host.port), ca)
            case .redirected, .redirectedToName:
                let name = meets == .redirected ? meets.name : "cdn.example"
                var other = HostConfiguration(site: site)
                other.faults = [
                    try HostFault(parsing: "pack=level.bin redirect=\(base(host.port, name))/level.bin")
                ]
                try await withPackHost(other) { try await body(bench, base($0.port), ca) }
            case .refused:
                let socket = try ListeningDescriptor()
                socket.shutDown()
                try socket.descriptor.close()
                try await body(bench, base(socket.port), ca)
            case .silent:
                let socket = try FullListener()
                defer { socket.close() }
                try await body(bench, base(socket.port), ca)
            }
        }
    }

    /// The link between a client and a foreign host is the one that Headwind's own host has.
    @Test func theRateIsTheProfiles() async throws {
        let link = "link: {profile: 3g, fidelity: packet}\n"
        let command = "command: \"curl -sSf -o {output} "
        let bench = try Bench()
        // The host has an address here, as the other one: a name would take one more round trip.
        let own = try await bench.run(link + "workload: {\(command)http://10.77.1.2/level.bin\", pack: level.bin}")
        let configuration = HostConfiguration(site: try Site.files(directory: bench.folder.appending("packs")))
        try await withPackHost(configuration) { host in
            let base = "http://127.0.0.1:\(host.port)/"
            let other = try await bench.run(link + "host: \(base)\nworkload: {\(command)'\(base)level.bin'\"}")
            let times = [own, other].map { $0.cells[0].attempts.first?.samples[.timeToAvailable].value }
            let (ours, theirs) = (try #require(times[0]), try #require(times[1]))
            // 200 kB with their headers at 780 kbit/s, after at least two round trips of 200 ms.
            #expect(theirs > 200_000 * 8 / 780_000.0 + 0.4, "\(theirs) s")
            #expect(abs(theirs - ours) < 0.05 * ours, "\(theirs) s, and \(ours) s of a host of Headwind's own")
        }
    }

    /// With rates alone, which need no netem.
    @Test func theKernelsQueuesAreTheLink() async throws {
        try await Self.run(.address, .kernel) { bench, base, _ in
            var run = try bench.prepare(
                "link: {downlink: {rate: 4 Mbit/s}, uplink: {rate: 2 Mbit/s}}\nhost: \(base)/\n"
                    + "workload: {command: \"curl -sSf -o {output} '\(base)/level.bin'\"}\n"
                    + "budgets: {time_to_available: max <= 3 s}")
            run.backend = .kernel
            let result = try await run.perform()
            #expect(result.exitCode == 0 && result.cells[0].link.backend == "kernel", "\(result.text)")
            // Its bucket is 3000 B.
            let time = try #require(result.cells[0].attempts.first?.samples[.timeToAvailable].value)
            #expect(time > 197_000 * 8 / 4_000_000.0, "\(time) s")
        }
    }

    /// A client's own servers cannot be reached at 127.0.0.1, which leads to the host, but can at ::1.
    @Test func theClientsOwnServers() async throws {
        try await Self.run(.address, .packet) { bench, base, _ in
            let script = try bench.write(
                "own.py",
                Array(
                    """
                    import socket
                    ours, other = socket.create_server(("127.0.0.1", 0)), socket.create_server(
                        ("::1", 0), family=socket.AF_INET6)
                    socket.create_connection(other.getsockname()[:2], 5).close()
                    try:
                        socket.create_connection(ours.getsockname(), 5)
                    except ConnectionRefusedError:
                        print("this machine refused")
                    """.utf8))
            var run = try bench.prepare(
                "host: \(base)/\nworkload: {command: \"python3 \(script) && curl -sSf -o {output} \(base)/level.bin\"}\n"
                    + "expect: {exit: 0, output: this machine refused}")
            run.backend = .packet
            let result = try await run.perform()
            #expect(result.exitCode == 0, "\(result.text)")
        }
    }

    /// Without a way out of a sandbox, the proxy is the link.
    ///
    /// An error for the packet backend says what to install.
    @Test(arguments: [nil, "/bin/false"]) func aMachineWithoutTheWayOutUsesTheProxy(program: String?) async throws {
        let bench = try Bench()
        var dependencies = AttemptDependencies.quiet
        dependencies.outsideProgram = { program.map { FilePath($0) } }
        let text = "host: http://127.0.0.1:9/\nworkload: {command: 'true'}\nexpect: {exit: 0}\n"
        let why = "its host is not Headwind's, and a sandbox cannot reach it. "
        let what = program ?? "sudo apt-get install passt"
        for backend in [nil, LinkBackend.packet] {
            var run = try bench.prepare(text, dependencies: dependencies)
            run.backend = backend
            let result = try await run.perform()
            let cell = try #require(result.cells.first)
            if backend == nil {
                #expect(cell.link.backend == "proxy", "\(result.text)")
                let reason = try #require(cell.link.reason)
                #expect(reason.contains(why) && reason.contains(what), "\(reason)")
            } else {
                #expect(result.exitCode == 69 && result.text.contains(why), "\(result.text)")
                #expect(result.text.contains(what), "\(result.text)")
            }
        }
    }
}

/// A socket that listens and accepts nothing: connections beyond the first ones meet silence.
private struct FullListener {
    private let listener: ListeningDescriptor
    private let clients: [Int32]

    var port: Int { listener.port }

    init() throws {
        listener = try ListeningDescriptor()
        guard Glibc.listen(listener.descriptor.rawValue, 0) == 0 else { throw Errno(rawValue: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = UInt16(listener.port).bigEndian
        clients = (0..<3).map { _ in
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            let client = socket(AF_INET, kind, 0)
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            return client
        }
    }

    func close() {
        for client in clients { Glibc.close(client) }
        try? listener.descriptor.close()
    }
}
