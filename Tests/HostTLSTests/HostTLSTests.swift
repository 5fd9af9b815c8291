import Glibc
import HostTLS
import NIOPosix
import PackHost
import SystemPackage
import Testing

@testable import PackFormat

/// Packs over TLS, fetched by curl, which verifies with OpenSSL.
@Suite("TLS host", .timeLimit(.minutes(1)))
struct HostTLSTests {
    @Test func servesByAddressAndByName() async throws {
        let results = try await TLSHost.with { host, authority in
            #expect(host.url == "https://127.0.0.1:\(host.port)")
            return [
                try await curl("--cacert", authority, "\(host.url)/pack"),
                try await curl(
                    "--cacert", authority, "--resolve", "packs.example:\(host.port):127.0.0.1",
                    "https://packs.example:\(host.port)/pack"),
            ]
        }
        #expect(results.map(\.status) == [0, 0])
        #expect(results.allSatisfy { $0.output == TLSHost.pack })
    }

    @Test func servesARangeAndKeepsTheConnection() async throws {
        let result = try await TLSHost.with { host, authority in
            try await curl(
                "--cacert", authority, "--range", "1000-1999", "\(host.url)/pack", "\(host.url)/pack",
                "--write-out", "%{http_code} %{num_connects};")
        }
        let part = Array(TLSHost.pack[1000..<2000])
        #expect(result.output == part + "206 1;".utf8 + part + "206 0;".utf8)
    }

    /// The second connection has no fault; curl measures the connection that it made.
    @Test func answersAHandshakeLater() async throws {
        let faults = [try HostFault(parsing: "try=1 slow-tls=500ms"), try HostFault(parsing: "try=1 slow-tls=200ms")]
        let (results, lines) = try await TLSHost.with(faults: faults) { host, authority in
            var results: [Outcome] = []
            for _ in 1...2 {
                results.append(
                    try await curl(
                        "--cacert", authority, "\(host.url)/pack", "--output", "/dev/null", "--write-out",
                        "%{time_connect} %{time_appconnect}"))
            }
            var lines: [String] = []
            for await event in host.events {
                if case .fault(let line) = event.kind { lines.append(line) }
                if case .finished = event.kind, event.connection == 2 { break }
            }
            return (results, lines)
        }
        let times = results.map {
            String(decoding: $0.output, as: UTF8.self).split(separator: " ").compactMap { Double($0) }
        }
        #expect(results.map(\.status) == [0, 0] && times.map(\.count) == [2, 2])
        #expect(times[0][1] - times[0][0] >= 0.69)
        #expect(lines == ["L1 TLS * from=0 try=1 slow-tls=500ms", "L1 TLS * from=0 try=1 slow-tls=200ms"])
    }

    /// The time of a fault does not count as idle, and a client that leaves meanwhile is closed.
    @Test func aHandshakeMayStayUnanswered() async throws {
        try await TLSHost.with(faults: [try HostFault(parsing: "slow-tls=1h")]) { host, authority in
            let result = try await curl("--cacert", authority, "--max-time", "1", "\(host.url)/pack")
            #expect(result.status == 28)
            for await event in host.events {
                guard case .closed(let end) = event.kind else { continue }
                #expect(end.cause != .idle && end.received > 0)
                #expect(end.sent == 0, "\(end.cause)")
                break
            }
        }
    }

    @Test func withoutTLSThereIsNoHandshake() async throws {
        for text in ["slow-tls=1s", "pack=tag slow-tls=1s"] {
            var configuration = HostConfiguration(site: Site(manifest: [], tagTable: nil, packs: []))
            configuration.faults = [try HostFault(parsing: text)]
            if text.hasPrefix("pack") { configuration.security = .init { [] } }
            await #expect(throws: HostError.self) { try await withPackHost(configuration) { _ in } }
        }
    }

    @Test(
        arguments: [
            (TLSFault.expired, 60), (.notYetValid, 60), (.wrongName, 60), (.unknownAuthority, 60), (.cutHandshake, 35),
        ] as [(TLSFault, Int32)])
    func failsOnPurpose(fault: TLSFault, status: Int32) async throws {
        try await TLSHost.with(fault: fault) { host, authority in
            let trusting = try await curl("--cacert", authority, "\(host.url)/pack", "--output", "/dev/null")
            #expect(trusting.status == status)
            // Only the certificate is wrong, and nothing else.
            let careless = try await curl("--insecure", "\(host.url)/pack")
            #expect(careless.status == (fault == .cutHandshake ? 35 : 0))
            #expect(careless.output == (fault == .cutHandshake ? [] : TLSHost.pack))
        }
    }

    @Test func isNotTrustedWithoutItsAuthority() async throws {
        let result = try await TLSHost.with { host, _ in try await curl("\(host.url)/pack") }
        #expect(result.status == 60)
    }

    @Test(
        arguments: [
            ("cut@200000", 200_000, 18), ("cut@200000 rst", 200_000, 56), ("cut@1", 1, 18),
            ("corrupt@150000", 300_000, 0),
        ] as [(String, Int, Int32)])
    func playsFaultsAtTheSameBytes(notation: String, count: Int, status: Int32) async throws {
        let fault = try HostFault(parsing: "pack=tag \(notation)")
        let result = try await TLSHost.with(faults: [fault]) { host, authority in
            try await curl("--cacert", authority, "\(host.url)/pack")
        }
        var expected = Array(TLSHost.pack[..<count])
        if status == 0 { expected[150_000] ^= 1 }
        #expect(result.status == status)
        #expect(result.output == expected)
    }

    @Test func servesOthersAfterAClientWithoutTLS() async throws {
        try await TLSHost.with { host, authority in
            let plain = try await curl("http://127.0.0.1:\(host.port)/pack", "--output", "/dev/null")
            #expect(plain.status != 0)
            let secured = try await curl("--cacert", authority, "\(host.url)/pack")
            #expect(secured.output == TLSHost.pack)
        }
    }

    @Test func needsAName() {
        #expect(throws: TLSError.self) { try RunAuthority().handlerFactory(names: []) }
    }
}

/// A host with one pack, `/pack`, and TLS.
enum TLSHost {
    static let pack = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }

    /// Runs a TLS host of one pack; `body` gets the host and the file of its authority's certificate.
    static func with<Result>(
        names: [String] = ["127.0.0.1", "packs.example"], fault: TLSFault? = nil, faults: [HostFault] = [],
        offersHTTP2: Bool = false,
        _ body: (PackHost, _ authority: String) async throws -> Result
    ) async throws -> Result {
        let authority = RunAuthority()
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write("pack", Self.pack)
        let certificate = try folder.write("ca.pem", Array(authority.certificatePEM.utf8))
        let pack = ServedPack(
            identifier: "pack", path: "/pack", file: FilePath(file), size: Int64(Self.pack.count), sha256: "00",
            tags: ["tag"])
        var configuration = HostConfiguration(site: Site(manifest: Array("<m/>".utf8), tagTable: nil, packs: [pack]))
        configuration.faults = faults
        configuration.security = .init(
            offersHTTP2: offersHTTP2,
            makeHandlers: try authority.handlerFactory(names: names, fault: fault, offersHTTP2: offersHTTP2))
        return try await withPackHost(configuration) { try await body($0, certificate) }
    }
}

/// What a program printed, and its exit status.
struct Outcome: Sendable {
    let status: Int32
    let output: [UInt8]
}

/// Runs curl (`apt-get install curl`) with a deadline of 10 s, without the user's configuration or proxies.
func curl(_ arguments: String...) async throws -> Outcome { try await curl(arguments) }

func curl(_ arguments: [String]) async throws -> Outcome {
    let command =
        ["exec", "curl", "-q", "--silent", "--noproxy", "'*'", "--max-time", "10"]
        + arguments.map { "'" + $0.replacing("'", with: "'\\''") + "'" }
    return try await NIOThreadPool.clients.runIfActive { run(command.joined(separator: " ")) }
}

/// Runs a shell command.
func run(_ command: String) -> Outcome {
    guard let pipe = popen(command, "r") else { return Outcome(status: -1, output: []) }
    var output: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 64 << 10)
    while case let count = fread(&block, 1, block.count, pipe), count > 0 { output += block[..<count] }
    return Outcome(status: pclose(pipe) >> 8 & 0xff, output: output)
}

extension NIOThreadPool {
    /// Threads for blocking clients, separate from those on which hosts open files.
    static let clients: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 4)
        pool.start()
        return pool
    }()
}
