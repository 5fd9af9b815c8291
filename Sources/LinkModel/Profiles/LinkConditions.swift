/// The conditions of a whole link at one instant.
package struct LinkConditions: Hashable, Sendable {
    package var downlink: Conditions
    package var uplink: Conditions
    /// How the link is offline; nil (the default) is online.
    package var offline: OfflineKind?
    /// A stall: packets wait at the head of their queues and nothing is lost.
    package var isHeld: Bool
    /// Added to each name lookup, on the query's way; 0 by default.
    package var dnsDelay: Duration
    /// Largest IP packet in bytes, 1500 by default (RFC 894).
    package var mtu: Int

    package init(
        downlink: Conditions = Conditions(),
        uplink: Conditions = Conditions(),
        offline: OfflineKind? = nil,
        isHeld: Bool = false,
        dnsDelay: Duration = .zero,
        mtu: Int = 1500
    ) {
        self.downlink = downlink
        self.uplink = uplink
        self.offline = offline
        self.isHeld = isHeld
        self.dnsDelay = dnsDelay
        self.mtu = mtu
    }

    package subscript(direction: Direction) -> Conditions {
        get { direction == .downlink ? downlink : uplink }
        set {
            switch direction {
            case .downlink: downlink = newValue
            case .uplink: uplink = newValue
            }
        }
    }

    /// The two one-way delays together; queueing and transmission come on top.
    package var rtt: Duration { downlink.delay + uplink.delay }

    /// Whether the link lets everything pass at once.
    package var isUnshaped: Bool {
        offline == nil && !isHeld && dnsDelay == .zero && downlink.isUnshaped && uplink.isUnshaped
    }

    /// The size of a direction's queue in bytes; nil if nothing ever waits.
    ///
    /// If the profile does not say: the larger of 50 packets and the bandwidth-delay product.
    package func queueBytes(_ direction: Direction) -> Int? {
        switch self[direction].queue {
        case .bytes(let count): return Int(count.bytes)
        case .packets(let count): return count * mtu
        case nil:
            guard let rate = self[direction].rate else { return nil }
            let product = rate.bitsPerSecond.multipliedFullWidth(by: rtt.nanoseconds)
            let bytes = Int64(8_000_000_000).dividingFullWidth(product).quotient
            return max(Self.fewestPackets * mtu, Int(bytes))
        }
    }

    private static let fewestPackets = 50

    /// Bytes that the kernel's token bucket sends at once after a pause: two packets, or 1 ms of the rate if that is
    /// more.
    ///
    /// 0 without a rate. The model sends no such burst.
    package func bucketBytes(_ direction: Direction) -> Int64 {
        guard let rate = self[direction].rate else { return 0 }
        return max(2 * Int64(mtu), rate.bitsPerSecond / 8000)
    }
}

/// What a client meets while a link is offline.
package enum OfflineKind: String, CaseIterable, Sendable, Codable {
    /// The client has no route: connecting fails at once (ENETUNREACH); open connections go silent.
    case noRoute = "no-route"
    /// Packets vanish: connecting and open connections wait for their own timeouts.
    case silent
    /// The far end refuses: connecting is answered with RST after a round trip (ECONNREFUSED); open connections are
    /// reset.
    case refused
    /// Names cannot be resolved (NXDOMAIN); addresses and open connections still work.
    case noName = "no-name"
}
