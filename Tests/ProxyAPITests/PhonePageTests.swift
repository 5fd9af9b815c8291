import Documents
import LinkModel
import ProxyAPI
import Scenarios
import SystemPackage
import Testing

@testable import ProxyLink

/// The page of a proxy, and who may use it.
@Suite(.timeLimit(.minutes(1)))
struct PhonePageTests {
    private static let reader = LinkRequestReader(
        library: ProfileLibrary(folder: FilePath(#filePath).pushing("../../../profiles").lexicallyNormalized()),
        started: Profile(name: "own"))

    private func with(
        listener: String = "0.0.0.0", asksPassword: Bool = false, _ body: (PhonePage, NamedProxies) async throws -> Void
    ) async throws {
        let profile = Profile(name: "own")
        try await withProxyLink(ProxyLinkConfiguration(profile: profile, forward: nil)) { link in
            let page = try PhonePage(
                proxies: link.named, started: profile, listener: Endpoint(host: listener, port: 8080),
                asksPassword: asksPassword
            ) { try Self.reader.read($0) }
            try await body(page, link.named)
        }
    }

    private func ask(
        _ page: PhonePage, _ request: String, host: String? = "192.0.2.1:8080", _ fields: [String: [String]] = [:]
    ) async -> APIResponse {
        let words = request.split(separator: " ").map(String.init)
        let hosts = host.map { ["host": [$0]] } ?? [:]
        return await page.answer(
            APIRequest(
                method: words[0], target: words[1], fields: hosts.merging(fields) { $1 }, client: "192.0.2.7",
                local: Endpoint(host: "192.0.2.1", port: 8080)))
    }

    private static let button = ["x-headwind": ["page"], "origin": ["http://192.0.2.1:8080"]]

    @Test func aButtonChangesTheLink() async throws {
        try await with { page, named in
            for (choice, profile) in [("3g", "3g"), ("lossy", "lossy"), ("offline", "offline"), ("back", "own")] {
                let answer = await ask(page, "POST /choose/main/\(choice)", Self.button)
                #expect(answer.status == 200 && answer.text.contains(#""profile":"\#(profile)""#), "\(answer.text)")
                let link = try await named.link("main")
                #expect(link.profile?.name == profile)
                #expect((link.conditions.offline != nil) == (choice == "offline"))
            }
        }
    }

    @Test func aLinkThatIsOfflineSaysSo() async throws {
        try await with { page, named in
            for (kind, profile) in [(OfflineKind.silent, "offline (silent)"), (nil, "own")] {
                _ = try await named.putLink("main", NamedLinkRequest([.offline(kind)]))
                let text = await ask(page, "GET /").text
                #expect(text.contains("data-profile=\"\(profile)\""), "\(text)")
            }
        }
    }

    private static let foreign: [(String, String?, [String: [String]])] = [
        // A foreign name that leads here.
        ("GET /", "evil.example", [:]), ("GET /", "evil.example:8080", [:]), ("GET /", nil, [:]), ("GET /", "", [:]),
        ("GET /", "proxy:8080", [:]), ("GET /", "proxy.example", [:]), ("GET /state", "evil.example", [:]),
        // Another site's page.
        ("GET /state", "192.0.2.1:8080", ["origin": ["http://evil.example"]]),
        ("GET /", "192.0.2.1:8080", ["origin": ["null"]]),
        ("GET /", "192.0.2.1:8080", ["origin": ["https://192.0.2.1:8080"]]),
        ("GET /", "192.0.2.1:8080", ["origin": ["http://192.0.2.1"]]),
        ("GET /", "192.0.2.1:8080", ["origin": ["http://192.0.2.1:8080", "http://evil.example"]]),
        // A form of another site, and a client that is not a browser.
        ("POST /choose/main/offline", "192.0.2.1:8080", [:]),
        ("POST /choose/main/offline", "192.0.2.1:8080", ["origin": ["http://192.0.2.1:8080"]]),
        ("POST /choose/main/offline", "192.0.2.1:8080", ["x-headwind": ["page"]]),
        ("POST /choose/main/offline", "192.0.2.1:8080", ["x-headwind": ["page"], "origin": ["http://evil.example"]]),
        ("POST /choose/main/offline", "192.0.2.1:8080", ["x-headwind": ["page"], "origin": ["null"]]),
        ("POST /choose/main/offline", "evil.example", ["x-headwind": ["page"], "origin": ["http://evil.example"]]),
        ("OPTIONS /choose/main/offline", "192.0.2.1:8080", ["access-control-request-method": ["POST"]]),
    ]

    @Test(arguments: foreign)
    func refusesRequestsOfOtherSites(request: String, host: String?, fields: [String: [String]]) async throws {
        try await with { page, named in
            let answer = await ask(page, request, host: host, fields)
            #expect(answer.status == 403, "\(answer.text)")
            let link = try await named.link("main")
            #expect(link.counters.generation == 0)
        }
    }

    @Test(arguments: ["GET /", "GET /page.js", "GET /state", "GET /none", "POST /choose/main/3g", "GET /proxy.pac"])
    func noAnswerIsForOtherSites(request: String) async throws {
        try await with { page, _ in
            let answer = await ask(page, request)
            let fields = Dictionary(answer.fields.map { ($0.name, $0.value) }) { $0 + $1 }
            #expect(fields["Content-Security-Policy"]?.hasPrefix("default-src 'none'; script-src 'self';") == true)
            #expect(fields["Content-Security-Policy"]?.contains("frame-ancestors 'none'") == true)
            #expect(fields["X-Frame-Options"] == "DENY" && fields["X-Content-Type-Options"] == "nosniff")
            #expect(!fields.keys.contains { $0.lowercased().hasPrefix("access-control-") })
        }
    }

    @Test(arguments: [
        ("GET /choose/main/3g", 405), ("GET /choose/main/none", 404), ("GET /choose/other/3g", 404), ("GET /none", 404),
        ("GET /../page.js", 404),
        ("POST /", 405), ("PUT /choose/main/3g", 405), ("GET /v2/links", 404), ("GET /page.css?a", 200),
    ])
    func pathsAndMethods(request: String, status: Int) async throws {
        try await with { page, _ in
            let answer = await ask(page, request, Self.button)
            #expect(answer.status == status)
            #expect(answer.fields.contains { $0.name == "Allow" } == (status == 405))
        }
    }

    /// A device gets the address by which it reached the page.
    @Test(arguments: [
        ("192.0.2.1:8080", "192.0.2.1:8080"), ("10.0.2.2:8080", "10.0.2.2:8080"), ("127.0.0.1:8080", "127.0.0.1:8080"),
        ("[2001:db8::1]:8080", "[2001:db8::1]:8080"), ("proxy", "192.0.2.1:8080"), ("proxy:80", "192.0.2.1:8080"),
    ])
    func theFileForDevicesNamesTheProxy(host: String, proxy: String) async throws {
        try await with { page, _ in
            let answer = await ask(page, "GET /proxy.pac", host: host)
            #expect(answer.contentType == "application/x-ns-proxy-autoconfig")
            #expect(answer.text.contains("return \"PROXY \(proxy)\";\n}"), "\(answer.text)")
            #expect(answer.text.split(separator: "DIRECT").count == 2)
        }
    }

    @Test func thePageSaysWhatToDo() async throws {
        try await with { page, _ in
            let text = await ask(page, "GET /").text
            for part in [
                "<code>http://192.0.2.1:8080/proxy.pac</code>", "<svg class=\"qr\"",
                "<title>http://192.0.2.1:8080/</title>",
                "-http-proxy http://127.0.0.1:8080", "10.0.2.2:8080", "data-profile=\"own\"", "Back to own</button>",
            ] {
                #expect(text.contains(part), "\(part)")
            }
            #expect(!text.contains("{{") && !text.contains("style=") && !text.contains("onclick"))
            // The page loads nothing from elsewhere.
            #expect(text.matches(of: /(src|href)="(?!data:|page\.|http:\/\/192\.0\.2\.1:8080\/")/).isEmpty)
        }
    }

    /// Nothing listens at 127.0.0.1 if the proxy has another address.
    @Test(arguments: [
        ("0.0.0.0", "127.0.0.1:8080", "10.0.2.2:8080"), ("::", "127.0.0.1:8080", "10.0.2.2:8080"),
        ("127.0.0.1", "127.0.0.1:8080", "10.0.2.2:8080"), ("::1", "[::1]:8080", "10.0.2.2:8080"),
        ("192.0.2.5", "192.0.2.5:8080", "192.0.2.5:8080"), ("2001:db8::5", "[2001:db8::5]:8080", "[2001:db8::5]:8080"),
    ])
    func anEmulatorIsToldWhereTheProxyListens(listener: String, emulator: String, inside: String) async throws {
        try await with(listener: listener) { page, _ in
            let text = await ask(page, "GET /").text
            #expect(text.contains("-http-proxy http://\(emulator)</code>"), "\(text)")
            #expect(text.contains("settings put global http_proxy \(inside)\n"), "\(text)")
        }
        try await with(listener: listener, asksPassword: true) { page, _ in
            let text = await ask(page, "GET /").text
            #expect(text.contains("-http-proxy http://USER:PASSWORD@\(emulator)</code>"), "\(text)")
            // The system's setting has no password.
            #expect(!text.contains("settings put global") && !text.contains("{{"), "\(text)")
        }
    }

    @Test func aPageThatNoPhoneReachesSaysSo() async throws {
        try await with(listener: "127.0.0.1") { page, _ in
            let text = await ask(page, "GET /", host: "localhost:8080").text
            #expect(text.contains("--listen 0.0.0.0:8080 --allow 192.168.1.0/24") && !text.contains("class=\"qr\""))
        }
    }

    @Test func theStateHasRates() async throws {
        try await with { page, _ in
            let answer = await ask(page, "GET /state")
            #expect(answer.contentType == "text/event-stream")
            var states = try #require(answer.events).makeAsyncIterator()
            let first = String(decoding: try #require(await states.next()), as: UTF8.self)
            #expect(first.hasPrefix("data: {") && first.hasSuffix("}\n\n"))
            let state = try JSONReader.read(String(first.dropFirst(6)))
            guard case .object(let members) = state.content else { return #expect(Bool(false)) }
            #expect(members.map(\.key) == ["milliseconds", "links"])
            #expect(first.contains(#""links":[{"name":"main","profile":"own","down":0,"up":0}]"#), "\(first)")
        }
    }
}
