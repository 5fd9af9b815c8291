package import LinkModel

/// The state of a link, as the control API returns it.
package struct LinkDocument: Encodable {
    /// What has crossed in one direction.
    package struct Traffic: Encodable {
        var payloadBytes: Int64
        var splicedBytes: Int64
        var wireBytes: Int64
        var lostPackets: Int64

        package init(_ counters: ProxyCounters, _ direction: Direction) {
            let crossed = counters.link[direction]
            (payloadBytes, splicedBytes) = (counters.payload[direction], counters.spliced[direction])
            (wireBytes, lostPackets) = (crossed.wireBytes, Int64(crossed.lostPackets))
        }
    }

    /// How many connections there are and were.
    package struct Connections: Encodable {
        var open: Int
        var accepted: Int
        var refused: Int

        package init(_ counters: ProxyCounters) {
            (open, accepted, refused) = (counters.open.count, counters.accepted, counters.refused)
        }
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
        (downlink, uplink) = (Traffic(counters, .downlink), Traffic(counters, .uplink))
        connections = Connections(counters)
    }
}
