import ArgumentParser
import LinkModel
import Scenarios
import Wording

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
