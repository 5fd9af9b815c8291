import Testing

@testable import HostTLS

/// Certificates as `openssl` (`apt-get install openssl`) reads them.
@Suite("Certificates")
struct CertificateTests {
    private static let now: Int64 = 1_795_219_200  // 2026-11-21 00:00:00

    private func show(_ certificate: [UInt8], _ options: String) -> String {
        let outcome = run("printf '%s' '\(PEM.text(of: certificate))' | openssl x509 -noout \(options) 2>&1")
        return String(decoding: outcome.output, as: UTF8.self)
    }

    @Test func anAuthorityIsOne() {
        let authority = RunAuthority(now: Self.now)
        let text = show(
            authority.certificate, "-dates -ext basicConstraints,keyUsage -nameopt RFC2253 -subject -issuer")
        #expect(text.contains("notBefore=Nov 20 23:00:00 2026 GMT\nnotAfter=Nov 28 00:00:00 2026 GMT"))
        #expect(text.contains("critical\n    CA:TRUE, pathlen:0"))
        #expect(text.contains("critical\n    Certificate Sign, CRL Sign"))
        #expect(text.contains("subject=CN=Headwind run authority "))
        #expect(PEM.text(of: authority.certificate) == authority.certificatePEM)
    }

    @Test func aLeafIsForItsNames() {
        let authority = RunAuthority(now: Self.now)
        let names = ["packs.example", "127.0.0.1", "::1"]
        let leaf = authority.leaf(for: names, validity: authority.validity(with: nil))
        let text = show(leaf.certificate, "-ext subjectAltName,extendedKeyUsage,basicConstraints,keyUsage")
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
        let file = try folder.write("pack", Array(PEM.text(of: leaf.certificate).utf8))
        #expect(
            run("openssl verify -x509_strict -purpose sslserver -CAfile \(root) \(file) >/dev/null 2>&1").status == 0)
        let other = RunAuthority()
        let stranger = other.leaf(for: ["a"], validity: other.validity(with: nil))
        try folder.rewrite("pack", Array(PEM.text(of: stranger.certificate).utf8))
        #expect(run("openssl verify -CAfile \(root) \(file) >/dev/null 2>&1").status != 0)
    }

    @Test(arguments: [
        (DER.integer([]), "020100"), (DER.integer([0, 0]), "020100"), (DER.integer([0x7f]), "02017f"),
        (DER.integer([0x80]), "02020080"), (DER.integer([0, 1, 0]), "02020100"),
        (DER.identifier(1, 2, 840, 10045, 4, 3, 2), "06082a8648ce3d040302"),
        (DER.identifier(2, 5, 29, 17), "0603551d11"),
        (DER.bits([0b0000_0110], unused: 1), "03020106"), (DER.context(0, constructed: true, [1]), "a00101"),
        (DER.time(secondsSinceEpoch: 0), "170d3730303130313030303030305a"),
        (DER.time(secondsSinceEpoch: 2_524_607_999), "170d3439313233313233353935395a"),
        (DER.time(secondsSinceEpoch: 2_524_608_000), "180f32303530303130313030303030305a"),
    ])
    func encodesElements(bytes: [UInt8], hexadecimal: String) {
        #expect(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == hexadecimal)
    }

    @Test(arguments: [(0, 2), (127, 2), (128, 3), (255, 3), (256, 4), (65_536, 5)])
    func encodesLengths(count: Int, overhead: Int) {
        #expect(DER.octets([UInt8](repeating: 0, count: count)).count == count + overhead)
    }
}
