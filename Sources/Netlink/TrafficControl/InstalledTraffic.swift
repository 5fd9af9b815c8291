import CNetlink

/// What the kernel tells of a queue, a class or a filter.
package struct InstalledTraffic: Sendable {
    /// The index of its interface.
    package let interface: UInt32
    package let handle: TrafficHandle
    package let parent: TrafficHandle
    /// Of a filter: its priority, and its protocol as it is in a hardware's header.
    package let info: UInt32
    package let kind: String
    /// What is particular to its kind.
    package let options: ReceivedBytes
    /// See ``TrafficQueue/overhead``.
    package let overhead: Int32?
    /// Whether its filters are those of a block, which several queues may have.
    package let hasBlock: Bool
    /// Its table of sizes, see tc-stab(8), as the kernel tells it.
    package let sizes: ReceivedBytes?
    /// Whether it has a table of sizes, or an estimator of its rate: what its options do not tell.
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

    /// Of a `tbf`, and of a class of an `htb`, its rate in bytes per second; nil of others.
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

extension InstalledTraffic {
    /// What it takes to make a queue again that the kernel has told of.
    package struct Memory: Hashable, Sendable {
        package var kind: String
        package var handle: TrafficHandle
        /// As the kernel told them.
        package var options: [UInt8]

        package init(kind: String, handle: TrafficHandle, options: [UInt8]) {
            (self.kind, self.handle, self.options) = (kind, handle, options)
        }

        /// The request to make it at the root of an interface where nothing is.
        package func restoration(on interface: NetworkInterface) -> RouteMessage {
            let purpose = RequestPurpose("put the \(kind) queue \(handle) back at root of interface \(interface)")
            let header = trafficHeader(interface, handle: handle, parent: .root)
            return RouteMessage(RTM_NEWQDISC, flags: NLM_F_CREATE | NLM_F_EXCL, header: header, for: purpose) {
                $0.add(Int(TCA_KIND), kind)
                if !options.isEmpty { $0.add(Int(TCA_OPTIONS), options) }
            }
        }
    }

    package var memory: Memory { Memory(kind: kind, handle: handle, options: options.array) }
}
