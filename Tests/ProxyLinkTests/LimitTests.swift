import LinkModel
import NIOCore
import Testing

@testable import ProxyLink

@Suite(.timeLimit(.minutes(1)))
struct LimitTests {
    @Test func theNextClientBeyondTheLimitIsTurnedAway() async throws {
        var limits = ProxyLimits()
        limits.connections = 2
        try await PeerListener.with { listener in
            try await withTestLink(to: listener, limits: limits) { link in
                let first = try await link.connect()
                let second = try await link.connect()
                _ = (try await listener.accept(), try await listener.accept())
                let third = try? await link.connect()
                // If the RST comes early, the connect itself fails.
                if let third { #expect(await third.receiveAll().ending == .reset) }
                let refusal = await link.event { if case .refused(let why) = $0.kind { why } else { nil } }
                #expect(refusal == Refusal.tooMany.details)
                #expect(first.channel.isActive && second.channel.isActive)
            }
        }
    }

    @Test(arguments: [Profile.open, .link(rate: 1_000_000)])
    func nothingStaysInMemoryOfALinkThatStopsWhileBytesAreUnderWay(profile: Profile) throws {
        weak var engine: LinkEngine?
        do {
            let link = try VirtualLink(profile)
            engine = link.engine
            let client = link.connect()
            link.advance(.milliseconds(1))
            link.host().receive(pattern(100_000))
            link.advance(.milliseconds(100))
            #expect(!client.sent().isEmpty)
            link.stop()
        }
        #expect(engine == nil)
    }

    @Test func oneBadConnectionNeverStopsTheLink() async throws {
        try await PeerListener.with { listener in
            try await withTestLink(to: listener) { link in
                for bad in ["\0\0\0\0\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", String(repeating: "x", count: 40_000)] {
                    let client = try await link.connectToProxy()
                    try? await client.send(bad)
                    #expect(await client.receiveAllText().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
                }
                for _ in 0..<3 { try await link.connectToProxy().reset() }
                let client = try await link.connect()
                let host = try await listener.accept()
                try await client.send("still here")
                #expect(await host.receiveText(10) == "still here")
            }
        }
    }

    /// In its own process, where no other test opens descriptors.
    @Test func noDescriptorStaysOpen() async {
        await #expect(processExitsWith: .success) {
            try await PeerListener.with { listener in
                func visit() async throws -> Int {
                    try await withTestLink(.link(delay: .milliseconds(1)), to: listener) { link in
                        let client = try await link.connect()
                        let host = try await listener.accept()
                        let open = try Process.openDescriptors()
                        try await client.reset()
                        try await host.channel.closeFuture.get()
                        return open
                    }
                }
                // The first visit also opens what the test itself keeps.
                _ = try await visit()
                let before = try Process.openDescriptors()
                let during = try await visit()
                // The count includes what a live link holds: its loop, two listeners, four sockets.
                try #require(during >= before + 6)
                #expect(try Process.openDescriptors() == before)
            }
        }
    }

    @Test func aThousandIdleConnectionsCostLittleMemory() async {
        await #expect(processExitsWith: .success) {
            try await PeerListener.with { listener in
                try await withTestLink(.link(rate: 50_000_000, delay: .milliseconds(1)), to: listener) { link in
                    var peers: [Peer] = []
                    let before = try Process.residentBytes()
                    for _ in 0..<1000 {
                        let (client, host) = (try await link.connect(), try await listener.accept())
                        for (sender, receiver) in [(client, host), (host, client)] {
                            try await sender.send("through")
                            _ = await receiver.receive(7)
                        }
                        peers += [client, host]
                    }
                    try #require(try await link.counters().open.count == 1000)
                    let grown = try Process.residentBytes() - before
                    // This includes the test's own 2,000 sockets.
                    #expect(grown < 64 * 1024 * 1024)
                    try await link.close()
                    withExtendedLifetime(peers) {}
                }
            }
        }
    }
}
