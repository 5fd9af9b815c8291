import ArgumentParser
import Documents
import FoundationEssentials
import Glibc
import InterfaceShaping
import KernelLink
import LinkModel
import Links

/// `headwind link show`: Headwind's shapes on the interfaces of this network.
struct LinkShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show which interfaces are shaped, until when, and their traffic.",
        discussion: """
            Rates, delays and losses are the current settings of the queues. Counters are the kernel's, since the \
            shape began. 'headwind link apply --rules' accepts its JSON output.

              headwind link show
              headwind link show eth0 --format json
            """
    )

    @Argument(help: "The interface. (default: all)", completion: LinkOptions.interfaces)
    var interface: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let links = try InterfaceLinks()
        let rows = try links.find(named: interface).map {
            LinkRow($0, try links.damage(to: $0), try links.state(of: $0))
        }
        if rows.isEmpty, output.format == .text {
            Console.note("Headwind does not shape \(interface ?? "any interface").")
        }
        let json = JSONTree.object(["version": .whole(2), "links": .list(rows.map(\.json))])
        try output.print(json, lines: rows.flatMap(\.lines))
    }
}

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

/// The text output of `headwind link`.
enum LinkText {
    /// The lines about a shape that was applied to an interface.
    static func applied(_ applied: InterfaceLinks.Applied, _ order: LinkOrder, isUp: Bool) -> [String] {
        let mark = applied.mark
        let name = "\(order.interface)"
        let shape = order.shape
        var lines = ["\(name): shaped by \(shape.name), " + end(mark, .running)]
        if shape.leadsToDevices { lines.append(towardsDevices(name)) }
        lines += shape.rules.map { "  \($0.selector): \($0.profile.name)" }
        if !shape.rules.isEmpty { lines.append("  all else: \(shape.profile?.name ?? "not shaped")") }
        lines += surroundings(mark)
        if applied.predecessor != nil { lines.append("  replaces another shape" + loss(of: applied.ended)) }
        if !isUp { lines.append("  the interface is down: no traffic passes it") }
        return lines + ["  stop it: headwind link clear \(name)"]
    }

    /// The lines about the exceptions of a shape, and about the queue that it replaces.
    static func surroundings(_ mark: LinkMark) -> [String] {
        (mark.exceptions.isEmpty ? [] : ["  left alone: \(mark.exceptions.joined(separator: ", "))"])
            + (mark.replaced.map { ["  replaces \($0.name), which is \(fate($0))"] } ?? [])
    }

    /// The packets that a change has lost.
    private static func loss(of ended: [String]?) -> String {
        guard let ended else { return " with other queues; packets that waited in them were lost" }
        return ended.isEmpty
            ? "; no packet was lost"
            : "; only packets that waited for \(ended.joined(separator: ", ")) were lost"
    }

    static func towardsDevices(_ interface: String) -> String {
        "  the devices are behind \(interface): it sends their downloads and receives their uploads"
    }

    private static func fate(_ replaced: ReplacedQueue) -> String {
        replaced.isRestorable
            ? "put back afterwards"
            : "NOT put back afterwards: it has queues, filters or a size table, hides some settings, or has too "
                + "many to save; the kernel's default replaces it"
    }

    /// When a shape ends, and which process removes it.
    static func end(_ mark: LinkMark, _ presence: LinkMark.Keeper.Presence) -> String {
        guard presence != .gone else {
            return "until 'headwind link clear': the process that would remove it was killed"
        }
        let process = "process \(mark.keeper.process)"
        let hidden = presence == .hidden ? ", which is not visible from here" : ""
        guard let until = mark.until else { return "until 'headwind link clear'; held by \(process)\(hidden)" }
        let left = max(0, until - Int64(time(nil)))
        return "until \(moment(until)), \(Duration.seconds(left).text) left; \(process)"
            + (hidden.isEmpty ? "" : "\(hidden),") + " stops it then"
    }

    /// Seconds since 1970 in the form of RFC 3339, in UTC.
    static func moment(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(Date.ISO8601FormatStyle())
    }

    /// The lines about the settings and the counters of some traffic.
    static func lines(_ traffic: TrafficState) -> [String] {
        [("download", Direction.downlink), ("upload", .uplink)].flatMap { name, direction in
            [traffic.readings[direction].map(setting), traffic.counters[direction].map(text)].compactMap(\.self)
                .map { "  \(name): \($0)" }
        }
    }

    /// The settings of a direction: `780 kbit/s, 100 ms ± 10 ms, 1 % lost`.
    private static func setting(_ reading: ShapeReading) -> String {
        if reading.isSilent { return "offline: silent" }
        let conditions = reading.conditions
        let delay =
            conditions.delay == .zero
            ? nil : conditions.delay.text + (conditions.jitter.map { " ± " + $0.amount.text } ?? "")
        // The loss of bursts is a mean, so a few digits suffice.
        let loss = conditions.loss.map {
            Ratio(partsPerBillion: Int64(($0.mean * 1e6).rounded()) * 1000).text + " lost"
        }
        let parts = [conditions.rate?.text, delay, loss].compactMap(\.self)
        return parts.isEmpty ? "not shaped" : parts.joined(separator: ", ")
    }

    private static func text(_ counters: EgressCounters) -> String {
        "\(counters.sentPackets) packets, \(LinkSummary.size(Int64(clamping: counters.sentBytes))); "
            + "\(counters.lostPackets) lost by chance, \(counters.droppedPackets) dropped by the queue, full or offline; "
            + "\(counters.queuedPackets) under way"
    }
}
