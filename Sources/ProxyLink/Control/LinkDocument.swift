internal import FoundationEssentials
internal import LinkModel

/// The state of a link, as the control API returns it.
struct LinkDocument: Encodable {
    struct Traffic: Encodable {
        var payloadBytes: Int64
        var splicedBytes: Int64
        var wireBytes: Int64
        var lostPackets: Int64
    }

    struct Connections: Encodable {
        var open: Int
        var accepted: Int
        var refused: Int
    }

    var version = LinkRequest.version
    /// Goes up by one with each change.
    var generation: Int
    /// The name of the profile that the link follows; absent while it has conditions that were set by hand.
    var profile: String?
    /// The conditions that hold now, in the form that a request may have too.
    var conditions: LinkConditions
    var downlink: Traffic
    var uplink: Traffic
    var connections: Connections

    init(profile: String?, conditions: LinkConditions, counters: ProxyCounters) {
        generation = counters.generation
        self.profile = profile
        self.conditions = conditions
        func traffic(_ direction: Direction) -> Traffic {
            let crossed = direction == .downlink ? counters.link.downlink : counters.link.uplink
            return Traffic(
                payloadBytes: counters.payload[direction], splicedBytes: counters.spliced[direction],
                wireBytes: crossed.wireBytes, lostPackets: Int64(crossed.lostPackets))
        }
        (downlink, uplink) = (traffic(.downlink), traffic(.uplink))
        connections = Connections(open: counters.open.count, accepted: counters.accepted, refused: counters.refused)
    }

    func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }
}
