import Testing

@testable import Harness
@testable import Scenarios

/// Whether a sandbox leads to a host, and how `--resolve` is read.
struct StagingWayTests {
    @Test(
        arguments: [
            ("http://127.0.0.1:1/", "", true, nil), ("http://127.1:1/", "", true, nil),
            ("http://LOCALHOST/x", "", true, nil), ("http://api.localhost/", "", true, nil),
            ("http://192.0.2.1/", "", false, nil), ("http://staging.example/", "", true, nil),
            ("http://intra/", "127.0.1.1\tother INTRA # x\n", true, nil),
            ("http://intra/", "# 127.0.0.1 intra\n192.0.2.7 intra", false, nil), ("http://intra/", "", false, nil),
            ("http://[2001:db8::1]/", "", false, nil), ("http://[::1]:1/", "", false, "::1"),
            ("http://intra/", "::1 intra\n127.0.0.1 intra", true, nil), ("http://intra/", "::1 intra", false, "::1"),
            ("http://0.0.0.0:1/", "", false, "write 127.0.0.1"), ("http://10.77.1.2/", "", false, "10.77.0.0/16"),
        ] as [(String, String, Bool, String?)])
    func aSandboxLeadsToLoopbackHosts(url: String, file: String, leadsLoopback: Bool, obstacle: String?) throws {
        let host = RemoteHost(manifest: url, tagTable: nil, headers: [], tokenVariable: nil)
        let names = url.contains("staging") ? [try ResolvedName(parsing: "staging.example:127.0.0.1")] : []
        let way = StagingWay(to: host, names, hostsFile: file)
        #expect(way.leadsLoopback == leadsLoopback)
        #expect(obstacle.map { way.obstacle?.contains($0) == true } ?? (way.obstacle == nil), "\(way.obstacle ?? "")")
    }

    @Test(
        arguments: [
            ("Staging.example:192.0.2.7", "staging.example:192.0.2.7"), ("a_b:::1", "a_b:::1"),
            ("a:[2001:db8::7]", "a:2001:db8::7"),
        ])
    func aNameWithAnAddress(text: String, read: String) throws {
        #expect(try ResolvedName(parsing: text).text == read)
    }

    @Test(
        arguments: [
            ("", "no ':'"), ("staging.example", "no ':'"), (":127.0.0.1", "not a host name"),
            ("a:", "not an IPv4 or IPv6 address"),
            ("a:b", "not an IPv4 or IPv6 address"), ("a:1.2.3.4 5", "not an IPv4 or IPv6 address"),
            ("a:[1.2.3.4]", "not an IPv4 or IPv6 address"),
            ("a:1.2.3.4:443", "not an IPv4 or IPv6 address"), ("a:443:1.2.3.4", "leave the port out"),
            ("a b:1.2.3.4", "not a host name"),
            ("a\nb:1.2.3.4", "not a host name"), ("a..b:1.2.3.4", "not a host name"),
            ("1.2.3.4:1.2.3.4", "not a host name"),
            ("*:1.2.3.4", "not a host name"), ("localhost:1.2.3.4", "loopback"),
            (String(repeating: "a", count: 64) + ":1.2.3.4", "not a host name"),
            ("a:1.2.3.4\n", "not an IPv4 or IPv6 address"),
        ])
    func anUnreadableNameIsRefused(text: String, why: String) {
        let error = #expect(throws: ResolvedName.Refusal.self) { try ResolvedName(parsing: text) }
        #expect(error?.description.contains(why) == true, "\(String(describing: error))")
    }
}
