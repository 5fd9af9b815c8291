import LinkModel
import PackFormat

/// Reads one profile of the Network Link Conditioner.
///
/// Rates are in the unit that the profile names, and 0 means no limit; delays are one-way, in milliseconds; losses are
/// in percent.
struct ConditionerProfile {
    let title: String
    let values: [String: PropertyList]
    private(set) var problems: [String] = []
    private(set) var notes: [String] = []

    /// The keys of a link's conditions.
    static let settings: Set<String> = [
        "DownlinkBandwidth", "DownlinkBandwidthUnit", "DownlinkDelay", "DownlinkPacketLossRatio", "UplinkBandwidth",
        "UplinkBandwidthUnit", "UplinkDelay", "UplinkPacketLossRatio", "DNSDelayValue",
    ]
    /// Keys that say to which packets the profile applies, and whether it comes from Apple.
    private static let circumstances: Set<String> = ["RunOnInterface", "ProtocolFamily", "ExcludeLoopback", "Preset"]

    /// Reads the conditions of the link, and notes problems and what is left out.
    mutating func read() -> LinkConditions {
        var conditions = LinkConditions()
        conditions.downlink = direction("Downlink")
        conditions.uplink = direction("Uplink")
        conditions.dnsDelay = milliseconds("DNSDelayValue")
        for key in values.keys.sorted() where !Self.settings.contains(key) && !Self.circumstances.contains(key) {
            notes.append("the unknown key '\(key.abbreviated)' of '\(title.abbreviated)' was left out")
        }
        noteCircumstances()
        return conditions
    }

    private mutating func direction(_ name: String) -> Conditions {
        var conditions = Conditions(rate: rate(name), delay: milliseconds("\(name)Delay"))
        let key = "\(name)PacketLossRatio"
        let loss = Int64(((number(key, upTo: 100, unit: "%") ?? 0) * 10_000_000).rounded())
        // A loss that rounds to 0 counts as none, as profiles write none.
        if loss > 0 { conditions.loss = .random(Ratio(partsPerBillion: loss)) }
        return conditions
    }

    private mutating func rate(_ name: String) -> BitRate? {
        let unit = number("\(name)BandwidthUnit", upTo: .greatestFiniteMagnitude, unit: "") ?? 0
        guard unit == 0 || unit == 1 else {
            problems.append("'\(name)BandwidthUnit' is \(unit); write 0 for kbit/s or 1 for Mbit/s")
            return nil
        }
        let scale = unit == 0 ? 1000.0 : 1_000_000
        guard let value = number("\(name)Bandwidth", upTo: 1e12 / scale, unit: unit == 0 ? "kbit/s" : "Mbit/s"),
            value > 0
        else { return nil }
        guard value * scale >= 0.5 else {
            problems.append("'\(name)Bandwidth' is less than 1 bit/s; write 0 for no limit")
            return nil
        }
        return BitRate(bitsPerSecond: Int64((value * scale).rounded()))
    }

    private mutating func milliseconds(_ key: String) -> Duration {
        let most = LinkBounds.delay.upperBound.seconds * 1000
        return .nanoseconds(Int64(((number(key, upTo: most, unit: "ms") ?? 0) * 1_000_000).rounded()))
    }

    /// A number of at least 0, also as a text, the way defaults(1) writes it.
    private mutating func number(_ key: String, upTo most: Double, unit: String) -> Double? {
        let number: Double?
        switch values[key] {
        case nil: return nil
        case .integer(let value)?: number = Double(value)
        case .real(let value)?: number = value
        case .boolean(let value)?: number = value ? 1 : 0
        case .string(let text)?:
            let isPlain = text.utf8.count <= 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
            number = isPlain ? Double(text) : nil
        case .array, .dictionary, .other: number = nil
        }
        guard let number, number.isFinite, number >= 0 else {
            problems.append("'\(key)' is \(values[key]?.shown ?? "nothing"), not a number of 0 or more")
            return nil
        }
        guard number <= most else {
            problems.append("'\(key)' is \(number) \(unit); the most is \(most) \(unit)")
            return nil
        }
        return number
    }

    private mutating func noteCircumstances() {
        if case .string(let interface)? = values["RunOnInterface"], interface.lowercased() != "all" {
            notes.append(
                "'\(title.abbreviated)' applied to the interface '\(interface.abbreviated)' only; here it applies to the whole link"
            )
        }
        if let family = values["ProtocolFamily"], family != .integer(0) {
            notes.append("'\(title.abbreviated)' applied to one protocol family only; here it applies to all packets")
        }
    }
}

extension PropertyList {
    /// The value, or its kind, for messages.
    fileprivate var shown: String {
        switch self {
        case .string(let text): "'\(text.abbreviated)'"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .array, .dictionary, .other: kind
        }
    }
}
