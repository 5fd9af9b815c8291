import Testing

@testable import HostTLS

/// Certificates as `openssl` (`apt-get install openssl`) reads them.
@Suite("Certificates")
struct CertificateTests {
    private static let now: Int64 = 1_795_219_200  // 2026-11-21 00:00:00

    private func show(_ certificate: String, _ options: String) -> String {
        let outcome = run("printf '%s' '\(certificate)' | openssl x509 -noout \(options) 2>&1")
        return String(decoding: outcome.output, as: UTF8.self)
    }

    @Test func anAuthorityCertificateIsValid() {
        let authority = RunAuthority(now: Self.now)
        let text = show(
            authority.certificatePEM, "-dates -ext basicConstraints,keyUsage -nameopt RFC2253 -subject -issuer")
        #expect(text.contains("notBefore=Nov 20 23:00:00 2026 GMT\nnotAfter=Nov 28 00:00:00 2026 GMT"))
        #expect(text.contains("critical\n    CA:TRUE, pathlen:0"))
        #expect(text.contains("critical\n    Certificate Sign, CRL Sign"))
        #expect(text.contains("subject=CN=Headwind run authority "))
        let again = run("printf '%s' '\(authority.certificatePEM)' | openssl x509")
        #expect(String(decoding: again.output, as: UTF8.self) == authority.certificatePEM)
    }

    @Test func aLeafIsForItsNames() {
        let authority = RunAuthority(now: Self.now)
        let names = ["packs.example", "127.0.0.1", "::1"]
        let leaf = authority.leaf(for: names, validity: authority.validity(with: nil))
        let text = show(leaf.certificatePEM, "-ext subjectAltName,extendedKeyUsage,basicConstraints,keyUsage")
        #expect(text.contains("DNS:packs.example, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1\n"))
        #expect(text.contains("TLS Web Server Authentication"))
        #expect(text.contains("CA:FALSE"))
        #expect(text.contains("critical\n    Digital Signature"))
    }

    @Test func aLeafIsSignedByItsAuthority() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let authority = RunAuthority()
        let leaf = authority.leaf(for: ["a"], validity: authority.validity(with: nil))
        let root = try folder.write("ca.pem", Array(authority.certificatePEM.utf8))
        let file = try folder.write("pack", Array(leaf.certificatePEM.utf8))
        #expect(
            run("openssl verify -x509_strict -purpose sslserver -CAfile \(root) \(file) >/dev/null 2>&1").status == 0)
        let other = RunAuthority()
        let stranger = other.leaf(for: ["a"], validity: other.validity(with: nil))
        try folder.rewrite("pack", Array(stranger.certificatePEM.utf8))
        #expect(run("openssl verify -CAfile \(root) \(file) >/dev/null 2>&1").status != 0)
    }

    /// Years have two digits up to 2049 and four from 2050 on, RFC 5280 §4.1.2.5; OpenSSL prints both alike.
    @Test(
        arguments: [
            (3600, "Jan  1 00:00:00 1970 GMT"), (2_524_607_999 + 3600, "Dec 31 23:59:59 2049 GMT"),
            (2_524_608_000 + 3600, "Jan  1 00:00:00 2050 GMT"),
        ] as [(Int64, String)])
    func statesTimes(now: Int64, start: String) {
        #expect(show(RunAuthority(now: now).certificatePEM, "-startdate") == "notBefore=\(start)\n")
    }

    /// X.509 allows 64 characters in a common name, and RFC 1035 allows 253 in a host name.
    @Test(arguments: [
        ([String(repeating: "é", count: 200)], String(repeating: "é", count: 64)), (["", "b"], "b"), ([""], "nobody"),
        (["a,IP:127.0.0.2/CN=b"], "a\\,IP:127.0.0.2/CN=b"),
    ])
    func namesAreNotInterpreted(names: [String], commonName: String) {
        let authority = RunAuthority()
        let leaf = authority.leaf(for: names, validity: authority.validity(with: nil))
        #expect(show(leaf.certificatePEM, "-subject -nameopt RFC2253,-esc_msb,utf8") == "subject=CN=\(commonName)\n")
        #expect(!show(leaf.certificatePEM, "-ext subjectAltName").contains("IP Address"))
    }
}
