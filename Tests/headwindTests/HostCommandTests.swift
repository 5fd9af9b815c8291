import ArgumentParser
import PackFormat
import ProxyLink
import Testing

@testable import PackHost
@testable import headwind

/// `headwind host`: its command line and what it prints.
@Suite("headwind host")
struct HostCommandTests {
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1:8080"), ("[::1]:0", "[::1]:0"), ("0.0.0.0:65535", "0.0.0.0:65535"),
        ("8080", "127.0.0.1:8080"), (":8080", "127.0.0.1:8080"), ("0", "127.0.0.1:0"),
        ("localhost:18090", "127.0.0.1:18090"), ("LOCALHOST:1", "127.0.0.1:1"),
    ])
    func readsWhereToListen(text: String, place: String) throws {
        #expect(try Endpoint(listening: text).description == place)
    }

    @Test(arguments: [
        ("", "is neither a host name nor an address"), ("127.0.0.1", "it has no port"),
        ("127.0.0.1:", "'' is not a port"),
        ("127.0.0.1:65536", "'65536' is not a port"), ("65536", "'65536' is not a port"),
        ("127.0.0.1:-1", "'-1' is not a port"),
        ("::1:80", "Write 127.0.0.1:8080, [::1]:8080, or 8080 alone."), ("[]:80", "is not an IPv6 address"),
        ("myhost:80", "'myhost' is a name, but a listener needs an address of this machine. Write 127.0.0.1:80"),
    ])
    func anUnusableListenAddressIsExplained(text: String, reason: String) {
        let error = #expect(throws: ValidationError.self) { try Endpoint(listening: text) }
        #expect(error?.description.contains(reason) == true)
        let failure = #expect(throws: (any Error).self) { try HostServeCommand.parse(["dir", "--listen", text]) }
        #expect(failure.map { HostServeCommand.fullMessage(for: $0).contains(error?.description ?? "?") } == true)
    }

    @Test func readsFaults() throws {
        let command = try HostServeCommand.parse(["dir", "--fault", "pack=a try=2 cut@40% rst", "--fault", "no-head"])
        #expect(
            command.fault == [
                HostFault(pack: "a", tries: 2...2, action: .cut(at: .fraction(0.4), how: .rst)),
                HostFault(pack: "*", action: .never),
            ])
        #expect(command.listen == .anyLoopbackPort)
    }

    @Test(arguments: [
        (["dir", "--fault", "cutt@5"], "the actions are"), (["dir", "--tls"], "--ca-out"),
        (["dir", "--tls-fault", "expired"], "need --tls"), (["dir", "--connections", "0"], "1 to 1024"),
        (["dir", "--connections", "1025"], "1 to 1024"), (["dir", "--listen", "nowhere"], "--listen"), ([], "<folder>"),
    ])
    func wrongArgumentsAreExplained(arguments: [String], reason: String) {
        do {
            _ = try HostServeCommand.parse(arguments)
            Issue.record("\(arguments) was accepted")
        } catch {
            #expect(HostServeCommand.fullMessage(for: error).contains(reason))
        }
    }

    /// A host that cannot listen leaves the files of the one that already does.
    @Test(.timeLimit(.minutes(1))) func aHostThatCannotStartLeavesTheFilesOfAnother() async throws {
        let answer = try await ExecRun.line(
            """
            mkdir packs && echo 1 > packs/a
            set -- --packs packs --tls --ca-out ca.pem --ready-file ready
            "$HW" host "$@" > url 2> log & host=$!
            for turn in $(seq 1000); do [ -s ready ] && break; kill -0 $host || break; sleep 0.01; done
            cp ready ready.before; cp ca.pem ca.before
            "$HW" host "$@" --listen $(sed -n 's/.*"port" *: *\\([0-9]*\\).*/\\1/p' ready); echo "status $?"
            cmp ready ready.before && cmp ca.pem ca.before && echo same
            kill $host; wait $host
            [ -e ready ] || echo removed
            """)
        #expect(answer.output == "status 75\nsame\nremoved\n", "\(answer.output)\(answer.errors)")
    }

    @Test func printsAResponseAsALine() {
        var log = HostLog()
        let request = HostRequest(
            method: "GET", path: "/a\u{1b}[31m", pack: "a", number: 2, range: "bytes=5-")
        let transfer = HostTransfer(
            status: 206, from: 5, planned: 95, handed: 40, unacknowledged: 0, cause: .cut(reset: true))
        let events: [HostEvent.Kind] = [
            .opened(peer: "127.0.0.1", port: 1), .request(request), .fault(line: "L1 GET /a from=5 try=2 cut@45 rst"),
            .head(status: 206, length: 95), .finished(transfer),
            .closed(HostConnectionEnd(cause: .host, received: 100, sent: 300)),
        ]
        let lines = events.enumerated().flatMap { index, kind in
            log.lines(for: HostEvent(nanoseconds: Int64(index) * 250_000_000, connection: 1, kind: kind))
        }
        #expect(
            lines == [
                "L1 GET /a from=5 try=2 cut@45 rst",
                "GET /a\u{1b}[31m try=2 206 40 of 95 B from 5, cut by a reset in 750 ms",
            ])
    }
}
