internal import FoundationEssentials
internal import LinkModel

/// What the control API says of a link.
struct LinkDocument: Encodable {
    static let currentVersion = 1

    struct DirectionForm: Encodable {
        var rate: String?
        var delay: String
        var jitter: String?
        var loss: Double?

        init(_ conditions: Conditions) {
            rate = conditions.rate?.text
            delay = conditions.delay.text
            jitter = conditions.jitter?.amount.text
            loss = conditions.loss?.mean
        }
    }

    struct ConditionsForm: Encodable {
        var downlink: DirectionForm
        var uplink: DirectionForm
        var dnsDelay: String
        var offline: OfflineKind?
        var held: Bool
    }

    struct Traffic: Encodable {
        var payloadBytes: Int64
        var wireBytes: Int64
        var lostPackets: Int64
    }

    struct Connections: Encodable {
        var open: Int
        var accepted: Int
        var refused: Int
    }

    var version = Self.currentVersion
    /// Goes up by one with each change.
    var generation: Int
    /// The profile that is followed; absent while conditions were set by hand.
    var profile: String?
    var conditions: ConditionsForm
    var downlink: Traffic
    var uplink: Traffic
    var connections: Connections

    init(profile: String?, conditions: LinkConditions, counters: ProxyCounters) {
        generation = counters.generation
        self.profile = profile
        self.conditions = ConditionsForm(
            downlink: DirectionForm(conditions.downlink), uplink: DirectionForm(conditions.uplink),
            dnsDelay: conditions.dnsDelay.text, offline: conditions.offline, held: conditions.isHeld)
        downlink = Traffic(
            payloadBytes: counters.payload.downlink, wireBytes: counters.link.downlink.wireBytes,
            lostPackets: Int64(counters.link.downlink.lostPackets))
        uplink = Traffic(
            payloadBytes: counters.payload.uplink, wireBytes: counters.link.uplink.wireBytes,
            lostPackets: Int64(counters.link.uplink.lostPackets))
        connections = Connections(open: counters.open.count, accepted: counters.accepted, refused: counters.refused)
    }

    func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }
}
