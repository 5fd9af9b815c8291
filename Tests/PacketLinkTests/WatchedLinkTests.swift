import Foundation
import Glibc
import LinkModel
import PacketLink
import SystemPackage
import Testbed
import Testing

/// A link that moves no packets, and counts those that a router moves.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct WatchedLinkTests {
    /// A thread that has not run for a while counts and reports all packets of that time.
    @Test func countersAreCompleteAfterADelay() async throws {
        let size = 2_000_000
        var configuration = SandboxConfiguration()
        configuration.link = .router
        let (counters, events) = try await withSandbox(configuration) { sandbox in
            var watch = PacketLinkConfiguration(
                profile: Profile(name: "watched", conditions: LinkConditions(mtu: 1 << 16)))
            watch.watches = true
            return try await withPacketLink(watch, client: sandbox.clientTap, host: sandbox.hostTap) { link in
                let (entered, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                let busy = Task.detached {
                    try await link.update { _ in
                        entered.signal()
                        released.wait()
                    }
                }
                await Self.wait(for: entered)
                do {
                    defer { released.signal() }
                    try await Self.download(size, in: sandbox)
                }
                await link.close()
                _ = try await busy.value
                var events: [LinkEvent] = []
                for await event in link.events { events.append(event) }
                return (try await link.counters(), events)
            }
        }
        let flow = try #require(counters.known.first { $0.downlink > 0 })
        #expect(flow.downlink == Int64(size) && counters.link.downlink.payload == Int64(size))
        #expect(counters.missedPackets == 0)
        #expect(events.contains { $0.kind == .delivered(direction: .downlink, total: Int64(size)) })
    }

    private static func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Foundation.Thread {
                semaphore.wait()
                continuation.resume()
            }.start()
        }
    }

    private static func download(_ size: Int, in sandbox: Sandbox) async throws {
        try await TestSocket.with(sandbox, on: .host, .tcp, listens: true, v6: false) { listener in
            try await TestSocket.with(sandbox, on: .client, .tcp, v6: false) { client in
                try client.connect(toPort: listener.port, v6: false)
                try await listener.accepted { host in
                    // Sends on a thread of its own: with one processor, all tasks share one thread.
                    let sent = DispatchSemaphore(value: 0)
                    Foundation.Thread.detachNewThread {
                        try? host.send([UInt8](repeating: 7, count: size))
                        shutdown(host.descriptor.rawValue, Int32(SHUT_WR))
                        sent.signal()
                    }
                    var count = 0
                    while case let piece = try client.receive(), !piece.isEmpty { count += piece.count }
                    await Self.wait(for: sent)
                    #expect(count == size)
                    try client.descriptor.close()
                }
            }
        }
    }
}
