import Foundation
import Testing

/// The built `headwind proxy --toxiproxy`, with a client that was written for Toxiproxy.
@Suite(.sideBySide, .timeLimit(.minutes(3)))
struct ToxiproxyClientTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Toxiproxy").path

    /// toxiproxy-python from PyPI.
    private static let setup = """
        python=$(\(folder)/../../../Scripts/python-environment \(folder)/requirements.txt) || exit 1

        """

    @Test func toxiproxysPythonClientWorks() async throws {
        let said = try await StandingProxy.told(
            Self.setup + """
                alone --toxiproxy 127.0.0.1:0
                api=$(at toxiproxy); api=${api#http://}
                "$python/bin/python" \(Self.folder)/client.py ${api%:*} ${api##*:} || exit 1
                grep -q '"toxiproxy" : "http://127.0.0.1:' ready && echo "in the ready file"
                ended
                """)
        #expect(said.contains("in the ready file"), "\(said)")
        #expect(said.matches(of: /(?m)^holds:/).count == 21 && !said.contains("FAILS"), "\(said)")
    }

    @Test func theProxiesOfAConfigFileAreCreated() async throws {
        let said = try await StandingProxy.told(
            """
            alone --toxiproxy 127.0.0.1:0 --config toxiproxy.json
            curl -s -m 10 "$(at toxiproxy)/proxies"
            curl -s -m 10 -o /dev/null -w ' %{http_code}' -A 'Mozilla/5.0' "$(at toxiproxy)/proxies"
            curl -s -m 10 -o /dev/null -w ' %{http_code}' -H 'Host: evil.example' "$(at toxiproxy)/proxies"
            ended
            """,
            files: ["toxiproxy.json": #"[{"name": "web", "listen": "127.0.0.1:0", "upstream": "localhost:1"}]"#])
        #expect(said.hasPrefix(#"{"web":{"name":"web","listen":"127.0.0.1:"#) && said.hasSuffix(" 403 403"), "\(said)")
    }

    /// The soft limit of descriptors is 1024 on most machines; Toxiproxy raises it too, as programs in Go do.
    @Test(arguments: [
        ("ulimit -Sn 256; ulimit -Hn 12000", ""), ("ulimit -n 400", "allows 168 connections at once, not 4096"),
    ])
    func descriptorsAreRaised(limits: String, says: String) async throws {
        let said = try await StandingProxy.told(
            """
            \(limits)
            alone --toxiproxy 127.0.0.1:0
            cat log
            grep 'Max open files' "/proc/$proxy/limits"
            ended
            """)
        #expect(says.isEmpty ? said.contains("Max open files            12000") : said.contains(says), "\(said)")
    }

    @Test(arguments: [
        ("--toxiproxy 127.0.0.1:0 --config none.json", 65, "The list of proxies 'none.json'"),
        ("--toxiproxy 127.0.0.1:0 --config bad.json", 65, "cannot be read: line 1, column 4"),
        ("--toxiproxy 127.0.0.1:0 --config far.json", 75, "Could not create the proxies of 'far.json'"),
        ("--config bad.json --profile 3g", 64, "--config needs --toxiproxy"),
        ("--toxiproxy 0.0.0.0:0", 64, "such as --allow 192.0.2.0/24"),
        ("--toxiproxy 0.0.0.0:0 --allow 192.0.2.0/99", 64, "not a number of bits"),
        ("--toxiproxy 127.0.0.1:0 --most-proxies 0", 64, "from 1 to 10000"),
        ("--profile 3g --most-connections 0", 64, "from 1 to 1000000"), ("", 64, "Missing expected argument"),
    ])
    func unusableOptionsAreExplained(options: String, status: Int, says: String) async throws {
        let said = try await StandingProxy.told(
            #"timeout 20 "$HW" proxy \#(options) 2>&1; echo "status $?""#,
            files: [
                "bad.json": "[ {", "far.json": #"[{"name": "a", "listen": "192.0.2.9:1", "upstream": "b:1"}]"#,
            ])
        #expect(said.contains("status \(status)\n") && said.contains(says), "\(said)")
    }
}
