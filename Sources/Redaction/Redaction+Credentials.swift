extension Redaction {
    /// Schemes before a `:` and an `@` in addresses of mail or telephones, not of hosts.
    private static let mailSchemes: Set = ["mailto", "sip", "sips", "xmpp", "acct"]

    /// A word without the `user:password` before an `@`, as in `user:password@host:80`; nil if there is none.
    ///
    /// Times, digests and versions also have these characters: `12:30@host`, `image:1@sha256:…`, `name:pack@1.2`.
    static func withoutCredentials(_ word: Substring) -> String? {
        let authority = word.prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") else {
            return nil
        }
        let before = authority[..<colon]
        var start = before.lastIndex { !isOfUser($0) }.map { before.index(after: $0) } ?? before.startIndex
        if start == before.startIndex, before.hasPrefix("-"), before.count > 2 {
            // A one-letter option with its value attached.
            start = before.index(start, offsetBy: 2)
        }
        let user = before[start...]
        let password = authority[authority.index(after: colon)..<at]
        guard !user.isEmpty, !password.isEmpty, !mailSchemes.contains(user.lowercased()), !isTime(user, password),
            beginsWithHost(authority[authority.index(after: at)...])
        else { return nil }
        return "\(word[..<start])\(mark)\(word[at...])"
    }

    private static func isOfUser(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "._~%+-".contains(character)
    }

    /// Whether `12` and `30:15` are parts of a time.
    private static func isTime(_ hours: Substring, _ rest: Substring) -> Bool {
        let digits = hours.reversed().prefix { $0.isNumber }.count
        let before = hours.dropLast(digits)
        let isHours = (1...2).contains(digits) && (before.isEmpty || before.hasSuffix("T"))
        return isHours && rest.prefix(2).count(where: \.isNumber) == 2
            && rest.allSatisfy { $0.isNumber || $0 == ":" || $0 == "." }
    }

    /// Whether a text begins with a host's name or address, and not with a number, a version or a digest.
    private static func beginsWithHost(_ text: Substring) -> Bool {
        if text.hasPrefix("[") { return text.contains("]") }
        let name = text.prefix { $0.isLetter || $0.isNumber || "-._".contains($0) }
        let labels = name.split(separator: ".")
        guard let last = labels.last, let first = last.first, !["sha256", "sha512"].contains(name) else { return false }
        if let next = text[name.endIndex...].first, !":,;.!)]}&|".contains(next) { return false }
        return first.isLetter || labels.count == 4 && labels.allSatisfy { $0.allSatisfy(\.isNumber) }
    }
}
