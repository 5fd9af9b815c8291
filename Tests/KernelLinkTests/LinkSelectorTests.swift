import Netlink
import Testing

@testable import KernelLink

/// The traffic that a shape on an interface leaves alone.
@Suite struct LinkSelectorTests {
    @Test(arguments: [
        ("22", "22"), ("65535", "65535"), ("192.0.2.7", "192.0.2.7"), ("10.0.0.0/8", "10.0.0.0/8"),
        ("192.0.2.7/32", "192.0.2.7"), ("0.0.0.0/0", "0.0.0.0/0"), ("fd00::/8", "fd00::/8"),
        ("2001:DB8::1", "2001:db8::1"), ("::/0", "::/0"),
    ])
    func isReadAndWritten(text: String, wanted: String) throws {
        #expect(try LinkSelector(parsing: text).description == wanted)
    }

    @Test(arguments: [
        "", "0", "65536", "-1", "+1", "ssh", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/+8", "10.0.0.0/-1", "10.0.0.1/8",
        "fd00::1/8", "10.0.0", "10.0.0.0/8/8", "fe80::1%eth0", "22 ", "1\u{0}",
    ])
    func anUnreadableSelectorIsRefused(text: String) {
        let error = #expect(throws: LinkSelector.Unreadable.self) { try LinkSelector(parsing: text) }
        #expect(error?.description.hasPrefix("Could not read \"") == true)
    }

    @Test func connectionsAreCovered() throws {
        func isCovered(_ text: String) throws -> Bool {
            let connection = InterfaceLinks.Connection(
                peer: try #require(.init(parsing: "192.0.2.7")), peerPort: 50_000, local: nil, localPort: 22)
            return connection.isCovered(by: [try LinkSelector(parsing: text)])
        }
        for text in ["22", "50000", "192.0.2.0/24", "192.0.2.7", "0.0.0.0/0"] {
            #expect(try isCovered(text), "\(text)")
        }
        for text in ["23", "192.0.3.0/24", "192.0.2.6", "::/0"] { #expect(try !isCovered(text), "\(text)") }
    }

    /// The selector matches the peer's address: the destination of outgoing packets, and the source of incoming ones.
    @Test func filtersAreThoseOfADirection() throws {
        func filters(_ text: String, _ isUp: Bool) throws -> [String] {
            let all = SelectorFilters.all(
                [try LinkSelector(parsing: text)], isUp ? .uplink : .downlink, below: TrafficHandle(1),
                to: TrafficHandle(1, 2))
            // The first ten are the filters that every exception has.
            return all.dropFirst(1 + 5 + 4).map(\.description)
        }
        let head = "filter parent 1: prio 18517 protocol ipv4 u32"
        #expect(
            try filters("10.16.0.0/12", true) == ["\(head) match u32 0xa100000 0xfff00000 at 16 flowid 1:2"])
        #expect(
            try filters("10.16.0.0/12", false) == ["\(head) match u32 0xa100000 0xfff00000 at 12 flowid 1:2"])
        #expect(try filters("0.0.0.0/0", true) == ["\(head) match u32 0x0 0x0 at 0 flowid 1:2"])
        #expect(
            try filters("2001:db8::/40", false) == [
                "filter parent 1: prio 18518 protocol ipv6 u32 match u32 0x20010db8 0xffffffff at 8"
                    + " match u32 0x0 0xff000000 at 12 flowid 1:2"
            ])
        let ports = try filters("22", true)
        #expect(ports.count == 8)
        #expect(
            ports[0]
                == "\(head) match u32 0x45000000 0xff000000 at 0 match u32 0x0 0x1fff at 4"
                + " match u32 0x60000 0xff0000 at 8 match u32 0x160000 0xffff0000 at 20 flowid 1:2")
        #expect(ports[7].hasSuffix(" match u32 0x1100 0xff00 at 4 match u32 0x16 0xffff at 40 flowid 1:2"))
        #expect(
            SelectorFilters.all([], .uplink, below: TrafficHandle(1), to: TrafficHandle(1, 2)).isEmpty)
    }
}
