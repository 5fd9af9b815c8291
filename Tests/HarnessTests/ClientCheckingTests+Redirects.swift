import Results
import Testing

/// Clients that are redirected, and should keep their credentials and their protection.
extension ClientCheckingTests {
    private static let get = "curl -sSf -o \"$2\""
    /// Asks by HEAD where the URL leads, and downloads from there.
    private static let resolve = "u=$(curl -sIL -o \"$TMPDIR/head\" -w '%{url_effective}'"

    static let keepers: [(script: String, headers: Bool, answer: String)] = [
        ("\(get) -L \"$1\"", false, "not_observable"), ("\(get) -L \"$1\"", true, "not_observable"),
        ("\(get) -L --max-redirs 0 -H @\"$3\" \"$1\"", true, "not_observable"),
        ("\(get) -L -H @\"$3\" \"$1\"", true, "holds"),
        ("\(get) --location-trusted -H @\"$3\" \"$1\"", true, "fails insecure"),
        ("\(resolve) -H @\"$3\" \"$1\"); \(get) \"$u\"", true, "holds"),
        ("\(resolve) -H @\"$3\" \"$1\"); \(get) -H @\"$3\" \"$u\"", true, "fails insecure"),
    ]

    @Test(arguments: keepers, ["other-host", "other-port"])
    func credentialsAreForOneOrigin(
        client: (script: String, headers: Bool, answer: String), origin: String
    ) async throws {
        let (script, headers, answer) = client
        let report = try await Self.check(
            script, headers: headers,
            asking: [
                "good": Self.scenarios["good"] ?? "",
                "keep": """
                faults: [{pack: level.bin, redirect: {to: /moved/level.bin, origin: \(origin)}}]
                check: {says: Keeps credentials, pack: level.bin, expect: either, needs: [credentials]}
                """,
            ])
        #expect(Self.answers(report) == ["good": "holds", "keep": answer], "\(report)")
        let bug = try #require(report.rows.first { $0.name == "keep" }).bug
        #expect(bug == (answer == "fails insecure" ? .leaksCredentials : nil))
        // Headwind's own words about credentials are no secret.
        #expect(!report.rows.contains { $0.detail.contains("[redacted]") }, "\(report)")
    }

    @Test(arguments: [
        ("\(get) -L --proto-redir =https \"$1\"", "holds"), ("\(get) -L \"$1\"", "fails insecure"),
        ("\(resolve) \"$1\"); \(get) \"$u\"", "fails insecure"),
    ])
    func protectionIsKept(_ script: String, _ answer: String) async throws {
        let report = try await Self.check(
            script,
            asking: [
                "good": Self.scenarios["good"] ?? "", "tls": Self.scenarios["tls"] ?? "",
                "stay": """
                tls: true
                faults: [{pack: level.bin, redirect: {to: /moved/level.bin, origin: plain-http}}]
                check: {says: Stays with HTTPS, pack: level.bin, expect: either, needs: [authority]}
                """,
            ])
        #expect(Self.answers(report) == ["good": "holds", "tls": "holds", "stay": answer], "\(report)")
        let bug = try #require(report.rows.first { $0.name == "stay" }).bug
        #expect(bug == (answer == "fails insecure" ? .downgradesToHTTP : nil))
    }
}
