import Links
import Testing

@testable import Harness
@testable import Scenarios

/// Whether a sandbox leads to a host.
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
}
