import Testing

/// Addresses of a host that no client could connect to.
@Suite struct HostAddressTests {
    private static func problems(_ address: String) throws -> [String] {
        try ScenariosTests.problems(
            inScenario: "scenario: Test\nhost: '\(address)'\nlink: 3g\nworkload: [{request: {tags: [a]}}]\n".utf8)
    }

    @Test(arguments: [
        "http://127.0.0.1:99999/", "http://[::1", "http://[::g]/", "http://a:/", "http://a:0/", "http://a:b/",
        "http://user@/", "http://::1/", "http://a<b>/", "http://a b/",
    ])
    func isRefused(address: String) throws {
        let found = try Self.problems(address)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("2:7 '\(address)' is not a URL") == true, "\(found)")
    }

    @Test(arguments: [
        "http://127.0.0.1:8080/", "http://[::1]:8080/x", "https://a.example", "https://a_b.example:443/m.plist?x=y",
    ])
    func isTaken(address: String) throws {
        #expect(try Self.problems(address) == [])
    }
}
