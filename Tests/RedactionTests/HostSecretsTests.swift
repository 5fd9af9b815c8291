import Redaction
import Testing

/// The secrets in what is sent to a foreign host; hosts of scenarios are in HarnessTests.
@Suite struct HostSecretsTests {
    /// The values of `--header`.
    @Test(
        arguments: [
            ("Authorization: Bearer abc.def", ["Bearer abc.def", "abc.def"]),
            ("X-Vault:hunter2", ["hunter2"]), (" X-Api-Key :  letters ", ["letters"]),
            ("User-Agent: Game/1.0 (Linux)", []), ("X-Team: games", []), ("none", []),
            ("X-Game-Key: correcthorse", ["correcthorse"]),
        ] as [(String, Set<String>)])
    func headerLines(_ line: String, _ expected: Set<String>) {
        var secrets = HostSecrets()
        secrets.add(headerLine: line)
        #expect(Set(secrets.values) == expected)
    }
}
