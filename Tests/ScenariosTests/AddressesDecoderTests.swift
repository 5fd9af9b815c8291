import Results
import Testing

@testable import Scenarios

/// `addresses`: the address families of a host's name, and which of them are dead.
@Suite struct AddressesDecoderTests {
    private static let base = "scenario: Test\ncatalog: adventure\nworkload: [{request: {tags: [level-4]}}]\n"

    @Test(arguments: [
        ("", HostAddresses(ipv4: .reachable, ipv6: nil)),
        ("addresses: {ipv4: reachable, ipv6: silent}", HostAddresses(ipv4: .reachable, ipv6: .silent)),
        ("addresses: {ipv4: refused, ipv6: reachable}", HostAddresses(ipv4: .refused, ipv6: .reachable)),
        ("addresses: {ipv6: reachable}", HostAddresses(ipv4: nil, ipv6: .reachable)),
        ("addresses: {ipv4: silent, ipv6: silent}", HostAddresses(ipv4: .silent, ipv6: .silent)),
    ])
    func isRead(text: String, addresses: HostAddresses) throws {
        #expect(try scenario(Self.base + "link: 3g\n" + text).cells[0].addresses == addresses)
    }

    @Test(arguments: [
        ("link: 3g\naddresses: {ipv6: dead}", "5:19 'dead' is not an address state"),
        ("link: 3g\naddresses: {ipv5: silent}", "5:13"),
        ("link: 3g\naddresses: {}", "5:12 a host's name needs an address"),
        ("link: 3g\naddresses: silent", "5:12"),
        ("link: {mtu: 1000}\naddresses: {ipv6: reachable}", "the link has an MTU of 1000, and IPv6 needs 1280"),
    ])
    func saysWhatIsWrong(text: String, message: String) throws {
        let found = try problems(inScenario: (Self.base + text).utf8)
        #expect(found.contains { $0.contains(message) }, "\(found)")
    }

    @Test func addressesAreOnlyForTheBuiltInHost() throws {
        let text = "scenario: Test\nhost: https://a.example/\nlink: 3g\nworkload: [{request: {tags: [a]}}]\n"
        let found = try problems(inScenario: (text + "addresses: {ipv6: silent}").utf8)
        #expect(found.contains { $0.contains("'addresses' are only for the built-in host") }, "\(found)")
    }
}
