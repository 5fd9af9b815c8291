import Glibc
import PackFormat
import PackHost
import Testing

@testable import PackHost

/// A host leaves nothing behind when its scope ends.
@Suite("Lifetime", .timeLimit(.minutes(1)))
struct LifetimeTests {
    private struct Interruption: Error {}

    /// Whether the host is gone: nothing listens on its port, or another host does.
    private func isGone(_ port: Int, nonce: String) async throws -> Bool {
        do {
            return try await RawClient.exchange(port, get("/", "HEAD"))["Headwind-Run"] != nonce
        } catch is RawClient.SocketError {
            return true
        }
    }

    @Test func endsWithItsBody() async throws {
        let (port, events) = try await TestSite.with(faults: [try HostFault(parsing: "no-head")]) { site in
            var site = site
            site.configuration.nonce = "returned"
            return try await site.host { host in
                // A response that never ends must not keep the host.
                try await RawClient.connected(to: host.port) { try $0.send(get()) }
                return host.port
            }
        }
        #expect(try await isGone(port, nonce: "returned"))
        #expect(events.ends.count <= 1)
    }

    @Test func endsWhereItsBodyThrows() async throws {
        var port = 0
        await #expect(throws: Interruption.self) {
            try await TestSite.with { site in
                var configuration = site.configuration
                configuration.nonce = "thrown"
                try await withPackHost(configuration) { host in
                    port = host.port
                    throw Interruption()
                }
            }
        }
        #expect(port != 0)
        #expect(try await isGone(port, nonce: "thrown"))
    }

    @Test func endsWhereItsTaskIsCancelled() async throws {
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let task = Task {
            try await TestSite.with { site in
                var configuration = site.configuration
                configuration.nonce = "cancelled"
                try await withPackHost(configuration) { host in
                    continuation.yield(host.port)
                    for await _ in host.events {}  // ends only by cancellation
                }
            }
        }
        let port = try #require(await ports.first { _ in true })
        let client = try RawClient.open(port)
        task.cancel()
        try await task.value
        // A connection that was not accepted yet is reset.
        #expect([.fin, .reset].contains(client.read().end))
        client.close()
        #expect(try await isGone(port, nonce: "cancelled"))
    }

    /// In its own process, so that tests at the same time do not disturb the count.
    @Test func leaksNoDescriptor() async {
        await #expect(processExitsWith: .success) {
            func count() -> Int {
                guard let folder = opendir("/proc/self/fd") else { return -1 }
                defer { closedir(folder) }
                var count = 0
                while readdir(folder) != nil { count += 1 }
                return count
            }
            func round() async throws {
                let faults = try [
                    "try=1 cut@500", "try=2 cut@500 rst", "try=3 no-head", "try=4 status=503", "try=5 stall@5",
                    "try=6 corrupt@7", "pack=large stall@1MiB",
                ].map { try HostFault(parsing: $0) }
                try await TestSite.with(files: ["large": [UInt8](repeating: 1, count: 4 << 20)], faults: faults) {
                    site in
                    try await withPackHost(site.configuration) { host in
                        for _ in 0..<7 { _ = try await RawClient.exchange(host.port, get(), finish: true) }
                        // Closed while its file is open.
                        try await RawClient.connected(to: host.port) { client in
                            try client.send(get("/packs/large"))
                            _ = client.read(exactly: 1000)
                        }
                    }
                    var occupied = site.configuration
                    try await withPackHost(site.configuration) { host in
                        occupied.listener = .address("127.0.0.1", port: host.port)
                        do { try await withPackHost(occupied) { _ in } } catch is HostError {}
                    }
                }
            }
            try await round()  // starts the event loops, which keep their descriptors
            let before = count()
            let probe = open("/dev/null", O_RDONLY)
            #expect(count() == before + 1)  // else the count would prove nothing
            close(probe)
            for _ in 0..<3 { try await round() }
            #expect(count() == before)
        }
    }

    @Test func stampsEventsWithTheMonotonicClock() async throws {
        func now() -> Int64 {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
        let before = now()
        let (_, events) = try await TestSite.with { site in
            try await site.host { try await RawClient.exchange($0.port, get(fields: ["Range: bytes=1-2"])) }
        }
        let times = [before] + events.map(\.nanoseconds) + [now()]
        #expect(times == times.sorted())
        #expect(events.map(\.connection) == [1, 1, 1, 1, 1])
        #expect(
            events.map(\.kind)[1...] == [
                .request(
                    HostRequest(
                        method: "GET", path: "/packs/small.assetpack", pack: "com.example.small.assetpack", number: 1,
                        range: "bytes=1-2", origin: "http://localhost")),
                .head(status: 206, length: 2),
                .finished(
                    HostTransfer(
                        status: 206, from: 1, planned: 2, handed: 2, unacknowledged: events.transfers[0].unacknowledged,
                        cause: .complete)),
                events[4].kind,
            ])
        #expect(events.ends == [.host])
    }
}
