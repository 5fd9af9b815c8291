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
        var time = time_t(seconds)
        var parts = tm()
        guard gmtime_r(&time, &parts) != nil else { return "\(seconds)" }
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))T"
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
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
