import ArgumentParser
import LinkModel
import Scenarios
import Wording

/// `headwind profile show`: everything about one profile.
struct ProfileShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a profile and its source.",
        discussion: """
              headwind profile show 3g
              headwind profile show ./train.yaml --format json
            """
    )

    @Argument(
        help: "The name of a bundled profile, or the path of a file: one with a '/' or ending in .yaml.",
        completion: ProfileCommand.names)
    var profile: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let profile = try ProfileCommand.named(self.profile)
        try output.print(profile.notation(), lines: Self.lines(profile))
    }

    static func lines(_ profile: Profile) -> [String] {
        var lines = ["\(profile.name): \(profile.title)"]
        if !profile.summary.isEmpty { lines.append(profile.summary) }
        lines += ["source: \(profile.source)", ""]
        lines += Self.lines(profile.conditions, indent: "")
        for change in profile.changes {
            lines.append("from \(change.at.text) on:")
            lines += Self.lines(change.conditions, indent: "  ")
        }
        if let period = profile.repeatsEvery { lines.append("repeats every \(period.text)") }
        if let stall = profile.stall { lines.append("stalls for \(stall.length.text) every \(stall.period.text)") }
        for direction in Direction.allCases {
            guard let trace = profile.trace(direction) else { continue }
            let rate = BitRate(bitsPerSecond: max(1, Int64(trace.meanRate)))
            lines.append("the \(direction.rawValue)'s rate is a trace of \(trace.period) ms, \(rate.text) on average")
        }
        return lines
    }

    private static func lines(_ link: LinkConditions, indent: String) -> [String] {
        if let offline = link.offline { return ["\(indent)offline: \(offline.rawValue)"] }
        var lines = Direction.allCases.map { "\(indent)\($0.rawValue): \(text(link[$0]))" }
        lines.append("\(indent)rtt: \(link.rtt.text)")
        if link.dnsDelay > .zero { lines.append("\(indent)name lookups: \(link.dnsDelay.text) more") }
        if link.mtu != LinkConditions().mtu { lines.append("\(indent)mtu: \(link.mtu) B") }
        return lines
    }

    private static func text(_ conditions: Conditions) -> String {
        var parts = [conditions.rate?.text ?? "unlimited", "\(conditions.delay.text) one-way"]
        if let jitter = conditions.jitter { parts[1] += " ± \(jitter.amount.text) (\(jitter.distribution.rawValue))" }
        switch conditions.loss {
        case .random(let ratio)?: parts.append("\(ratio.text) lost")
        case .gilbertElliott(let model)?:
            parts.append(
                "bursts of loss (good to bad \(model.goodToBad.text), back \(model.badToGood.text), "
                    + "lost in bad \(model.lossInBad.text), in good \(model.lossInGood.text))")
        case nil: break
        }
        for (share, verb) in [
            (conditions.duplicate, "duplicated"), (conditions.reorder, "reordered"), (conditions.corrupt, "corrupted"),
        ] where share > .zero {
            parts.append("\(share.text) \(verb)")
        }
        switch conditions.queue {
        case .bytes(let size)?: parts.append("queue of \(size.text)")
        case .packets(let count)?: parts.append("queue of \(count) packets")
        case nil: break
        }
        return parts.joined(separator: ", ")
    }
}

/// `headwind profile list`: prints one line for each profile.
struct ProfileListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the profiles that come with Headwind.",
        discussion: """
            Delays are one-way, of the downlink and the uplink; RTT is their sum. '-' is unlimited, or none. ALSO \
            lists other properties: jitter, stalls, name lookups, changes over time; 'headwind profile show' has the \
            details.

              headwind profile list
              headwind profile list --format json
            """
    )

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let profiles = try ProfileCommand.library().all()
        try output.print(profiles.map { $0.notation() }, lines: Self.table(profiles))
    }

    /// The lines of the table, with aligned columns.
    static func table(_ profiles: [Profile]) -> [String] {
        let head = ["NAME", "DOWN", "UP", "DELAY DOWN/UP", "RTT", "LOSS DOWN/UP", "ALSO", "SOURCE"]
        return TextTable.lines([head] + profiles.map(row))
    }

    private static func row(_ profile: Profile) -> [String] {
        let link = profile.conditions
        let source = profile.source.prefix { $0 != "," && $0 != ";" && $0 != "." }
        guard link.offline == nil else {
            return [profile.name, "offline", "offline", "-", "-", "-", others(profile), String(source)]
        }
        return [
            profile.name,
            link.downlink.rate?.text ?? "-",
            link.uplink.rate?.text ?? "-",
            link.rtt == .zero ? "-" : "\(link.downlink.delay.text) / \(link.uplink.delay.text)",
            link.rtt == .zero ? "-" : link.rtt.text,
            losses(link),
            others(profile),
            String(source),
        ]
    }

    /// The column ALSO: the properties without a column of their own.
    private static func others(_ profile: Profile) -> String {
        let link = profile.conditions
        var parts: [String] = []
        let jitters = [link.downlink.jitter, link.uplink.jitter].map { $0?.amount ?? .zero }
        if jitters.contains(where: { $0 > .zero }) {
            parts.append(
                "jitter " + (jitters[0] == jitters[1] ? [jitters[0]] : jitters).map(\.text).joined(separator: " / "))
        }
        if let stall = profile.stall { parts.append("stalls \(stall.length.text) every \(stall.period.text)") }
        if link.dnsDelay > .zero { parts.append("name lookups \(link.dnsDelay.text)") }
        if let offline = link.offline { parts.append(offline.rawValue) }
        if !profile.changes.isEmpty { parts.append("changes") }
        if profile.downlinkTrace != nil || profile.uplinkTrace != nil { parts.append("trace") }
        return parts.isEmpty ? "-" : parts.joined(separator: ", ")
    }

    private static func losses(_ link: LinkConditions) -> String {
        let losses = [link.downlink.loss, link.uplink.loss]
        guard losses.contains(where: { $0 != nil }) else { return "-" }
        return losses.map { loss in
            switch loss {
            case .random(let ratio)?: ratio.text
            case .gilbertElliott?: "bursts"
            case nil: "0 %"
            }
        }.joined(separator: " / ")
    }
}
