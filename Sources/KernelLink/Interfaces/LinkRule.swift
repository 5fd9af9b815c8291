package import LinkModel

/// A profile for some of the traffic of an interface.
package struct LinkRule: Sendable, CustomStringConvertible {
    package let selector: LinkSelector
    package let profile: Profile

    package init(_ selector: LinkSelector, _ profile: Profile) {
        (self.selector, self.profile) = (selector, profile)
    }

    package var description: String { "\(selector) \(profile.name)" }

    /// The traffic of a rule such as `192.168.1.20 3g`, and the name or path of its profile; throws if the text is not
    /// a rule.
    package static func parts(of text: String) throws(InterfaceLinkError) -> (selector: LinkSelector, profile: String) {
        let shown = "'\(text.prefix(80))'"
        func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
        let words = text.split(maxSplits: 1, whereSeparator: isBlank)
        guard words.count == 2, !words[1].allSatisfy(isBlank) else {
            throw InterfaceLinkError(
                .request,
                "Could not read the rule \(shown): write its traffic and a profile, such as '192.168.1.20 3g'.")
        }
        let profile = String(words[1].drop(while: isBlank).reversed().drop(while: isBlank).reversed())
        return (try selector(String(words[0]), of: text), profile)
    }

    /// Reads the traffic of a rule; throws if it is wrong, and quotes the whole rule.
    package static func selector(_ text: String, of rule: String) throws(InterfaceLinkError) -> LinkSelector {
        do { return try LinkSelector(parsing: text) } catch {
            throw InterfaceLinkError(.request, "Could not read the rule '\(rule.prefix(80))': \(error.reason).")
        }
    }

    /// Throws if there are too many rules, or one that never counts, because an earlier one or an exception has all of
    /// its traffic.
    static func check(_ rules: [LinkRule], behind exceptions: [LinkSelector]) throws(InterfaceLinkError) {
        guard rules.count <= InterfaceShape.mostRules else {
            throw InterfaceLinkError(
                .request,
                "Could not use \(rules.count) rules: the maximum is \(InterfaceShape.mostRules). "
                    + "Combine several of them into one network.")
        }
        for (index, rule) in rules.enumerated() {
            if let exception = exceptions.first(where: { $0.covers(rule.selector) }) {
                throw InterfaceLinkError(
                    .request,
                    "Rule '\(rule)' would never match: the exception \(exception) covers all of its traffic. Remove one of them."
                )
            }
            guard let first = rules[..<index].first(where: { $0.selector.covers(rule.selector) }) else { continue }
            let remedy = rule.selector.covers(first.selector) ? "Remove one of them." : "Put it before that one."
            throw InterfaceLinkError(
                .request,
                "Rule '\(rule)' would never match: rule '\(first)' comes before it and covers all of its traffic. \(remedy)"
            )
        }
    }
}

/// A note about a rule, which is kept in the kernel.
package struct RuleNote: Hashable, Sendable {
    let slot: RuleSlot
    /// As ``LinkSelector`` writes it.
    package let selector: String
    /// The profile's name.
    package let profile: String
    /// When its profile began to play, in seconds since 1970.
    let since: Int64
}

extension RuleNote {
    /// The part of a profile's name that is kept: 40 characters.
    static func name(of profile: Profile) -> String { String(profile.name.prefix(40)) }

    /// Several notes, as texts that fit into an alias each.
    static func texts(_ notes: [RuleNote]) -> [String] {
        let whole = Array(
            notes.map { "\($0.slot.number),\($0.selector),\($0.profile),\($0.since)" }.joined(separator: ";").utf8)
        let pieces = stride(from: 0, to: whole.count, by: room).map { whole[$0..<min($0 + room, whole.count)] }
        return pieces.enumerated().map { index, piece in
            "\(head)\(index + 1)/\(pieces.count) " + String(decoding: piece, as: UTF8.self)
        }
    }

    /// Reads one note of those that ``texts(_:)`` joins; nil if the text is not one.
    init?(parsing text: Substring) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, let slot = Int(parts[0]).flatMap(RuleSlot.init), let since = Int64(parts[3]),
            let selector = try? LinkSelector(parsing: parts[1]), !parts[2].isEmpty, since >= 0,
            parts[2].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { return nil }
        self.init(slot: slot, selector: selector.description, profile: parts[2], since: since)
    }

    /// Reads what ``texts(_:)`` wrote, in its order; nil if a piece is missing, or is not of this version.
    static func all(_ texts: [String]) -> [RuleNote]? {
        var whole = ""
        for (index, text) in texts.enumerated() {
            let start = "\(head)\(index + 1)/\(texts.count) "
            guard text.hasPrefix(start) else { return nil }
            whole += text.dropFirst(start.count)
        }
        let parts = whole.split(separator: ";")
        let notes = parts.compactMap { RuleNote(parsing: $0) }
        let isInOrder = zip(notes, notes.dropFirst()).allSatisfy { $0.slot < $1.slot }
        return notes.count == parts.count && isInOrder && notes.count <= InterfaceShape.mostRules ? notes : nil
    }

    private static let head = "headwind 1 rules "
    /// Bytes of notes in one alias; the kernel takes 255 bytes.
    private static let room = 220
}
