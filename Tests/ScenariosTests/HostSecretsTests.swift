import Redaction
import Scenarios
import Testing

/// The secrets in what a run sends to a foreign host.
@Suite struct HostSecretsTests {
    /// The secrets of a host that a scenario describes.
    private static func secrets(_ host: String, token: String? = nil) throws -> Set<String> {
        let cell = try scenario("scenario: A test\nlink: 3g\nhost: {\(host)}\nworkload: {command: 'true'}\n").cells[0]
        guard case .host(let host) = cell.content else {
            Issue.record("no host")
            return []
        }
        var secrets = HostSecrets()
        secrets.add(host, token: token)
        return Set(secrets.values)
    }

    @Test(
        arguments: [
            ("url: 'http://a.example/'", []),
            ("url: 'http://bob:pw1234@a.example/m.plist'", ["bob:pw1234", "pw1234"]),
            ("url: 'http://headwind@a.example/m.plist'", []),
            ("url: 'http://t0ken99@a.example/m.plist'", ["t0ken99"]),
            ("url: 'http://b:p%2Fw123@a.example/m'", ["b:p%2Fw123", "p%2Fw123", "b:p/w123", "p/w123"]),
            ("url: 'http://a.example/m?v=2&sig=abcdef&user=bob&x=a1b2c3'", ["abcdef", "a1b2c3"]),
            ("url: 'http://a.example/', tag-table: 'http://a.example/t?token=abcdef'", ["abcdef"]),
            ("url: 'http://a.example/', headers: {Authorization: Bearer abc.def}", ["Bearer abc.def", "abc.def"]),
            (
                "url: 'http://a.example/', headers: {Authorization: Basic Ym9iOnB3MTIzNA==}",
                ["Basic Ym9iOnB3MTIzNA==", "Ym9iOnB3MTIzNA==", "bob:pw1234", "pw1234"]
            ),
            (
                "url: 'http://a.example/', headers: {Cookie: a=one111; b=two222}",
                ["a=one111; b=two222", "one111", "two222"]
            ),
            ("url: 'http://a.example/', headers: {X-Api-Key: letters}", ["letters"]),
            ("url: 'http://a.example/', headers: {X-Vault: hunter2}", ["hunter2"]),
            ("url: 'http://a.example/', headers: {X-Team: games, User-Agent: Game/1.0 (Linux), X-Build: '20261'}", []),
        ] as [(String, Set<String>)])
    func known(_ host: String, _ expected: Set<String>) throws {
        #expect(try Self.secrets(host) == expected)
        #expect(try Self.secrets(host, token: "t0ken-value") == expected.union(["t0ken-value"]))
    }
}
