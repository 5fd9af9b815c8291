/// Takes secrets out of what is written down: header values, query strings, user names in addresses, tokens.
///
/// Everything that a run writes passes through here. It knows names and forms, not secrets: a secret in a path, or under
/// a harmless name, stays.
package enum Redaction {
    /// What stands in a secret's place.
    package static let mark = "[redacted]"

    private static let secretParts = [
        "authorization", "cookie", "token", "secret", "password", "passwd", "api-key", "apikey", "access-key",
        "signature", "credential", "private-key", "passphrase", "bearer",
    ]
    /// Fields and options that hold a secret if that is their whole name.
    private static let secretNames: Set = ["pass", "pwd", "sig", "auth"]
    /// Options of curl(1) and its kind whose value is `user:password`, or cookies.
    private static let secretOptions: Set = ["-u", "--user", "-U", "--proxy-user", "-b"]

    /// Whether a header, a variable, an option or a field of that name holds a secret.
    ///
    /// `Authorization`, `Set-Cookie`, `X_API_KEY`, `--oauth-token`; upper and lower case, `_` and `-` are the same.
    package static func isSecret(_ name: String) -> Bool {
        let plain = String(name.lowercased().map { $0 == "_" ? "-" : $0 })
        return secretParts.contains { plain.contains($0) } || secretNames.contains(String(plain.drop { $0 == "-" }))
    }

    /// A value as it may be written under a name.
    package static func value(_ value: String, of name: String) -> String {
        isSecret(name) ? mark : text(value)
    }

    /// An address or a path without user name, query and fragment.
    package static func url(_ url: String) -> String {
        var rest = Substring(url)
        var result = ""
        if let scheme = rest.firstRange(of: "://") {
            result += rest[..<scheme.upperBound]
            rest = rest[scheme.upperBound...]
            let authority = rest.prefix { !"/?#".contains($0) }
            if let at = authority.lastIndex(of: "@") {
                result += mark
                rest = rest[at...]
            }
        }
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        result += path
        guard let first = rest.dropFirst(path.count).first else { return result }
        return result + String(first) + mark
    }

    /// A text without the secrets that can be told by their form.
    ///
    /// Addresses and paths lose user name and query; `Name: value` and `name=value` lose the value if the name is one of
    /// a secret; so does the word after `Bearer`.
    package static func text(_ text: String) -> String {
        guard
            text.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "?") })
                || text.lowercased().contains("bearer")
        else { return text }
        var scanner = RedactionScanner(text)
        return scanner.redacted()
    }

    /// A command line without the values of options that hold secrets.
    ///
    /// `-u`, `--user`, `-b` and options with a secret's name lose the argument after them, or after their `=`, or what is
    /// attached to them; `--cert` loses the password behind its file.
    package static func arguments(_ arguments: [String]) -> [String] {
        var hidesNext = false
        var isCertificate = false
        return arguments.map { argument in
            defer {
                hidesNext = argument.hasPrefix("-") && !argument.contains("=") && isSecretOption(argument)
                isCertificate = ["-E", "--cert", "--proxy-cert"].contains(argument)
            }
            if hidesNext { return mark }
            if isCertificate, let colon = argument.lastIndex(of: ":") { return argument[...colon] + mark }
            if let option = attachedOption(of: argument) { return option + mark }
            if argument.hasPrefix("-"), let equals = argument.firstIndex(of: "="),
                isSecretOption(String(argument[..<equals]))
            {
                return argument[...equals] + mark
            }
            return text(argument)
        }
    }

    static func isSecretOption(_ option: String) -> Bool { secretOptions.contains(option) || isSecret(option) }

    /// The option of a word such as `-ubob:abc`; nil where the word has no secret attached.
    static func attachedOption(of word: String) -> String? {
        let option = String(word.prefix(2))
        guard option.count == 2, secretOptions.contains(option) else { return nil }
        return holdsCredentials(word.dropFirst(2), of: option) ? option : nil
    }

    /// Whether a word can be what follows an option of one letter: others call other things `-u` and `-b`.
    static func holdsCredentials(_ value: Substring, of option: String) -> Bool {
        option == "-b" ? value.contains("=") : value.contains(":")
    }
}
