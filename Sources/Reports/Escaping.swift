import Wording

extension String {
    /// The text escaped for XML 1.0, between tags and in attributes, on one line.
    ///
    /// Removes characters that XML 1.0 cannot hold even as a reference (XML 1.0, 2.2), and those that control a
    /// terminal.
    var xmlEscaped: String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            case "'": result.append(contentsOf: "&apos;".unicodeScalars)
            case "\n": result.append(contentsOf: "&#10;".unicodeScalars)
            case "\t": result.append(contentsOf: "&#9;".unicodeScalars)
            case _ where scalar.isCommand || scalar.value & 0xFFFE == 0xFFFE: break
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// The text escaped for XML 1.0 between tags, with its line breaks.
    var xmlText: String { xmlEscaped.replacing("&#10;", with: "\n") }

    /// The text on one line, escaped so that Markdown shows it literally, also in a table's cell.
    var markdownEscaped: String {
        var result = ""
        for character in singleLine {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\\", "`", "*", "_", "{", "}", "[", "]", "#", "!", "|", "~", "$", "@":
                result += "\\" + String(character)
            default: result.append(character)
            }
        }
        return result
    }

    /// The text on one line as Markdown code, whatever it contains.
    var markdownCode: String {
        let line = singleLine
        let longest = line.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: longest + 1)
        let space = line.hasPrefix("`") || line.hasSuffix("`") ? " " : ""
        return fence + space + line + space + fence
    }

    /// The text as one word of a shell's command line, on one line.
    ///
    /// Characters that a terminal may obey are escaped as in `$'set -e\ntrue'`: POSIX.1-2024 section 2.2.4, bash, zsh.
    package var shellQuoted: String {
        let plain =
            !isEmpty
            && unicodeScalars.allSatisfy { scalar in
                scalar.isASCII
                    && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                        || "-_./:=,@%+[]".unicodeScalars.contains(scalar))
            }
        if plain, !contains("[") { return self }
        if singleLine != self { return "$'\(unicodeScalars.map(\.shellEscaped).joined())'" }
        // By scalars, because a quote with a mark on it is one character.
        return "'" + unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }

    /// The text without hashes: omits `(SHA-256 12ab…, not 34cd…)`, and shortens other long hashes to four digits.
    var withoutHashes: String {
        replacing(#/ \(SHA-256 [^()]*\)/#, with: "").replacing(#/[0-9a-f]{16,}/#) { $0.output.prefix(4) + "…" }
    }
}

extension Unicode.Scalar {
    /// The character between `$'` and `'` of a shell.
    fileprivate var shellEscaped: String {
        switch self {
        case "\\", "'": return "\\\(self)"
        case "\n": return "\\n"
        case "\t": return "\\t"
        default: break
        }
        let text = String(self)
        guard text.singleLine != text else { return text }
        return text.utf8.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
