import Glibc
import PackFormat
import PackHost
import SystemPackage
import Testing

@testable import PackHost

/// Clients that must not harm a host.
@Suite("Hostile clients", .timeLimit(.minutes(1)))
struct HostileClientTests {
    @Test(arguments: [
        ("nonsense\r\n\r\n", 400), ("GET\r\n\r\n", 400), ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", 400),
        ("FOO / HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET / HTTP/3.7\r\nHost: a\r\n\r\n", 505),
        ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        ("GET / HTTP/1.1\r\n\r\n", 400),  // no Host
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nBad Name: b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n", 400),  // smuggling
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \u{1}\u{0}\r\n\r\n", 400),
        ("GET /\(String(repeating: "a", count: 8192)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("GET /\(String(repeating: "a", count: 40_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("GET /\(String(repeating: "a", count: 40_000))", 414),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 16_384))\r\n\r\n", 431),
        (
            "GET / HTTP/1.1\r\nHost: a\r\n"
                + (0..<8).map { "X\($0): \(String(repeating: "a", count: 2048))\r\n" }.joined() + "\r\n", 431
        ),
        ("GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: a\r\n", count: 100) + "\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 1 << 20))\r\n\r\n", 431),
    ])
    func answersAMalformedRequestAndCloses(request: String, status: Int) async throws {
        let (reply, events) = try await TestSite.with { site in
            try await site.host { host in
                let reply = try await RawClient.exchange(host.port, request)
                #expect(try await RawClient.exchange(host.port, get()).status == 200)
                return reply
            }
        }
        #expect(reply.status == status)
        #expect(reply["Connection"] == "close")
        #expect(reply["Headwind-Run"] == "test-run")
        #expect(events.contains { if case .refused(status, _) = $0.kind { true } else { false } })
    }

    @Test(arguments: [
        "GET /\(String(repeating: "a", count: 8190)) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + String(repeating: "X: a\r\n", count: 98) + "\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: \(String(repeating: "a", count: 16_000))\r\n\r\n",
    ])
    func answersRequestsJustBelowTheLimits(request: String) async throws {
        let reply = try await TestSite.with { site in
            try await site.host { try await RawClient.exchange($0.port, request) }.0
        }
        #expect(reply.status == 404)
    }

    /// One byte at a time, so that only a deadline for the whole head helps.
    @Test func closesASlowRequestHead() async throws {
        let ((duration, reply), events) = try await TestSite.with { site in
            var site = site
            site.configuration.limits.head = .milliseconds(150)
            return try await site.host { host in
                try await RawClient.connected(to: host.port) { client in
                    let clock = ContinuousClock()
                    let start = clock.now
                    try client.send("GET /")
                    while clock.now - start < .seconds(3) {
                        do { try client.send("a") } catch { break }
                        if poll(client, milliseconds: 10) { break }
                    }
                    let (bytes, end) = client.readToEnd()
                    return (clock.now - start, Reply(bytes: bytes, end: end, duration: .zero))
                }
            }
        }
        #expect(duration >= .milliseconds(150) && duration < .seconds(3))
        #expect(reply.status == 408)
        #expect(events.ends == [.head])
    }

    @Test func endsAHeadThatStops() async throws {
        let (reply, events) = try await TestSite.with { site in
            var site = site
            site.configuration.limits.head = .milliseconds(100)
            return try await site.host { try await RawClient.exchange($0.port, "GET / HTTP/1.1\r\nHost:") }
        }
        #expect(reply.status == 408)
        #expect(reply.duration >= .milliseconds(90))
        #expect(events.ends == [.head])
    }

    @Test func endsAConnectionThatIsIdle() async throws {
        let (replies, events) = try await TestSite.with { site in
            var site = site
            site.configuration.limits.idle = .milliseconds(300)
            return try await site.host { host in
                [
                    try await RawClient.exchange(host.port, ""),
                    try await RawClient.exchange(host.port, get(connection: "keep-alive")),
                ]
            }
        }
        #expect(replies.map(\.end) == [.fin, .fin])
        #expect(replies.map(\.body.count) == [0, 1000])
        #expect(replies.allSatisfy { $0.duration >= .milliseconds(250) })
        #expect(events.ends == [.idle, .idle])
    }

    @Test func resetsAClientThatDoesNotRead() async throws {
        let (_, events) = try await TestSite.with(files: ["large": [UInt8](repeating: 1, count: 16 << 20)]) { site in
            var site = site
            site.configuration.limits.writeStall = .milliseconds(200)
            return try await site.host { host in
                try await RawClient.connected(to: host.port) { client in
                    try client.send(get("/packs/large"))
                    #expect(client.waitForReset())
                }
            }
        }
        #expect(events.transfers.map(\.cause) == [.writeStall])
        #expect(events.ends == [.writeStall])
        let transfer = try #require(events.transfers.first)
        #expect(transfer.handed < 16 << 20)
        #expect(try #require(transfer.unacknowledged) > 0)
    }

    /// Neither a slow client nor a scripted delay is a stall.
    @Test(arguments: ["stall@500 for=600ms", "late-head=600ms", "drip=12kbit/s"])
    func scriptedDelaysAreNoStall(fault: String) async throws {
        let (reply, events) = try await TestSite.with(faults: [try HostFault(parsing: fault)]) { site in
            var site = site
            site.configuration.limits.writeStall = .milliseconds(300)
            site.configuration.limits.idle = .milliseconds(300)
            site.configuration.limits.head = .milliseconds(300)
            return try await site.host { try await RawClient.exchange($0.port, get()) }
        }
        #expect(reply.body == TestSite.small)
        #expect(reply.duration >= .milliseconds(590))
        #expect(events.transfers.map(\.cause) == [.complete])
    }

    @Test func outlivesClientsThatReset() async throws {
        try await TestSite.with(files: ["large": [UInt8](repeating: 1, count: 8 << 20)]) { site in
            try await withPackHost(site.configuration) { host in
                for _ in 0..<8 {
                    try await RawClient.connected(to: host.port) { client in
                        try client.send(get("/packs/large"))
                        _ = client.read(exactly: 100_000)
                        client.resetOnClose()
                    }
                }
                var gone = 0
                for await event in host.events {
                    if case .finished(let transfer) = event.kind, transfer.cause == .clientClosed { gone += 1 }
                    if gone == 8 { break }
                }
                #expect(try await RawClient.exchange(host.port, get()).body == TestSite.small)
            }
        }
    }

    @Test func admitsNoMoreConnectionsThanTheLimit() async throws {
        let granted = 64
        let (open, statistics) = try await TestSite.with { site in
            var site = site
            site.configuration.limits.connections = granted
            return try await site.host { host in
                var clients = try (0..<1000).map { _ in try RawClient.open(host.port) }
                defer { for client in clients { client.close() } }
                // All accepted clients are answered, so the host has seen them all; the next client is not.
                for client in clients[..<granted] { try client.send(get(connection: "keep-alive")) }
                for client in clients[..<granted] { #expect(client.readResponse().status == 200) }
                let open = host.statistics.openConnections
                try clients[granted].send(get(connection: "keep-alive"))
                #expect(!poll(clients[granted], milliseconds: 50))
                clients.removeFirst().close()
                #expect(clients[granted - 1].readResponse().status == 200)
                return (open, host.statistics)
            }.0
        }
        #expect(open == granted)
        #expect(statistics.openConnections == granted)
        #expect(statistics.connections == granted + 1)
    }
}

/// Whether there is something to read within the time.
private func poll(_ client: RawClient, milliseconds: Int32) -> Bool {
    var descriptor = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&descriptor, 1, milliseconds) > 0
}

extension RawClient {
    /// Waits up to 5 s for the host's reset, without reading a byte.
    func waitForReset() -> Bool {
        var state = pollfd(fd: descriptor, events: 0, revents: 0)
        return Glibc.poll(&state, 1, 5000) > 0 && Int32(state.revents) & (POLLERR | POLLHUP) != 0
    }

    fileprivate func resetOnClose() {
        var value = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout.size(ofValue: value)))
    }
}
