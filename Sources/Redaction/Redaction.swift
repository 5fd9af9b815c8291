import Wording

/// Removes secrets from everything that is written: header values, query strings, user names in addresses, tokens.
///
/// Everything that a run writes passes through here. It recognizes names, forms, and the secrets that a run holds
/// (``hold(_:)``). Any other secret in a path, or under a harmless name, stays.
package enum Redaction {
    /// The text that replaces a secret.
    package static let mark = "[redacted]"

    private static let secretParts = [
        "authorization", "cookie", "token", "secret", "password", "passwd", "api-key", "apikey", "access-key",
        "signature", "credential", "private-key", "passphrase", "bearer",
    ]
    /// Fields and options that hold a secret if that is their whole name.
    private static let secretNames: Set = ["pass", "pwd", "sig", "auth"]
    /// Options of curl(1) and similar programs whose value is `user:password`, or cookies.
    private static let secretOptions: Set = ["-u", "--user", "-U", "--proxy-user", "-b"]
    /// Options with a secret's name that take no value.
    private static let flags: Set = ["--keep-secrets", "--password-stdin", "--token-stdin"]
    /// The one-letter options of curl(1) without a value, which another option may follow in the same word.
    private static let curlFlags = Set("aBfgGiIjJklLMnNOpqRsSvVZ#0123456")

    /// Whether a header, a variable, an option or a field of that name holds a secret.
    ///
    /// Examples are `Authorization`, `Set-Cookie`, `X_API_KEY`, `--oauth-token`. Case does not matter, and `_` equals
    /// `-`.
    package static func isSecret(_ name: String) -> Bool {
        let plain = name.lowercased().utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
        if secretParts.contains(where: { plain.holds($0.utf8) }) { return true }
        return secretNames.contains(String(decoding: plain.drop { $0 == UInt8(ascii: "-") }, as: UTF8.self))
    }

    /// The redacted value of a named field.
    package static func value(_ value: String, of name: String) -> String {
        isSecret(name) ? mark : text(value)
    }

    /// An address or a path without user name, query and fragment, also in an address within its path.
    package static func url(_ url: String) -> String {
        var rest = Substring(withoutHeld(url))
        var result = ""
        while let scheme = rest.firstRange(of: "://") {
            guard !rest[..<scheme.lowerBound].contains(where: { $0 == "?" || $0 == "#" }) else { break }
            result += rest[..<scheme.upperBound]
            rest = rest[scheme.upperBound...]
            let authority = rest.prefix { !"/?#".contains($0) }
            if let at = authority.lastIndex(of: "@") {
                result += mark
                rest = rest[at...]
            }
        }
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        result += result.isEmpty ? withoutCredentials(path) ?? String(path) : String(path)
        guard let first = rest[path.endIndex...].first else { return result }
        return result + String(first) + mark
    }

    /// A text without the held secrets, and without those that can be recognized by their form.
    ///
    /// Addresses and paths lose user name and query. `Name: value`, `name=value` and `--name value` lose the value if
    /// the name is that of a secret. So does the word after `Bearer`.
    package static func text(_ text: String) -> String {
        let text = withoutHeld(text)
        guard text.utf8.contains(where: { ":=?-".utf8.contains($0) }) || text.lowercased().contains("bearer") else {
            return text
        }
        var scanner = RedactionScanner(text)
        return scanner.redacted()
    }

    /// A command line without the values of options that hold secrets.
    ///
    /// `-u`, `--user`, `-b` and options with a secret's name lose the next argument, the text after their `=`, or an
    /// attached value, also after other letters (`-sSu`). `--cert` loses the password after its file.
    package static func arguments(_ arguments: [String]) -> [String] {
        var last = ""
        return arguments.map { argument in
            defer { last = argument }
            if last.hasPrefix("-"), !last.contains("="), isSecretOption(last) { return mark }
            // Words with these letters have other meanings in other programs, where no such value follows.
            if isBundle(last), holdsCredentials(argument[...], of: last) { return mark }
            if ["-E", "--cert", "--proxy-cert"].contains(last), let colon = argument.lastIndex(of: ":") {
                return argument[...colon] + mark
            }
            if let option = attachedOption(of: argument) { return option + mark }
            if argument.hasPrefix("-"), let equals = argument.firstIndex(of: "="),
                isSecretOption(String(argument[..<equals]))
            {
                return argument[...equals] + mark
            }
            return text(argument)
        }
    }

    /// The most bytes of a line of a program's output that are kept, as UTF-8.
    package static let mostLineBytes = 500

    /// A line of a program's output, redacted, on one line, and without characters that control a terminal.
    ///
    /// A long line is cut at its end, because the name before a secret identifies it.
    package static func outputLine(_ bytes: some Sequence<UInt8>) -> String {
        let line = text(String(decoding: Array(bytes), as: UTF8.self).singleLine)
        return line.utf8.count > mostLineBytes ? line.beginning(mostLineBytes) + "…" : line
    }

    static func isSecretOption(_ option: String) -> Bool { secretOptions.contains(option) || namesSecret(option) }

    /// Whether an option has a secret's name, and takes a value.
    static func namesSecret(_ option: String) -> Bool { isSecret(option) && !flags.contains(option) }

    /// Whether a word is a group of curl(1)'s letters whose last one needs a secret, such as `-fsSLu`.
    static func isBundle(_ word: String) -> Bool { bundle(word)?.value.isEmpty == true }

    /// The option part of a word such as `-ubob:abc` or `-sSubob:abc`; nil if the word has no attached secret.
    static func attachedOption(of word: String) -> String? {
        guard let (option, value) = bundle(word), holdsCredentials(value, of: option) else { return nil }
        return option
    }

    /// Splits a word like curl(1): flags, one option with a secret, and the attached value.
    private static func bundle(_ word: String) -> (option: String, value: Substring)? {
        guard word.hasPrefix("-") else { return nil }
        let letters = word.dropFirst().drop { curlFlags.contains($0) }
        guard let letter = letters.first, secretOptions.contains("-\(letter)") else { return nil }
        return (String(word[...letters.startIndex]), letters.dropFirst())
    }

    /// Whether a word can be the value of such an option; other programs use `-u`, `-b` and `--user` for other things.
    static func holdsCredentials(_ value: Substring, of option: String) -> Bool {
        if option.hasSuffix("b") { return value.contains("=") }
        guard let colon = value.firstIndex(of: ":") else { return false }
        // An address has `://` after its scheme.
        return !value[colon...].hasPrefix("://")
    }
}

extension [UInt8] {
    /// Whether it contains a non-empty text.
    ///
    /// Names are checked by the million, and a search by characters would build a table for each.
    fileprivate func holds(_ text: String.UTF8View) -> Bool {
        indices.dropLast(text.count - 1).contains { self[$0] == text.first && self[$0...].starts(with: text) }
    }
}
