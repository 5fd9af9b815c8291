import InterfaceShaping
import KernelLink
import LinkModel

/// One interface in what `headwind link show` tells; keys may be added to a version.
struct LinkRow: Encodable {
    struct Counters: Encodable {
        let sentPackets: UInt64
        let sentBytes: UInt64
        let lostPackets: UInt64
        let droppedPackets: UInt64
        let queuedPackets: UInt32
        let queuedBytes: UInt32

        private enum CodingKeys: String, CodingKey {
            case sentPackets = "sent_packets"
            case sentBytes = "sent_bytes"
            case lostPackets = "lost_packets"
            case droppedPackets = "dropped_packets"
            case queuedPackets = "queued_packets"
            case queuedBytes = "queued_bytes"
        }

        init(_ counters: EgressCounters) {
            (sentPackets, sentBytes) = (counters.sentPackets, counters.sentBytes)
            (lostPackets, droppedPackets) = (counters.lostPackets, counters.droppedPackets)
            (queuedPackets, queuedBytes) = (counters.queuedPackets, counters.queuedBytes)
        }
    }

    struct Replaced: Encodable {
        let queue: String
        let isRestored: Bool
        let fate: String

        private enum CodingKeys: String, CodingKey {
            case queue
            case isRestored = "is_put_back"
        }
    }

    /// What is told of some traffic.
    struct Traffic {
        let download: Counters?
        let upload: Counters?
        /// What the queues are set to now; absent where there are none.
        let conditions: LinkConditions?
        /// For people: the same of each direction.
        let settings: [Direction: String]

        init(_ state: TrafficState) {
            download = state.counters[.downlink].map(Counters.init)
            upload = state.counters[.uplink].map(Counters.init)
            conditions = state.readings.isEmpty ? nil : LinkConditions(state.readings)
            settings = state.readings.mapValues(LinkText.setting)
        }
    }

    struct Rule: Encodable {
        let match: String
        let profile: String
        let traffic: Traffic

        private enum CodingKeys: CodingKey {
            case match, profile, download, upload, conditions
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(match, forKey: .match)
            try container.encode(profile, forKey: .profile)
            try container.encodeIfPresent(traffic.download, forKey: .download)
            try container.encodeIfPresent(traffic.upload, forKey: .upload)
            try container.encodeIfPresent(traffic.conditions, forKey: .conditions)
        }
    }

    let interface: String
    /// Absent where a shape was left half done, and where what no rule is for is not shaped.
    let profile: String?
    /// Whether devices are behind the interface; absent where they are not.
    let devices: Bool?
    let rules: [Rule]?
    let since: String?
    let until: String?
    /// The process that takes it off; absent where it was killed.
    let process: Int32?
    let presence: LinkMark.Keeper.Presence?
    let exceptions: [String]?
    let replaced: Replaced?
    let differences: [String]?
    let download: Counters?
    let upload: Counters?
    let conditions: LinkConditions?
    /// For people: what no rule is for.
    let others: Traffic
    /// For people: what it is called; nil where it was left half done.
    let name: String?
    /// For people: whether no part of it is gone.
    let isWhole: Bool
    /// For people.
    let end: String

    private enum CodingKeys: String, CodingKey {
        case interface, profile, since, until, exceptions, replaced, differences, download, upload, conditions
        case devices, rules
        case process = "watchdog_pid"
        case presence = "watchdog"
    }

    init(
        _ found: InterfaceLinks.Found, _ damage: ShapeDamage,
        _ state: (others: TrafficState, rules: [(note: RuleNote, state: TrafficState)])
    ) {
        let mark = found.mark
        interface = found.name
        profile = mark?.profile
        name = mark.map { InterfaceShape.name($0.profile, rules: $0.rules) }
        devices = mark?.leadsToDevices == true ? true : nil
        rules =
            state.rules.isEmpty
            ? nil
            : state.rules.map { Rule(match: $0.note.selector, profile: $0.note.profile, traffic: Traffic($0.state)) }
        since = mark.map { LinkText.moment($0.since) }
        until = mark?.until.map(LinkText.moment)
        let presence = mark?.keeper.presence
        self.presence = presence
        process = presence == .gone ? nil : mark?.keeper.process
        exceptions = mark.flatMap { $0.exceptions.isEmpty ? nil : $0.exceptions }
        replaced = mark?.replaced.map {
            Replaced(queue: $0.name, isRestored: $0.isRestorable, fate: LinkText.fate($0))
        }
        let all = damage.missing + damage.changed
        (differences, isWhole) = (all.isEmpty ? nil : all, damage.missing.isEmpty)
        others = Traffic(state.others)
        (download, upload, conditions) = (others.download, others.upload, others.conditions)
        end = mark.map { LinkText.end($0, presence ?? .gone) } ?? "until 'headwind link clear'"
    }
}

/// What `headwind link show --format json` prints.
struct LinkListing: Encodable {
    var version = 2
    let links: [LinkRow]
}
