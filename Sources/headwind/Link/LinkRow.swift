import InterfaceShaping
import KernelLink
import LinkModel

/// One interface in the output of `headwind link show`; a version may get additional keys.
struct LinkRow: Encodable {
    struct Replaced: Encodable {
        let queue: String
        let isRestored: Bool
        let fate: String

        private enum CodingKeys: String, CodingKey {
            case queue
            case isRestored = "is_put_back"
        }
    }

    /// The counters and the settings of some traffic.
    struct Traffic {
        let download: EgressCounters?
        let upload: EgressCounters?
        /// The current settings of the queues; absent if there are none.
        let conditions: LinkConditions?
        /// The settings of each direction, for the text output.
        let settings: [Direction: String]

        init(_ state: TrafficState) {
            download = state.counters[.downlink]
            upload = state.counters[.uplink]
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
    /// Absent if a shape is incomplete, or if traffic that matches no rule is not shaped.
    let profile: String?
    /// Whether devices are behind the interface; absent if not.
    let devices: Bool?
    let rules: [Rule]?
    let since: String?
    let until: String?
    /// The process that removes the shape; absent if it was killed.
    let process: Int32?
    let presence: LinkMark.Keeper.Presence?
    let exceptions: [String]?
    let replaced: Replaced?
    let differences: [String]?
    let download: EgressCounters?
    let upload: EgressCounters?
    let conditions: LinkConditions?
    /// The traffic that matches no rule, for the text output.
    let others: Traffic
    /// The name of the shape, for the text output; nil if the shape is incomplete.
    let name: String?
    /// Whether all parts of the shape exist, for the text output.
    let isWhole: Bool
    /// When and how the shape ends, for the text output.
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
