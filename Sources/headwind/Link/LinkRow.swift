import Documents
import InterfaceShaping
import KernelLink
import LinkModel

/// One interface in the output of `headwind link show`.
struct LinkRow {
    private let found: InterfaceLinks.Found
    private let damage: ShapeDamage
    private let state: (others: TrafficState, rules: [(note: RuleNote, state: TrafficState)])
    /// What is known of the process that removes the shape; nil if the shape is incomplete.
    private let presence: LinkMark.Keeper.Presence?

    init(
        _ found: InterfaceLinks.Found, _ damage: ShapeDamage,
        _ state: (others: TrafficState, rules: [(note: RuleNote, state: TrafficState)])
    ) {
        (self.found, self.damage, self.state) = (found, damage, state)
        presence = found.mark?.keeper.presence
    }

    private var differences: [String] { damage.missing + damage.changed }

    /// The interface in the JSON output, without what it does not have; a version may get additional keys.
    var json: JSONTree {
        let mark = found.mark
        let rules = state.rules.map { note, traffic in
            JSONTree.object(
                JSONTree.object(["match": .text(note.selector), "profile": .text(note.profile)]).members
                    + Self.members(traffic))
        }
        let row = JSONTree.object([
            "interface": .text(found.name),
            // Absent if a shape is incomplete, or if traffic that matches no rule is not shaped.
            "profile": mark?.profile.map(JSONTree.text),
            // Whether devices are behind the interface; absent if not.
            "devices": mark?.leadsToDevices == true ? .flag(true) : nil,
            "rules": rules.isEmpty ? nil : .list(rules), "since": mark.map { .text(LinkText.moment($0.since)) },
            "until": mark?.until.map { .text(LinkText.moment($0)) },
            // Absent if the process was killed.
            "watchdog_pid": presence == .gone ? nil : mark.map { .whole($0.keeper.process) },
            "watchdog": presence.map { .text($0.rawValue) },
            "exceptions": mark.flatMap { $0.exceptions.isEmpty ? nil : .texts($0.exceptions) },
            "replaced": mark?.replaced.map { queue in
                .object(["queue": .text(queue.name), "is_put_back": .flag(queue.isRestorable)])
            },
            "differences": differences.isEmpty ? nil : .texts(differences),
        ])
        return .object(row.members + Self.members(state.others))
    }

    /// The counters of some traffic, and the settings of its queues.
    private static func members(_ traffic: TrafficState) -> [JSONTree.Member] {
        JSONTree.object([
            "download": traffic.counters[.downlink]?.json, "upload": traffic.counters[.uplink]?.json,
            "conditions": traffic.readings.isEmpty ? nil : LinkConditions(traffic.readings).notation,
        ]).members
    }

    /// The interface in the text output.
    var lines: [String] {
        let mark = found.mark
        let what = damage.missing.isEmpty ? "shaped by" : "the remains of the shape"
        let shape = mark.map { "\(what) \(InterfaceShape.name($0.profile, rules: $0.rules))" }
        let end = mark.map { LinkText.end($0, presence ?? .gone) } ?? "until 'headwind link clear'"
        var lines = ["\(found.name): \(shape ?? "the remains of a shape"), \(end)"]
        lines += differences.map { "  NOT as it was set: \($0)" }
        if let mark { lines += LinkText.surroundings(mark) }
        if mark?.leadsToDevices == true { lines.append(LinkText.towardsDevices(found.name)) }
        for (note, traffic) in state.rules {
            lines.append("  \(note.selector): \(note.profile)")
            lines += LinkText.lines(traffic).map { "  \($0)" }
        }
        let others = LinkText.lines(state.others)
        guard !state.rules.isEmpty else { return lines + others }
        return lines + ["  all else: \(mark?.profile ?? "not shaped")"] + others.map { "  \($0)" }
    }
}

extension EgressCounters {
    /// The counters in the JSON output.
    fileprivate var json: JSONTree {
        .object([
            "sent_packets": .whole(sentPackets), "sent_bytes": .whole(sentBytes), "lost_packets": .whole(lostPackets),
            "dropped_packets": .whole(droppedPackets), "queued_packets": .whole(queuedPackets),
            "queued_bytes": .whole(queuedBytes),
        ])
    }
}
