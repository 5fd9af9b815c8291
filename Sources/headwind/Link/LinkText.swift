import Glibc
import InterfaceShaping
import KernelLink
import LinkModel
import Links

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
        if !mark.exceptions.isEmpty { lines.append("  left alone: \(mark.exceptions.joined(separator: ", "))") }
        if let replaced = mark.replaced { lines.append("  replaces \(replaced.name), which is " + fate(replaced)) }
        if applied.predecessor != nil { lines.append("  replaces another shape" + loss(of: applied.ended)) }
        if !isUp { lines.append("  the interface is down: no traffic passes it") }
        return lines + ["  stop it: headwind link clear \(name)"]
    }

    /// The packets that a change has lost.
    private static func loss(of ended: [String]?) -> String {
        guard let ended else { return " with other queues; packets that waited in them were lost" }
        return ended.isEmpty
            ? "; no packet was lost"
            : "; only packets that waited for \(ended.joined(separator: ", ")) were lost"
    }

    private static func towardsDevices(_ interface: String) -> String {
        "  the devices are behind \(interface): it sends their downloads and receives their uploads"
    }

    static func fate(_ replaced: ReplacedQueue) -> String {
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
        var time = time_t(seconds)
        var parts = tm()
        guard gmtime_r(&time, &parts) != nil else { return "\(seconds)" }
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))T"
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }

    /// The lines of `show` about one interface.
    static func lines(_ row: LinkRow) -> [String] {
        let what = row.isWhole ? "shaped by" : "the remains of the shape"
        var lines = [
            "\(row.interface): " + (row.name.map { "\(what) \($0), " } ?? "the remains of a shape, ") + row.end
        ]
        lines += (row.differences ?? []).map { "  NOT as it was set: \($0)" }
        if let exceptions = row.exceptions { lines.append("  left alone: \(exceptions.joined(separator: ", "))") }
        if let replaced = row.replaced { lines.append("  replaces \(replaced.queue), which is \(replaced.fate)") }
        if row.devices == true { lines.append(towardsDevices(row.interface)) }
        for rule in row.rules ?? [] {
            lines.append("  \(rule.match): \(rule.profile)")
            lines += Self.lines(rule.traffic).map { "  \($0)" }
        }
        guard row.rules != nil else { return lines + Self.lines(row.others) }
        return lines + ["  all else: \(row.profile ?? "not shaped")"] + Self.lines(row.others).map { "  \($0)" }
    }

    private static func lines(_ traffic: LinkRow.Traffic) -> [String] {
        var lines: [String] = []
        for (name, direction, counters) in [
            ("download", Direction.downlink, traffic.download), ("upload", .uplink, traffic.upload),
        ] {
            if let setting = traffic.settings[direction] { lines.append("  \(name): \(setting)") }
            if let counters { lines.append("  \(name): \(text(counters))") }
        }
        return lines
    }

    /// The settings of a direction: `780 kbit/s, 100 ms ± 10 ms, 1 % lost`.
    static func setting(_ reading: ShapeReading) -> String {
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
