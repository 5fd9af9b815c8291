import LinkModel

/// A profile as `--format json` prints it.
///
/// Absent values are left out, and stand for "as it is".
struct ProfileRecord: Encodable {
    let name: String
    let title: String
    let summary: String
    let source: String
    let conditions: LinkRecord
    let changes: [ChangeRecord]
    let repeatsEveryMilliseconds: Double?
    let stall: StallRecord?

    init(_ profile: Profile) {
        name = profile.name
        title = profile.title
        summary = profile.summary
        source = profile.source
        conditions = LinkRecord(profile.conditions)
        changes = profile.changes.map {
            ChangeRecord(atMilliseconds: $0.at.milliseconds, conditions: LinkRecord($0.conditions))
        }
        repeatsEveryMilliseconds = profile.repeatsEvery?.milliseconds
        stall = profile.stall.map {
            StallRecord(everyMilliseconds: $0.period.milliseconds, forMilliseconds: $0.length.milliseconds)
        }
    }

    struct ChangeRecord: Encodable {
        let atMilliseconds: Double
        let conditions: LinkRecord
    }

    struct StallRecord: Encodable {
        let everyMilliseconds: Double
        let forMilliseconds: Double
    }

    struct LinkRecord: Encodable {
        let downlink: DirectionRecord
        let uplink: DirectionRecord
        let rttMilliseconds: Double
        let dnsDelayMilliseconds: Double
        let mtuBytes: Int
        let offline: OfflineKind?

        init(_ link: LinkConditions) {
            downlink = DirectionRecord(link.downlink)
            uplink = DirectionRecord(link.uplink)
            rttMilliseconds = link.rtt.milliseconds
            dnsDelayMilliseconds = link.dnsDelay.milliseconds
            mtuBytes = link.mtu
            offline = link.offline
        }
    }

    struct DirectionRecord: Encodable {
        let rateBitsPerSecond: Int64?
        let oneWayDelayMilliseconds: Double
        let jitterMilliseconds: Double?
        /// The share of packets lost in the long run.
        let lossPercent: Double

        init(_ conditions: Conditions) {
            rateBitsPerSecond = conditions.rate?.bitsPerSecond
            oneWayDelayMilliseconds = conditions.delay.milliseconds
            jitterMilliseconds = conditions.jitter?.amount.milliseconds
            lossPercent = (conditions.loss?.mean ?? 0) * 100
        }
    }
}

extension Duration {
    fileprivate var milliseconds: Double { Double(nanoseconds) / 1e6 }
}
