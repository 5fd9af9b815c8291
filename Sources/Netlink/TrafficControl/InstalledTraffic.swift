import CNetlink

/// A queue, a class or a filter, as the kernel reports it.
package struct InstalledTraffic: Sendable {
    /// The index of its interface.
    package let interface: UInt32
    package let handle: TrafficHandle
    package let parent: TrafficHandle
    /// For a filter: its priority in the upper 16 bits, and its protocol as in a hardware's header in the lower ones.
    package let info: UInt32
    package let kind: String
    /// The options of its kind.
    package let options: ReceivedBytes
    /// See ``TrafficQueue/overhead``.
    package let overhead: Int32?
    /// Whether its filters are those of a block, which several queues may share.
    package let hasBlock: Bool
    /// Its table of sizes, see tc-stab(8), as the kernel reports it; nil if it has none.
    package let sizes: ReceivedBytes?
    /// Whether it has a table of sizes, or an estimator of its rate, which its options do not include.
    package let hasExtras: Bool
    package let counters: TrafficCounters

    init?(_ reply: RouteReply) {
        let body = reply.body
        guard let interface = body.integer(at: 4, as: UInt32.self), let handle = body.integer(at: 8, as: UInt32.self),
            let parent = body.integer(at: 12, as: UInt32.self), let info = body.integer(at: 16, as: UInt32.self)
        else { return nil }
        let attributes = reply.attributes(after: Self.headerSize)
        (self.interface, self.info) = (interface, info)
        (self.handle, self.parent) = (TrafficHandle(number: handle), TrafficHandle(number: parent))
        kind = attributes[Int(TCA_KIND)]?.text ?? ""
        options = attributes[Int(TCA_OPTIONS)] ?? ReceivedBytes([])
        overhead = attributes.nested(Int(TCA_STAB))[Int(TCA_STAB_BASE)]?.integer(at: 4)
        hasBlock = [TCA_INGRESS_BLOCK, TCA_EGRESS_BLOCK].contains { attributes[Int($0)] != nil }
        sizes = attributes[Int(TCA_STAB)]
        hasExtras = sizes != nil || attributes.nested(Int(TCA_STATS2))[Int(TCA_STATS_RATE_EST)] != nil
        counters = TrafficCounters(attributes.nested(Int(TCA_STATS2)))
    }

    /// The rate of a `tbf` or of a class of an `htb`, in bytes per second; nil for others.
    package var bucketRate: UInt64? {
        let attributes = ReceivedAttributes(options)
        return switch kind {
        case "tbf": ByteRate.read(attributes[Int(TCA_TBF_PARMS)], long: attributes[Int(TCA_TBF_RATE64)])
        case "htb": ByteRate.read(attributes[Int(TCA_HTB_PARMS)], long: attributes[Int(TCA_HTB_RATE64)])
        default: nil
        }
    }

    private static let headerSize = 20
}

extension RouteMessage {
    /// The request to make a queue again, at the root of an interface that has no other queue there.
    ///
    /// `options`: as the kernel reported them.
    package static func restoration(
        of kind: String, _ handle: TrafficHandle, options: [UInt8], on interface: NetworkInterface
    ) -> RouteMessage {
        let purpose = RequestPurpose("put the \(kind) queue \(handle) back at root of interface \(interface)")
        let header = trafficHeader(interface, handle: handle, parent: .root)
        return RouteMessage(RTM_NEWQDISC, flags: NLM_F_CREATE | NLM_F_EXCL, header: header, for: purpose) {
            $0.add(Int(TCA_KIND), kind)
            if !options.isEmpty { $0.add(Int(TCA_OPTIONS), options) }
        }
    }
}

/// What has gone through a queue or a class, and what waits in it.
package struct TrafficCounters: Hashable, Sendable {
    /// Sent on; counted as the queue counts packets, see ``TrafficQueue/overhead``.
    package var bytes: UInt64 = 0
    package var packets: UInt64 = 0
    /// Dropped for lack of room, or at random; the kernel begins again after 2³² − 1.
    package var drops: UInt32 = 0
    /// How often something had to wait for its rate.
    package var waits: UInt32 = 0
    package var queuedPackets: UInt32 = 0
    package var queuedBytes: UInt32 = 0

    package init() {}

    /// Reads `TCA_STATS2`; what is not there stays 0.
    init(_ statistics: ReceivedAttributes) {
        if let basic = statistics[Int(TCA_STATS_BASIC)] {
            bytes = basic.integer(at: 0) ?? 0
            packets = UInt64(basic.integer(at: 8, as: UInt32.self) ?? 0)
        }
        // In 64 bits if 32 are too few.
        if let long = statistics[Int(TCA_STATS_PKT64)]?.integer(as: UInt64.self) { packets = long }
        guard let queue = statistics[Int(TCA_STATS_QUEUE)] else { return }
        queuedPackets = queue.integer(at: 0) ?? 0
        queuedBytes = queue.integer(at: 4) ?? 0
        drops = queue.integer(at: 8) ?? 0
        waits = queue.integer(at: 16) ?? 0
    }
}

/// A property that is not what it was set to.
package struct Difference: Hashable, Sendable, CustomStringConvertible {
    /// Such as "the limit of the netem queue 2:".
    package let property: String
    package let wanted: String
    package let found: String

    package init(property: String, wanted: String, found: String) {
        (self.property, self.wanted, self.found) = (property, wanted, found)
    }

    package var description: String { "\(property) is \(found), not \(wanted)" }

    /// The difference between two values, if there is one.
    static func between<Value: Equatable>(_ property: String, _ wanted: Value, _ found: Value?) -> [Difference] {
        guard wanted != found else { return [] }
        let found = found.map { "\($0)" } ?? "unknown"
        return [Difference(property: property, wanted: "\(wanted)", found: found)]
    }

    /// The difference between two times in ticks, except the kernel's rounding.
    static func between(_ property: String, ticks wanted: UInt32, _ found: UInt32?) -> [Difference] {
        let tolerance = Int64(wanted) / 1000 + 2
        if let found, abs(Int64(wanted) - Int64(found)) <= tolerance { return [] }
        return between(property, wanted, found)
    }
}
