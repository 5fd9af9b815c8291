import LinkModel
import Testing

/// How streams share a full queue.
@Suite struct StreamQueueTests {
    /// A queue that drops the newest packets of a stream can drop its last ones: the stream then waits for a probe.
    @Test(arguments: [400, 450, 500, 550])
    func `a stream that joins a full queue does not stall the end of another`(milliseconds: Int) {
        let origin = Instant(nanoseconds: 0)
        var link = StreamLink(profile: .threeG, seed: 7, start: origin)
        var received: [StreamID: (bytes: Int, last: Instant)] = [:]
        func run(until end: Instant) {
            while let due = link.nextDeadline, due < end {
                while let event = link.poll(at: due) {
                    guard case .delivered(let id, .client, let count, let at) = event else { continue }
                    received[id] = ((received[id]?.bytes ?? 0) + count, at)
                }
            }
        }
        let first = link.open(key: "/a", at: origin)
        // The window of the first stream grows.
        link.send(60_000, from: .host, on: first, at: origin)
        run(until: origin + .seconds(3))
        link.send(140_000, from: .host, on: first, at: origin + .seconds(3))
        let joins = origin + .seconds(3) + .milliseconds(milliseconds)
        run(until: joins)
        let second = link.open(key: "/b", at: joins)
        link.send(41_000, from: .host, on: second, at: joins)
        run(until: origin + .seconds(30))
        #expect(received[first]?.bytes == 200_000)
        // 181 kB take 1.9 s at 780 kbit/s.
        let end = origin.duration(to: received[first]?.last ?? origin)
        #expect(end < .milliseconds(5500), "it ends after \(end)")
    }
}
