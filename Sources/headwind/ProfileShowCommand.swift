import ArgumentParser
import LinkModel
import Scenarios
import SystemPackage

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
