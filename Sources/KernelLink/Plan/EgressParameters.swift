import LinkModel
import Netlink

/// The parameters of an egress, in the kernel's units.
struct EgressParameters {
    let layout: QueueLayout
    private let link: LinkConditions
    private let conditions: Conditions
    private let seed: UInt64?

    /// Takes conditions that the queues support, see ``KernelObstacles``.
    init(_ link: LinkConditions, _ layout: QueueLayout, seed: UInt64?) {
        (self.link, self.layout, self.seed) = (link, layout, seed)
        conditions = link[layout.direction]
    }

    /// Unlimited is 1 Tbit/s.
    var rate: ByteRate { conditions.rate.flatMap(ByteRate.init(nearest:)) ?? Netem.orderly }

    /// Bytes that may be sent at once after a pause: two packets, or 1 ms of the rate if that is more.
    var burst: UInt32 { max(quantum * 2, UInt32(clamping: rate.bytesPerSecond / 1000)) }

    /// The size of the largest packet, in bytes.
    var quantum: UInt32 { UInt32(clamping: link.mtu) }

    /// The size of the queue, in packets or in bytes as the layout says; 0 while the link is silent.
    var queueLimit: UInt32 {
        if isSilentQueue { return 0 }
        guard conditions.rate != nil else { return Self.unlimitedQueue }
        if layout.countsPackets, case .packets(let count) = conditions.queue { return UInt32(clamping: count) }
        return UInt32(clamping: link.queueBytes(layout.direction) ?? 0)
    }

    var queue: QueueDiscipline {
        layout.countsPackets ? .packetFIFO(packets: queueLimit) : .byteFIFO(bytes: queueLimit)
    }

    /// Everything but rate and queue; `later` is added to the delay.
    func netem(later: Duration = .zero) -> Netem {
        var netem = Netem(limit: Self.packetLimit(link, layout.direction, later: later))
        netem.delay = (conditions.delay + later).nanoseconds
        // At this rate no packet overtakes another, whatever the jitter, even when the delay decreases.
        netem.rate = Netem.orderly
        netem.seed = seed
        if let jitter = conditions.jitter {
            netem.jitter = jitter.amount.nanoseconds
            netem.distribution = jitter.distribution == .normal ? .normal : .uniform
        }
        netem.loss = link.isSilent(layout.direction) ? .random(.always) : conditions.loss?.netem ?? .random(.never)
        netem.duplicate = Probability(partsPerBillion: conditions.duplicate.partsPerBillion)
        netem.corrupt = Probability(partsPerBillion: conditions.corrupt.partsPerBillion)
        // Without a delay there is nothing to skip.
        if netem.delay > 0 { netem.reorder = Probability(partsPerBillion: conditions.reorder.partsPerBillion) }
        return netem
    }

    /// The most packets that netem may hold: twice the packets of 64 bytes that can be under way and wait, and 1000 at
    /// least.
    ///
    /// 1,000,000 at most. Without a rate the number of packets is unknown; the limit is then 100,000, which takes some
    /// 256 MiB of the kernel's memory.
    static func packetLimit(_ link: LinkConditions, _ direction: Direction, later: Duration) -> UInt32 {
        guard let bytes = bytesUnderWay(link, direction, later: later) else { return packetsWithoutRate }
        return UInt32(min(max(1000, 2 * bytes / smallestPacket), Double(mostPackets)))
    }

    /// Bytes that can be under way at the rate, and wait for it; nil without a rate.
    static func bytesUnderWay(_ link: LinkConditions, _ direction: Direction, later: Duration) -> Double? {
        let conditions = link[direction]
        guard let rate = conditions.rate else { return nil }
        // No draw from a normal distribution is more than three jitters away.
        let longest = conditions.delay + later + (conditions.jitter?.amount ?? .zero) * 3
        return Double(rate.bitsPerSecond) / 8 * longest.seconds + Double(link.queueBytes(direction) ?? 0)
    }

    /// Whether a queue without room makes the link silent, because there is no netem.
    private var isSilentQueue: Bool { !layout.hasNetem && link.isSilent(layout.direction) }

    static let mostPackets = 1_000_000
    private static let packetsWithoutRate: UInt32 = 100_000
    private static let smallestPacket = 64.0
    /// In bytes, or packets; nothing waits for 1 Tbit/s.
    private static let unlimitedQueue: UInt32 = 1 << 28
}

extension ByteRate {
    /// The nearest whole number of bytes per second; nil if that is 0.
    init?(nearest rate: BitRate) {
        let bytes = (UInt64(rate.bitsPerSecond) + 4) / 8
        guard bytes > 0 else { return nil }
        self.init(bytesPerSecond: bytes)
    }
}

extension DelayDistribution {
    /// The normal distribution as in LinkModel: cut off at three standard deviations.
    static let normal = DelayDistribution { Jitter.Distribution.normal.quantile($0) }
}

extension Loss {
    fileprivate var netem: Netem.Loss {
        switch self {
        case .random(let ratio): .random(Probability(partsPerBillion: ratio.partsPerBillion))
        case .gilbertElliott(let model):
            .gilbertElliott(
                goodToBad: Probability(partsPerBillion: model.goodToBad.partsPerBillion),
                badToGood: Probability(partsPerBillion: model.badToGood.partsPerBillion),
                inBad: Probability(partsPerBillion: model.lossInBad.partsPerBillion),
                inGood: Probability(partsPerBillion: model.lossInGood.partsPerBillion))
        }
    }
}
