package import LinkModel

/// The text of a profile's file.
package enum ProfileText {
    /// The file that reads back as `profile`; traces are named by the paths of their files, relative to it.
    package static func yaml(_ profile: Profile, traces: (downlink: String?, uplink: String?) = (nil, nil)) -> String {
        var lines = ["profile: \(profile.name)"]
        if profile.title != profile.name { lines.append("title: \(quoted(profile.title))") }
        if !profile.summary.isEmpty { lines.append("summary: \(quoted(profile.summary))") }
        lines.append("source: \(quoted(profile.source))")
        lines += settings(of: profile.conditions, over: LinkConditions()).map { "\($0): \($1)" }
        if !profile.changes.isEmpty {
            lines.append("changes:")
            for change in profile.changes {
                let settings = settings(of: change.conditions, over: profile.conditions)
                lines.append(
                    "  - {\((["at: \(change.at.text)"] + settings.map { "\($0): \($1)" }).joined(separator: ", "))}")
            }
        }
        if let period = profile.repeatsEvery { lines.append("repeat: \(period.text)") }
        if let stall = profile.stall { lines.append("stall: {every: \(stall.period.text), for: \(stall.length.text)}") }
        let files = [("downlink", traces.downlink), ("uplink", traces.uplink)].compactMap { direction, file in
            file.map { "\(direction): \(quoted($0))" }
        }
        if !files.isEmpty { lines.append("trace: {\(files.joined(separator: ", "))}") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What of a link differs from `base`.
    private static func settings(
        of link: LinkConditions, over base: LinkConditions
    ) -> [(key: String, value: String)] {
        var settings = Direction.allCases.compactMap { direction -> (String, String)? in
            let words = words(for: link[direction], over: base[direction])
            return words.isEmpty ? nil : (direction.rawValue, "{\(words.joined(separator: ", "))}")
        }
        if link.dnsDelay != base.dnsDelay { settings.append(("dns-delay", link.dnsDelay.text)) }
        if link.mtu != base.mtu { settings.append(("mtu", "\(link.mtu)")) }
        if link.offline != base.offline {
            settings.append(link.offline.map { ("offline", $0.rawValue) } ?? ("online", "true"))
        }
        return settings
    }

    private static func words(for conditions: Conditions, over base: Conditions) -> [String] {
        var words: [String] = []
        func add(_ key: String, _ differs: Bool, _ value: String) { if differs { words.append("\(key): \(value)") } }
        add("rate", conditions.rate != base.rate, conditions.rate?.text ?? "unlimited")
        add("delay", conditions.delay != base.delay, conditions.delay.text)
        add("jitter", conditions.jitter != base.jitter, text(of: conditions.jitter))
        add("loss", conditions.loss != base.loss, text(of: conditions.loss))
        add("duplicate", conditions.duplicate != base.duplicate, conditions.duplicate.text)
        add("reorder", conditions.reorder != base.reorder, conditions.reorder.text)
        add("corrupt", conditions.corrupt != base.corrupt, conditions.corrupt.text)
        switch conditions.queue {
        case .bytes(let count)?: add("queue", conditions.queue != base.queue, count.text)
        case .packets(let count)?: add("queue", conditions.queue != base.queue, "\(count) packets")
        case nil: break
        }
        return words
    }

    private static func text(of jitter: Jitter?) -> String {
        guard let jitter, jitter.distribution != .uniform else { return (jitter?.amount ?? .zero).text }
        return "{amount: \(jitter.amount.text), distribution: \(jitter.distribution.rawValue)}"
    }

    private static func text(of loss: Loss?) -> String {
        switch loss {
        case nil: return "0 %"
        case .random(let ratio)?: return ratio.text
        case .gilbertElliott(let model)?:
            let words = [
                "good-to-bad: \(model.goodToBad.text)", "bad-to-good: \(model.badToGood.text)",
                "loss-in-bad: \(model.lossInBad.text)", "loss-in-good: \(model.lossInGood.text)",
            ]
            return "{\(words.joined(separator: ", "))}"
        }
    }

    /// A text in double quotes, without what no file of ours may hold.
    private static func quoted(_ text: String) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n", "\r", "\t": quoted += " "
            default:
                switch scalar.properties.generalCategory {
                case .control, .privateUse, .lineSeparator, .paragraphSeparator, .unassigned, .surrogate, .format:
                    quoted += "\u{FFFD}"
                default: quoted.unicodeScalars.append(scalar)
                }
            }
        }
        return "\"\(quoted)\""
    }
}
