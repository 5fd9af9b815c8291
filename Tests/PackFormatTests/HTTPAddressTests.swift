import Testing

@testable import PackFormat

@Suite struct HTTPAddressTests {
    @Test(arguments: [
        ("http://host/a?b=1", "http", "host", 80, "/a?b=1"),
        ("HTTPS://HOST", "https", "host", 443, "/"),
        ("https://host:8443?q", "https", "host", 8443, "/?q"),
        ("http://user:secret@host:81/x#y", "http", "host", 81, "/x#y"),
        ("http://[2001:db8::1]:8080/", "http", "2001:db8::1", 8080, "/"),
        ("https://[::1]/p", "https", "::1", 443, "/p"),
        ("http://[fe80::1%25eth0]/", "http", "fe80::1%25eth0", 80, "/"),
        ("http://127.0.0.1:65535/", "http", "127.0.0.1", 65_535, "/"),
    ])
    func partsOfAnAddress(text: String, scheme: String, host: String, port: Int, target: String) throws {
        let address = try #require(HTTPAddress(text))
        #expect(address.scheme == scheme)
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.target == target)
    }

    @Test(arguments: [
        "", "host/a", "/a", "ftp://host/a", "http://", "http:///a", "http://host:/a", "http://host:0/",
        "http://host:65536/",
        "http://host:x/", "http://:80/", "http://host:+80/", "http://host:99999999999999999999/",
        "http://127.0.0.1:99999/",
        "http://[::1", "http://[::1/", "http://[]/", "http://[::g]/", "http://[::1]x/", "http://[::1]:/", "http://::1/",
        "http://a b/", "http://a<b>/", "http://a]/", "http://user@/", "http://a\\b/",
    ])
    func invalidAddressesAreRefused(text: String) {
        #expect(HTTPAddress(text) == nil)
    }
}
