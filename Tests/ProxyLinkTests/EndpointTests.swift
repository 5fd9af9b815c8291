import Testing

@testable import ProxyLink

struct EndpointTests {
    @Test(arguments: [
        ("127.0.0.1:80", Endpoint(host: "127.0.0.1", port: 80)), ("[::1]:0", Endpoint(host: "::1", port: 0)),
        ("Packs.Example:443", Endpoint(host: "packs.example", port: 443)),
    ])
    func anEndpointReadsAndPrints(text: String, endpoint: Endpoint) throws {
        #expect(try Endpoint(parsing: text) == endpoint)
        #expect(try Endpoint(parsing: endpoint.description) == endpoint)
    }

    @Test(arguments: ["", "a", "a:", "a:-1", "a:65536", "a b:1", "a:1:2", "[::1]", "[::1", "::1:80", "a:1 ", "a/:1"])
    func aMalformedEndpointSaysWhy(text: String) {
        let error = #expect(throws: EndpointError.self) { try Endpoint(parsing: text) }
        #expect(error?.description.hasPrefix("Could not read '\(text)' as HOST:PORT: ") == true)
    }
}
