import ProxyAPI
import ProxyLink
import Testing

/// Who may use the API, and which requests it accepts.
@Suite(.timeLimit(.minutes(1)))
struct GuardTests {
    @Test(arguments: [
        (["user-agent": ["Mozilla/5.0 (X11; Linux x86_64)"]], 403), (["user-agent": ["toxiproxy-cli/2 linux/go"]], 200),
        (["origin": ["http://evil.example"]], 403), (["origin": ["null"]], 403),
        (["host": ["evil.example"]], 403), (["host": ["evil.example:8474"]], 403), (["host": ["a", "b"]], 403),
        (["host": []], 403), (["host": ["127.0.0.1"]], 200), (["host": ["[::1]:8474"]], 200),
        (["host": ["localhost:8474"]], 200), (["host": ["toxiproxy:8474"]], 200),
        (["host": ["host.docker.internal:8474"]], 200), (["host": ["192.0.2.1:8474"]], 200),
    ])
    func refusesPagesInBrowsers(fields: [String: [String]], status: Int) async throws {
        try await APIClient.with { client in
            let answer = try await client.ask("GET /proxies", fields: fields)
            #expect(answer.status == status, "\(answer.text)")
        }
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("::1", true), ("::ffff:127.0.0.1", true), ("127.9.9.9", true), (nil, false),
        ("192.0.2.7", true), ("::ffff:192.0.2.7", true), ("192.0.3.7", false), ("198.51.100.1", true),
        ("198.51.100.2", false), ("2001:db8:1::5", true), ("2001:db8:2::5", false), ("nonsense", false),
    ])
    func admitsRemoteClientsByAddress(address: String?, isIn: Bool) async throws {
        let ranges = try ["192.0.2.0/24", "198.51.100.1", "2001:db8:1::/48"].map { try AddressRange(parsing: $0) }
        try await APIClient.with(allowed: ranges) { client in
            let answer = try await client.ask("GET /version", client: address)
            #expect(answer.status == (isIn ? 200 : 403))
        }
    }

    @Test func everyAddressIsARangeToo() throws {
        let all = try AddressRange(parsing: "0.0.0.0/0")
        #expect(all.contains("203.0.113.5") && !all.contains("2001:db8::1"))
        for text in ["", "a", "1.2.3.4/33", "1.2.3.4/", "1.2.3.4/-1", "::/129", "1.2.3", "1.2.3.4/8/8"] {
            #expect(throws: AddressRangeError.self) { try AddressRange(parsing: text) }
        }
    }

    @Test(arguments: [
        ("application/json", 201), ("application/json; charset=utf-8", 201), ("application/x-www-form-urlencoded", 201),
        ("text/plain", 201), ("application/vnd.api+json", 201), ("multipart/form-data; boundary=a", 415),
        ("application/xml", 415), ("image/png", 415),
    ])
    func otherContentTypesAreRefused(type: String, status: Int) async throws {
        try await APIClient.with { client in
            let answer = try await client.ask(
                "POST /proxies", #"{"name": "a", "upstream": "b:1"}"#, fields: ["content-type": [type]])
            #expect(answer.status == status)
        }
    }

    @Test func bodiesAreNotCompressed() async throws {
        try await APIClient.with { client in
            let answer = try await client.ask("POST /populate", "[]", fields: ["content-encoding": ["gzip"]])
            #expect(answer.status == 415)
        }
    }

    @Test(arguments: [
        ("[]", nil), ("{}", "a list of proxies"), ("[1]", "an object"), ("", "line 1, column 1"),
        (#"[{"name": "a"}]"#, "missing required field: upstream at proxy 1"),
        (#"[{"name": "a", "upstream": "b:1"}, {"name": "a", "upstream": "b:1"}]"#, "is listed twice"),
    ])
    func aFileOfToxiproxysServerIsRead(text: String, problem: String?) {
        do throws(ToxiproxyFile.Unreadable) {
            let read = try ToxiproxyFile.read(Array(text.utf8))
            #expect(problem == nil && read.isEmpty)
        } catch {
            #expect(problem.map { error.description.contains($0) } == true, "\(error)")
        }
    }

    @Test func theExampleOfToxiproxysDocumentationIsRead() throws {
        let text = #"""
            [
              {"name": "web_dev_frontend_1", "listen": "[::]:18080", "upstream": "webapp.domain:8080", "enabled": true},
              {"name": "web_dev_mysql_1", "listen": "[::]:13306", "upstream": "database.domain:3306", "enabled": false}
            ]
            """#
        let read = try ToxiproxyFile.read(Array(text.utf8))
        #expect(
            read.map(\.name) == ["web_dev_frontend_1", "web_dev_mysql_1"] && read.map(\.isEnabled) == [true, false])
        #expect(read[1].listen == "[::]:13306" && read[1].upstream == "database.domain:3306")
    }
}
