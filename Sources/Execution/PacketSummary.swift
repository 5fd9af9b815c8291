import LinkModel
import Links
import Testbed
import Wording

/// One line about the traffic of a packet link.
struct PacketSummary {
    let profile: String
    let use: LinkUse

    /// Such as `3g: 1.2 MB down, 4.1 kB up, 3 flows, 712 kbit/s down on average over 13.4 s, 2 packets lost`.
    ///
    /// Packets that queues dropped follow: `4 dropped by queues`.
    var line: String {
        let link = use.model
        var parts = [LinkSummary(profile: profile, use: use).line(counting: "flow")]
        let lost = link.downlink.lostPackets + link.uplink.lostPackets
        let dropped = link.downlink.droppedPackets + link.uplink.droppedPackets
        if lost > 0 { parts.append("\(lost.counted("packet")) lost") }
        if dropped > 0 { parts.append("\(dropped) dropped by full queues") }
        let offline = link.downlink.offlinePackets + link.uplink.offlinePackets
        if offline > 0 { parts.append("\(offline) lost while offline") }
        return parts.joined(separator: ", ")
    }

    /// All lines for the user: the traffic, and reasons why it may mislead.
    var notes: [String] {
        let refusal = use.hasUnansweredPings ? PingGroups.current.refusal() : nil
        return [line, warning, refusal].compactMap(\.self)
    }

    /// A warning if the program sent nothing over the link; nil if it tried, even without success.
    var warning: String? {
        let taken = [use.model.downlink, use.model.uplink].reduce(0) {
            $0 + $1.lostPackets + $1.droppedPackets + $1.offlinePackets
        }
        guard use.connections == 0, taken == 0 else { return nil }
        return """
            WARNING: nothing crossed the link, so this run says nothing about a bad network. In a sandbox 127.0.0.1 is CMD's own: \
            reach this machine as \(SandboxAddresses.outside.hostName), or by --forward PORT.
            """
    }
}
