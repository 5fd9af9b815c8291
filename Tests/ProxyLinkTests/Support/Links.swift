import LinkModel
import NIOCore
import NIOPosix
import ProxyLink
import Testing

extension Profile {
    static let open = Profile(name: "open")

    /// The same conditions in both directions.
    static func link(rate: Int64? = nil, delay: Duration = .zero, loss: Ratio? = nil) -> Profile {
        Profile(name: "test", conditions: .link(rate: rate, delay: delay, loss: loss))
    }
}

extension LinkConditions {
    static func link(rate: Int64? = nil, delay: Duration = .zero, loss: Ratio? = nil) -> LinkConditions {
        let conditions = Conditions(
            rate: rate.map { BitRate(bitsPerSecond: $0) }, delay: delay, loss: loss.map { .random($0) })
        return LinkConditions(downlink: conditions, uplink: conditions)
    }

    static func offline(_ kind: OfflineKind) -> LinkConditions { LinkConditions(offline: kind) }
}

/// A link with one reverse listener to `listener`, and a forward proxy that goes anywhere.
func withTestLink<Result>(
    _ profile: Profile = .open,
    to listener: PeerListener,
    seed: UInt64 = 0,
    schedule: FaultSchedule? = nil,
    limits: ProxyLimits = ProxyLimits(),
    routes: [Endpoint: Endpoint] = [:],
    _ body: (ProxyLink) async throws -> Result
) async throws -> Result {
    let configuration = ProxyLinkConfiguration(
        profile: profile, seed: seed, schedule: schedule, reverse: [.init(target: listener.endpoint)],
        routes: RouteTable(routes: routes, policy: .direct), limits: limits)
    return try await withProxyLink(configuration, body)
}

extension ProxyLink {
    func connect(reads: Bool = true) async throws -> Peer {
        try await Peer.connect(to: reverseAddresses[0], reads: reads)
    }

    func connectToProxy() async throws -> Peer { try await Peer.connect(to: #require(forwardAddress)) }

    /// Waits for the first event for which `pick` returns a value; nil if the events end first.
    func event<Value>(_ pick: (LinkEvent) -> Value?) async -> Value? {
        for await event in events {
            if let value = pick(event) { return value }
        }
        return nil
    }
}

/// Bytes that depend on their position, so that any change of order shows.
func pattern(_ count: Int, from start: Int = 0) -> [UInt8] {
    (start..<start + count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}
