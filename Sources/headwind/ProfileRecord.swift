import LinkModel

/// A profile as `--format json` prints it; what is absent is left alone by the profile.
struct ProfileRecord: Encodable {
    private let profile: Profile

    init(_ profile: Profile) {
        self.profile = profile
    }

    private enum CodingKeys: String, CodingKey {
        case name, title, summary, source, conditions, changes, stall
        case repeatsEvery = "repeats_every_ms"
        case downlinkTrace = "downlink_trace"
        case uplinkTrace = "uplink_trace"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(profile.name, forKey: .name)
        try container.encode(profile.title, forKey: .title)
        try container.encode(profile.summary, forKey: .summary)
        try container.encode(profile.source, forKey: .source)
        try container.encode(LinkRecord(at: nil, link: profile.conditions), forKey: .conditions)
        if !profile.changes.isEmpty {
            let changes = profile.changes.map { LinkRecord(at: $0.at, link: $0.conditions) }
            try container.encode(changes, forKey: .changes)
        }
        try container.encodeIfPresent(profile.repeatsEvery?.milliseconds, forKey: .repeatsEvery)
        try container.encodeIfPresent(profile.stall.map(StallRecord.init), forKey: .stall)
        try container.encodeIfPresent(profile.downlinkTrace.map(TraceRecord.init), forKey: .downlinkTrace)
        try container.encodeIfPresent(profile.uplinkTrace.map(TraceRecord.init), forKey: .uplinkTrace)
    }
}

/// What holds on a link, from a moment on.
private struct LinkRecord: Encodable {
    let at: Duration?
    let link: LinkConditions

    private enum CodingKeys: String, CodingKey {
        case downlink, uplink, offline
        case at = "at_ms"
        case rtt = "rtt_ms"
        case dnsDelay = "dns_delay_ms"
        case mtu = "mtu_bytes"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(at?.milliseconds, forKey: .at)
        try container.encode(DirectionRecord(conditions: link.downlink), forKey: .downlink)
        try container.encode(DirectionRecord(conditions: link.uplink), forKey: .uplink)
        try container.encodeIfPresent(link.offline, forKey: .offline)
        try container.encode(link.rtt.milliseconds, forKey: .rtt)
        try container.encode(link.dnsDelay.milliseconds, forKey: .dnsDelay)
        try container.encode(link.mtu, forKey: .mtu)
    }
}

/// One direction of a link.
private struct DirectionRecord: Encodable {
    let conditions: Conditions

    private enum CodingKeys: String, CodingKey {
        case rate = "rate_bits_per_second"
        case delay = "one_way_delay_ms"
        case jitter = "jitter_ms"
        case distribution = "jitter_distribution"
        case loss = "loss_percent"
        case isBursty = "loss_in_bursts"
        case duplicate = "duplicate_percent"
        case reorder = "reorder_percent"
        case corrupt = "corrupt_percent"
        case queueBytes = "queue_bytes"
        case queuePackets = "queue_packets"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(conditions.rate?.bitsPerSecond, forKey: .rate)
        try container.encode(conditions.delay.milliseconds, forKey: .delay)
        try container.encodeIfPresent(conditions.jitter?.amount.milliseconds, forKey: .jitter)
        try container.encodeIfPresent(conditions.jitter?.distribution.rawValue, forKey: .distribution)
        try container.encode((conditions.loss?.mean ?? 0) * 100, forKey: .loss)
        if case .gilbertElliott = conditions.loss { try container.encode(true, forKey: .isBursty) }
        try container.encode(conditions.duplicate.fraction * 100, forKey: .duplicate)
        try container.encode(conditions.reorder.fraction * 100, forKey: .reorder)
        try container.encode(conditions.corrupt.fraction * 100, forKey: .corrupt)
        switch conditions.queue {
        case .bytes(let size): try container.encode(size.bytes, forKey: .queueBytes)
        case .packets(let count): try container.encode(count, forKey: .queuePackets)
        case nil: break
        }
    }
}

/// A stall that comes back.
private struct StallRecord: Encodable {
    let every: Double
    let length: Double

    init(_ stall: Profile.PeriodicStall) {
        every = stall.period.milliseconds
        length = stall.length.milliseconds
    }

    private enum CodingKeys: String, CodingKey {
        case every = "every_ms"
        case length = "for_ms"
    }
}

/// A recorded link, in short.
private struct TraceRecord: Encodable {
    let period: UInt32
    let meanRate: Double

    init(_ trace: DeliveryTrace) {
        period = trace.period
        meanRate = trace.meanRate
    }

    private enum CodingKeys: String, CodingKey {
        case period = "period_ms"
        case meanRate = "mean_rate_bits_per_second"
    }
}

extension Duration {
    fileprivate var milliseconds: Double { Double(nanoseconds) / 1e6 }
}
