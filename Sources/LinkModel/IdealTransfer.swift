/// A perfect transfer over a link, whose duration budgets call `ideal`.
///
/// It includes what no client can avoid: the profile's rate and delay over time, a connection, a request, headers on
/// the wire, and slow start from ten segments. It meets no loss, no full queue and no scripted fault.
package struct IdealTransfer: Sendable, Hashable {
    /// Bytes of a request with its headers (default: 200), and of a response's head (default: 300).
    package var requestBytes: Int
    package var headBytes: Int
    /// The bytes of each body; bodies are requested one after the other.
    package var bodies: [Int64]
    /// How many connections share the transfer, each with a window of its own (default: 1).
    package var connections: Int
    /// Whether a name is looked up first (default: false).
    package var looksUpName: Bool
    /// Bytes that each end sends in turn before the request, the client first (default: none), such as ``tlsExchange``.
    package var exchange: [Int]

    package init(
        bodies: [Int64], connections: Int = 1, requestBytes: Int = 200, headBytes: Int = 300, looksUpName: Bool = false,
        exchange: [Int] = []
    ) {
        precondition(!bodies.isEmpty && connections > 0, "a transfer has a body and a connection")
        self.bodies = bodies
        self.connections = connections
        self.requestBytes = requestBytes
        self.headBytes = headBytes
        self.looksUpName = looksUpName
        self.exchange = exchange
    }

    /// A TLS 1.3 handshake with a certificate of usual size (RFC 8446), which costs one round trip.
    package static let tlsExchange = [517, 2100, 80]

    /// The duration from the start of the connection to each event.
    package struct Times: Sendable, Hashable {
        package var connected: Duration
        package var firstByte: Duration
        package var complete: Duration
    }

    /// Runs the transfer in virtual time; nil if the link does not deliver it within an hour.
    ///
    /// It starts when the link has been up for `delay` (default: 0), which matters if the profile changes over time.
    package func times(over profile: Profile, after delay: Duration = .zero) -> Times? {
        var perfect = profile
        perfect.conditions = Self.withoutFaults(profile.conditions)
        perfect.changes = profile.changes.map { .init(at: $0.at, conditions: Self.withoutFaults($0.conditions)) }
        var parameters = TransportParameters()
        parameters.losesAtFullQueue = false
        parameters.initialWindow *= connections
        parameters.receiveWindow = .max
        guard !takesTooLong(over: perfect) else { return nil }
        let start = Instant(nanoseconds: 0)
        var run = Run(transfer: self, link: StreamLink(profile: perfect, seed: 0, start: start, parameters: parameters))
        return run.times(from: start + delay)
    }

    /// Whether the bodies alone take longer than an hour at the highest rate that the link ever has.
    private func takesTooLong(over profile: Profile) -> Bool {
        let rates = profile.allConditions.map(\.downlink.rate?.bitsPerSecond)
        let limit = Double(Run.limit.components.seconds)
        return rates.allSatisfy { $0.map { Double(bodies.reduce(0, +)) * 8 > Double($0) * limit } ?? false }
    }

    private static func withoutFaults(_ conditions: LinkConditions) -> LinkConditions {
        var perfect = conditions
        for direction in Direction.allCases {
            perfect[direction].loss = nil
            perfect[direction].corrupt = .zero
            perfect[direction].jitter = nil
        }
        return perfect
    }
}

/// One transfer under way.
private struct Run {
    let transfer: IdealTransfer
    var link: StreamLink
    /// What is still to be sent, in turns: the end that sends, and how many bytes.
    private var turns: [(end: End, count: Int64)] = []
    private var awaited: Int64 = 0
    /// The number of turns that are left when the first body is on its way.
    private var bodyTurns = 0

    static let limit = Duration.seconds(3600)

    init(transfer: IdealTransfer, link: StreamLink) {
        self.transfer = transfer
        self.link = link
        for (index, count) in transfer.exchange.enumerated() {
            turns.append((index.isMultiple(of: 2) ? .client : .host, Int64(count)))
        }
        for body in transfer.bodies {
            turns.append((.client, Int64(transfer.requestBytes)))
            turns.append((.host, Int64(transfer.headBytes) + body))
        }
        bodyTurns = 2 * (transfer.bodies.count - 1)
    }

    mutating func times(from start: Instant) -> IdealTransfer.Times? {
        let id = link.open(key: "ideal", lookup: transfer.looksUpName ? "ideal" : nil, at: start)
        var connected: Instant?
        var firstByte: Instant?
        while let due = link.nextDeadline, start.duration(to: due) < Self.limit {
            while let event = link.poll(at: due) {
                switch event {
                case .connected(_, let at):
                    connected = at
                    takeTurn(id, at: at)
                case .delivered(_, _, let count, let at):
                    if turns.count == bodyTurns, firstByte == nil { firstByte = at }
                    awaited -= Int64(count)
                    guard awaited <= 0 else { continue }
                    guard turns.isEmpty else {
                        takeTurn(id, at: at)
                        continue
                    }
                    guard let connected, let firstByte else { return nil }
                    return IdealTransfer.Times(
                        connected: start.duration(to: connected),
                        firstByte: start.duration(to: firstByte),
                        complete: start.duration(to: at)
                    )
                case .failed, .finished, .reset, .decision:
                    continue
                }
            }
        }
        return nil
    }

    /// Sends the next turn, and those of the same end that follow it directly.
    private mutating func takeTurn(_ id: StreamID, at now: Instant) {
        guard let end = turns.first?.end else { return }
        while let turn = turns.first, turn.end == end {
            turns.removeFirst()
            awaited += turn.count
            link.send(Int(turn.count), from: turn.end, on: id, at: now)
        }
    }
}
