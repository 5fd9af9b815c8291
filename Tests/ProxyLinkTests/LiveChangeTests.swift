import LinkModel
import NIOCore
import Testing

@testable import ProxyLink

@Suite(.timeLimit(.minutes(1)))
struct LiveChangeTests {
    /// Real sockets and many connections, while the link switches between its two paths all the time.
    @Test func changesUnderTrafficKeepOrderAndLoseNothing() async throws {
        let size = 1_000_000
        let whole = pattern(size)
        let steps: [LinkConditions] = [
            .link(rate: 400_000_000, delay: .milliseconds(1)), LinkConditions(), .link(delay: .milliseconds(2)),
            .link(rate: 100_000_000), LinkConditions(),
        ]
        try await PeerListener.with { listener in
            try await withTestLink(to: listener) { link in
                let changes = Task {
                    var step = 0
                    while !Task.isCancelled {
                        try await link.set(steps[step % steps.count])
                        step += 1
                        // Yields until some bytes have crossed under these conditions.
                        let before = try await link.counters().payload
                        while !Task.isCancelled, try await link.counters().payload == before { await Task.yield() }
                    }
                    try await link.set(LinkConditions())
                    return step
                }
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    for _ in 0..<6 {
                        let client = try await link.connect()
                        let host = try await listener.accept()
                        for (from, to) in [(client, host), (host, client)] {
                            group.addTask {
                                for start in stride(from: 0, to: size, by: 20_000) {
                                    try await from.send(Array(whole[start..<start + 20_000]))
                                }
                                try await from.finish()
                                return true
                            }
                            group.addTask { await to.receiveAll() == (whole, .end) }
                        }
                    }
                    for try await isWhole in group { #expect(isWhole) }
                }
                changes.cancel()
                #expect(try await changes.value > steps.count)
                let counters = try await link.counters()
                #expect(counters.payload == PerDirection(downlink: Int64(6 * size), uplink: Int64(6 * size)))
                #expect(counters.relayed.downlink > 0 && counters.link.downlink.payload > 0)
                #expect(counters.relayed.downlink + counters.link.downlink.payload == counters.payload.downlink)
            }
        }
    }
}
