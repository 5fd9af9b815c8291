package import LinkModel
import Netlink

/// The alias of an `ifb`, which with the notes about rules is all that is kept of a shape outside of its process.
///
/// `headwind 1 on=3 by=1234.5678 since=… until=+600 form=… profile=3g replaced=pfifo,8001:,AAAA except=22,10.0.0.0/8`
package struct LinkMark: Hashable, Sendable {
    /// The process that removes a shape: its number, and when it was started in ticks since boot, see proc_pid_stat(5).
    package struct Keeper: Hashable, Sendable {
        package var process: Int32
        package var started: UInt64
        /// The last bits of the number of its pid namespace, in which its own number is valid; nil if that is not
        /// known.
        package var place: UInt32?
        /// The bits of a namespace's number that are kept.
        package static let mostPlaces: UInt32 = 0xff_ffff

        package init(process: Int32, started: UInt64, place: UInt32? = nil) {
            (self.process, self.started, self.place) = (process, started, place)
        }
    }

    /// The index of the interface that is shaped.
    package var interface: UInt32
    package var keeper: Keeper
    /// In seconds since 1970.
    package var since: Int64
    /// In seconds since 1970; nil: until a command removes it.
    package var until: Int64?
    /// A digest of its queues and filters, without their numbers.
    package var form: UInt64
    /// Which directions are shaped, and the ``InterfaceLinks/digest(of:on:_:)`` of the finished shape; nil before.
    package var state: State?
    /// The profile of traffic without a rule; nil if that is not shaped.
    package var profile: String?
    /// The number of rules; a ``RuleNote`` about each is kept elsewhere.
    package var rules = 0
    /// Whether devices are behind the interface, so that their downloads leave through it.
    package var leadsToDevices = false
    /// The queue that the shape has replaced; nil if there was none.
    package var replaced: ReplacedQueue?
    /// Whether an ingress queue without filters is Headwind's: for a moment, while a shape is made.
    package var ownsEmptyIngress = false
    /// As many exceptions as there is room for; the last one is `…` if some are left out.
    package var exceptions: [String]

    package init(
        interface: UInt32, keeper: Keeper, since: Int64, until: Int64?, form: UInt64 = 0, profile: String?,
        replaced: ReplacedQueue? = nil, exceptions: [String] = []
    ) {
        (self.interface, self.keeper, self.since, self.until) = (interface, keeper, since, until)
        (self.form, self.profile) = (form, profile)
        (self.replaced, self.exceptions) = (replaced, exceptions)
    }

    /// Reads the alias of an `ifb`; nil if this version cannot.
    package init?(parsing text: String) {
        var words = text.split(separator: " ").map(String.init)
        guard words.count >= 2, words.removeFirst() == "headwind", words.removeFirst() == "1" else { return nil }
        var values: [String: String] = [:]
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        let keeper = (values["by"] ?? "").split(separator: ".")
        guard let interface = values["on"].flatMap({ UInt32($0) }), keeper.count == 2, let process = Int32(keeper[0]),
            let started = UInt64(keeper[1]), let since = values["since"].flatMap({ Int64($0) }),
            Self.moments.contains(since), let parts = values["form"]?.split(separator: "."),
            let form = parts.first.flatMap({ UInt64($0, radix: 16) }),
            let rules = Int(values["rules"] ?? "0"), (0...InterfaceShape.mostRules).contains(rules),
            values["profile"] != nil || rules > 0
        else { return nil }
        var until: Int64?
        if let text = values["until"], text != "ever" {
            guard let end = Self.end(text, since: since), Self.moments.contains(end) else { return nil }
            until = end
        }
        let place = values["ns"].flatMap { UInt32($0, radix: 16) }
        self.init(
            interface: interface, keeper: Keeper(process: process, started: started, place: place), since: since,
            until: until, form: form, profile: values["profile"],
            replaced: values["replaced"].flatMap(ReplacedQueue.init(parsing:)),
            exceptions: values["except"]?.split(separator: ",").map(String.init) ?? [])
        state = State(parts.dropFirst().map(String.init))
        (self.rules, leadsToDevices) = (rules, values["devices"] == "1")
        ownsEmptyIngress = values["in"] == "1"
    }

    /// The mark with only as much of the replaced queue as there is room for, so that nothing is promised in vain.
    var kept: LinkMark {
        var mark = self
        mark.replaced = LinkMark(parsing: text)?.replaced
        return mark
    }

    /// The alias: at most 255 bytes, which is the kernel's limit.
    package var text: String {
        let name = profile.map { profile in
            String(profile.unicodeScalars.filter { $0.isASCII && $0.value > 0x20 && $0.value != 0x7f }.prefix(40))
        }
        var text = "headwind 1 on=\(interface) by=\(keeper.process).\(keeper.started) since=\(since)"
        if let place = keeper.place { text += " ns=\(String(place, radix: 16))" }
        let end = until.map { $0 >= since ? "+\($0 - since)" : "\($0)" } ?? "ever"
        text += " until=\(end) form=\(String(form, radix: 16))\(state?.text ?? "")"
        if let name, !name.isEmpty { text += " profile=\(name)" }
        if rules > 0 { text += " rules=\(rules)" }
        if leadsToDevices { text += " devices=1" }
        // The room of ` in=1` is always kept free, so that it does not change what is left out.
        let longest = Self.longest - (ownsEmptyIngress ? 0 : Self.owning.utf8.count)
        if ownsEmptyIngress { text += Self.owning }
        if let replaced {
            let whole = " replaced=\(replaced.text)"
            text += text.utf8.count + whole.utf8.count <= longest ? whole : " replaced=\(replaced.forgotten.text)"
        }
        guard !exceptions.isEmpty else { return text }
        var listed = ""
        for (index, exception) in exceptions.enumerated() {
            let next = (index == 0 ? " except=" : ",") + exception
            let room = index == exceptions.count - 1 ? 0 : ",…".utf8.count
            guard text.utf8.count + listed.utf8.count + next.utf8.count + room <= longest else {
                listed += index == 0 ? " except=…" : ",…"
                break
            }
            listed += next
        }
        return text.utf8.count + listed.utf8.count <= longest ? text + listed : text
    }

    /// Reads `1800000600`, or `+600` for 600 seconds after `since`; nil for others.
    private static func end(_ text: String, since: Int64) -> Int64? {
        guard text.first == "+" else { return Int64(text) }
        guard let later = Int64(text.dropFirst()), later >= 0 else { return nil }
        let (end, isOver) = since.addingReportingOverflow(later)
        return isOver ? nil : end
    }

    /// Up to the end of the year 9999, because any program may have written the alias.
    private static let moments: ClosedRange<Int64> = 0...253_402_300_799
    private static let owning = " in=1"
    private static let longest = 255

    /// The state of a shape that no other program has changed: `ud.01abc`.
    package struct State: Hashable, Sendable {
        package var directions: Set<Direction>
        /// See ``InterfaceLinks/digest(of:on:_:)``; 0: not known yet.
        package var digest: UInt32

        /// The greatest digest; each is written in five digits, so that there is always room for it.
        static let mostDigests: UInt32 = 0xf_ffff

        package init(directions: Set<Direction>, digest: UInt32 = 0) {
            (self.directions, self.digest) = (directions, digest)
        }

        /// Reads the two parts that follow the form; nil if they are not a state.
        init?(_ parts: [String]) {
            guard parts.count == 2, parts[0].allSatisfy({ "ud-".contains($0) }),
                let digest = UInt32(parts[1], radix: 16), digest <= Self.mostDigests
            else { return nil }
            let all: [(Direction, Character)] = [(.uplink, "u"), (.downlink, "d")]
            self.init(directions: Set(all.filter { parts[0].contains($0.1) }.map(\.0)), digest: digest)
        }

        var text: String {
            let number = String(digest, radix: 16)
            return "." + (directions.contains(.uplink) ? "u" : "-") + (directions.contains(.downlink) ? "d" : "-") + "."
                + String(repeating: "0", count: 5 - number.count) + number
        }
    }
}
