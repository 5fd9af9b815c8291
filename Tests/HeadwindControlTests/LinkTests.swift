import Foundation
import FoundationNetworking
import Glibc
import Testing

@testable import HeadwindControl

/// The library as an app's test uses it, with the built `headwind proxy`.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct LinkTests {
    /// The program is beside the test program, or beside the test library that swift-testing's helper loads.
    static let program: String = {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let places = [link ?? "", CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? ""]
        let folders = places.map { URL(filePath: $0).deletingLastPathComponent().appending(path: "headwind").path }
        return folders.first { FileManager.default.isExecutableFile(atPath: $0) } ?? ".build/debug/headwind"
    }()

    /// Runs `body` with the address of a server that answers "hello".
    func withServer<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let server = Process()
        let output = Pipe()
        server.executableURL = URL(filePath: "/usr/bin/env")
        server.arguments = [
            "python3", "-c",
            """
            import http.server
            class Handler(http.server.BaseHTTPRequestHandler):
                def log_message(self, *words): pass
                def do_GET(self):
                    self.send_response(200); self.send_header("Content-Length", "5"); self.end_headers()
                    self.wfile.write(b"hello")
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
            print(server.server_address[1], flush=True)
            server.serve_forever()
            """,
        ]
        server.standardOutput = output
        try server.run()
        // Foundation starts the server with signals blocked, as they are in this thread.
        defer {
            kill(server.processIdentifier, SIGKILL)
            server.waitUntilExit()
        }
        let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        return try await body("127.0.0.1:\(port.trimmingCharacters(in: .whitespacesAndNewlines))")
    }

    func fetch(_ url: String, patience: TimeInterval = 20) async throws -> String {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = patience
        let url = try #require(URL(string: url))
        let (data, _) = try await URLSession(configuration: configuration).data(from: url)
        return String(decoding: data, as: UTF8.self)
    }

    @Test func aLinkEndsWithItsCancelledBlock() async throws {
        try await withStandingProxy(program: Self.program) { proxy in
            let (made, tell) = AsyncStream.makeStream(of: Link.self)
            let control = proxy.control
            let test = Task {
                try await control.withLink("3g", upstream: "127.0.0.1:9") { link in
                    tell.yield(link)
                    try await Task.sleep(for: .seconds(60))
                }
            }
            var links = made.makeAsyncIterator()
            let link = try #require(await links.next())
            test.cancel()
            await #expect(throws: CancellationError.self) { try await test.value }
            let error = await #expect(throws: ControlError.self) { try await link.status }
            #expect(error?.status == 404)
        }
    }

    @Test func aLinkEndsWithItsBlock() async throws {
        try await withServer { upstream in
            try await withStandingProxy(program: Self.program) { proxy in
                let left = try await proxy.control.withLink("lossy", upstream: upstream, seed: 7) { link in
                    #expect(try await fetch("http://\(link.address)/") == "hello")
                    let status = try await link.status
                    #expect(status.downlink.payloadBytes > 5 && status.connections.accepted == 1)
                    #expect(status.downlink.wireBytes > status.downlink.payloadBytes && status.generation == 1)
                    return link
                }
                let error = await #expect(throws: ControlError.self) { try await left.status }
                #expect(error?.status == 404)
                await #expect(throws: URLError.self) { try await fetch("http://\(left.address)/") }
            }
        }
    }

    @Test func changesOfALinkApply() async throws {
        try await withServer { upstream in
            try await withStandingProxy(program: Self.program) { proxy in
                try await proxy.control.withLink("lte", upstream: upstream) { link in
                    let address = "http://\(link.address)/"
                    try await link.offline(.refused)
                    await #expect(throws: URLError.self) { try await fetch(address) }
                    try await link.online()
                    #expect(try await fetch(address) == "hello")
                    try await link.offline(.silent)
                    await #expect(throws: URLError.self) { try await fetch(address, patience: 1) }
                    try await link.follow("wifi")
                    #expect(try await fetch(address) == "hello")
                    try await link.set(
                        Conditions(
                            downlink: .init(
                                rate: "1 Mbit/s", delay: "20 ms", jitter: "5 ms", loss: "0.1 %", queue: "50 kB"),
                            uplink: .init(rate: "1 Mbit/s"), dnsDelay: "10 ms"))
                    #expect(try await fetch(address) == "hello")
                    try await link.setToxics([Toxic("limit_data", ["bytes": 10])])
                    await #expect(throws: URLError.self) { try await fetch(address) }
                    try await link.setToxics([])
                    #expect(try await fetch(address) == "hello")
                    #expect(try await link.status.generation == 6)
                }
            }
        }
    }

    /// Attributes of toxics are numbers or texts.
    @Test func aProfileToxicIsSetAndRemoved() async throws {
        try await withStandingProxy(program: Self.program) { proxy in
            try await proxy.control.withLink("wifi", upstream: "127.0.0.1:9") { link in
                try await link.setToxics([Toxic("profile", ["profile": "3g"]), Toxic("limit_data", ["bytes": 10])])
                let set = try #require(try await proxy.control.proxies[link.name])
                #expect(set.toxics.map(\.type) == ["profile", "limit_data"])
                #expect(set.toxics.last?.name == "limit_data_downstream" && set.toxics.last?.attributes["bytes"] == 10)
                try await link.setToxics([])
                #expect(try await proxy.control.proxies[link.name]?.toxics == [])
            }
        }
        let toxic = Toxic("profile", ["text": "3g", "whole": 1, "fraction": 1.5])
        #expect(try JSONDecoder().decode(Toxic.self, from: JSONEncoder().encode(toxic)) == toxic)
    }

    /// Seeds derive from names, so names are not random.
    @Test func eachRunHasTheSameNames() async throws {
        let upstream = "127.0.0.1:9"
        for _ in 0..<2 {
            try await withStandingProxy(options: ["--seed", "7"], program: Self.program) { proxy in
                try await proxy.control.withLink("lossy", upstream: upstream, seed: 5) { first in
                    try await proxy.control.withLink("lossy", upstream: upstream, seed: 6) { second in
                        try await proxy.control.withLink("lossy", upstream: upstream) { third in
                            #expect([first.name, second.name, third.name] == ["swift 1", "swift 2", "swift 3"])
                        }
                    }
                }
                // A link of somebody else stays.
                try await proxy.control.putLink("theirs", profile: "3g", seed: 1)
                await #expect(throws: ControlError.self) {
                    try await proxy.control.withLink("4g", upstream: upstream, name: "theirs") { _ in }
                }
                #expect(try await proxy.control.links["theirs"]?.status.generation == 1)
                try await proxy.control.withLink("lossy", upstream: upstream, name: "a/b") { link in
                    #expect(link.name == "a/b")
                }
            }
        }
    }

    /// Apple's platforms have neither Glibc nor FoundationNetworking.
    @Test func otherModulesAreImportedOnlyWhereTheyExist() throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../Sources/HeadwindControl").standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.allSatisfy { !$0.hasPrefix("import ") || $0 == "import Foundation" }, "\(file.path)")
        }
    }

    @Test func theProxysOwnListenerHasALink() async throws {
        try await withStandingProxy(options: ["--profile", "3g"], program: Self.program) { proxy in
            #expect(proxy.address.hasPrefix("127.0.0.1:"))
            try await proxy.link.offline()
            #expect(try await proxy.link.status.generation == 1)
            #expect(try await fetch("http://\(proxy.address)/proxy.pac").contains("PROXY \(proxy.address)"))
        }
    }

    @Test func anErrorSaysWhy() async throws {
        try await withStandingProxy(program: Self.program) { proxy in
            for (profile, upstream, says) in [
                ("5g", "127.0.0.1:1", "there is no profile '5g'; did you mean '3g'?"), ("3g", "nowhere", "nowhere"),
            ] {
                let error = await #expect(throws: ControlError.self) {
                    try await proxy.control.withLink(Profile(profile), upstream: upstream) { _ in }
                }
                #expect(error?.status == 400 && error?.message.contains(says) == true, "\(String(describing: error))")
            }
        }
        let error = await #expect(throws: ControlError.self) {
            try await withStandingProxy(options: ["--profile", "5g"], program: Self.program) { _ in }
        }
        #expect(error?.message.contains("there is no profile '5g'") == true, "\(String(describing: error))")
        let missing = await #expect(throws: ControlError.self) {
            try await withStandingProxy(program: "/nowhere/headwind") { _ in }
        }
        let advice = "Install Headwind, or set HEADWIND to the path of its program"
        #expect(missing?.message.hasSuffix(advice) == true, "\(String(describing: missing))")
    }

    @Test(arguments: ["", "ftp://127.0.0.1:1", "http://127.0.0.1", "127.0.0.1", "a b:80", "http://:80"])
    func anInvalidAddressIsRefused(address: String) {
        #expect(throws: ControlError.self) { try Control(address: address) }
    }

    @Test func theEnvironmentNamesAProxy() async throws {
        #expect(try Control(environment: [:]) == nil && Control(environment: ["HEADWIND_CONTROL": ""]) == nil)
        try await withStandingProxy(program: Self.program) { proxy in
            let environment = ["HEADWIND_CONTROL": proxy.controlAddress]
            let control = try #require(try Control(environment: environment))
            let status = try await control.main().status
            #expect(status.generation == 0)
        }
    }

    @Test(arguments: [
        ([:], true), (["http_proxy": ""], true), (["http_proxy": "http://127.0.0.1:8080"], false),
        (["ALL_PROXY": "http://127.0.0.1:8080", "no_proxy": "127.0.0.2"], false),
        (["http_proxy": "http://127.0.0.1:8080", "no_proxy": "localhost, 127.0.0.1"], true),
        (["http_proxy": "http://127.0.0.1:8080", "NO_PROXY": "*"], true), (["https_proxy": "http://a:1"], true),
    ])
    func aProxyInTheEnvironmentIsRefused(environment: [String: String], isWay: Bool) throws {
        do {
            try Control.checkWay(to: "127.0.0.1", environment)
            #expect(isWay)
        } catch let error as ControlError {
            #expect(!isWay && error.message.hasSuffix("Add 127.0.0.1 to the variable 'no_proxy'."), "\(error)")
        }
    }

    /// If its block throws, the proxy ends too, and the block's error is thrown.
    @Test func nothingIsLeft() async throws {
        struct Own: Error {}
        var address = ""
        await #expect(throws: Own.self) {
            try await withStandingProxy(options: ["--profile", "3g"], program: Self.program) { proxy in
                address = proxy.address
                throw Own()
            }
        }
        await #expect(throws: URLError.self) { try await fetch("http://\(address)/") }
    }
}
