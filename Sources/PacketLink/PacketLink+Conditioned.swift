package import LinkModel

extension PacketLink {
    package func use() async throws -> LinkUse {
        let counters = try await counters()
        var use = LinkUse()
        use.payload = counters.link.map(\.payload)
        use.model = counters.link
        use.connections = counters.flows - counters.known.count { $0.key.isToAllNeighbours }
        use.hasUnansweredPings = counters.hasUnansweredPings
        use.delivered = Dictionary(counters.known.map { ($0.ordinal, $0.downlink) }) { $1 }
        use.droppedEvents = counters.droppedEvents
        use.meter = try await samples()
        use.captureFailure = counters.capture?.failure.map { "\($0)" }
        use.uncapturedPackets = counters.capture?.missedPackets ?? 0
        use.record = try await record()
        use.unseenPackets = counters.missedPackets
        return use
    }
}

extension PacketLinkCounters {
    /// The protocol numbers of ICMP and ICMPv6 (RFC 792, RFC 4443).
    private static let pingProtocols: [UInt8] = [1, 58]

    fileprivate var hasUnansweredPings: Bool {
        let pings = known.filter { Self.pingProtocols.contains($0.key.transport) && $0.uplink > 0 }
        return !pings.isEmpty && pings.allSatisfy { $0.downlink == 0 }
    }
}

extension FlowKey {
    /// Whether it is IPv6 multicast of a kernel to all of its neighbours, which no program requested (RFC 4291).
    fileprivate var isToAllNeighbours: Bool { "\(self)".contains("[ff02:") }
}
