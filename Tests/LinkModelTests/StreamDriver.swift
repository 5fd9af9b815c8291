import LinkModel

/// Runs a download over a ``StreamLink`` in virtual time and notes what its programs would see.
struct StreamDriver {
    var link: StreamLink
    private(set) var decisions: [String] = []
    private(set) var deliveries: [(at: Instant, count: Int)] = []

    struct Outcome {
        var connected: Duration
        var firstByte: Duration
        var complete: Duration
        var longestGap: Duration
    }

    private(set) var resets: [End] = []

    init(_ profile: Profile, seed: UInt64 = 1, schedule: FaultSchedule? = nil) {
        link = StreamLink(profile: profile, seed: seed, start: Instant(nanoseconds: 0), schedule: schedule)
    }

    /// Connects, requests and receives; nil if the transfer fails or takes longer than `limit`, 600 s by default.
    mutating func download(_ bytes: Int, key: String = "/a", limit: Duration = .seconds(600)) -> Outcome? {
        let start = Instant(nanoseconds: 0)
        let id = link.open(key: key, at: start)
        var connected: Instant?
        var requested = 0
        var received = 0
        while let due = link.nextDeadline, start.duration(to: due) < limit {
            while let event = link.poll(at: due) {
                switch event {
                case .connected(_, let at):
                    connected = at
                    link.send(200, from: .client, on: id, at: at)
                case .delivered(_, .host, let count, let at):
                    requested += count
                    if requested == 200 { link.send(bytes, from: .host, on: id, at: at) }
                case .delivered(_, .client, let count, let at):
                    received += count
                    deliveries.append((at, count))
                case .decision(let decision):
                    decisions.append(decision.line)
                case .reset(_, let end, _):
                    resets.append(end)
                    return nil
                case .failed:
                    return nil
                case .finished:
                    break
                }
            }
            if received == bytes { break }
        }
        guard received == bytes, let connected, let first = deliveries.first, let last = deliveries.last else {
            return nil
        }
        let gaps = zip(deliveries, deliveries.dropFirst()).map { $0.at.duration(to: $1.at) }
        return Outcome(
            connected: start.duration(to: connected), firstByte: start.duration(to: first.at),
            complete: start.duration(to: last.at), longestGap: gaps.max() ?? .zero)
    }
}
