import LinkModel
import Links
import Results

extension IdealTimes {
    /// What nobody can beat where the kernel's buckets let more pass behind each pause than the model does; nil over other links.
    ///
    /// A transfer that pauses is as fast as over a link without a rate, at most; one that does not gains one bucket.
    func least() -> MetricValues? {
        guard context.backend.provider.hasBuckets, let transfer else { return nil }
        let profile = profile ?? context.cell.link.profile
        var open = profile
        open.conditions = open.conditions.withoutRates
        for index in open.changes.indices {
            open.changes[index].conditions = open.changes[index].conditions.withoutRates
        }
        guard let pausing = transfer.times(over: open, after: delay) else { return nil }
        let all = [profile.conditions] + profile.changes.map(\.conditions)
        let rates = all.compactMap(\.downlink.rate?.bitsPerSecond)
        guard rates.count == all.count, let rate = rates.max() else { return values(pausing.complete.seconds) }
        let bucket = all.map { context.backend.provider.bucketBytes($0, .downlink) }.max() ?? 0
        let segments = Double(profile.conditions.mtu) / Double(max(1, profile.packet.segmentBytes))
        let wire = Double(transfer.bodies.reduce(0, +)) * segments
        return values(max(pausing.complete.seconds, (wire - Double(bucket)) * 8 / Double(rate)))
    }

    private func values(_ seconds: Double) -> MetricValues { MetricValues([.timeToAvailable: seconds]) }
}

extension LinkConditions {
    fileprivate var withoutRates: LinkConditions {
        var conditions = self
        for direction in Direction.allCases { conditions[direction].rate = nil }
        return conditions
    }
}
