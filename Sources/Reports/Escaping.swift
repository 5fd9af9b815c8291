import Wording

extension String {
    /// The text as XML 1.0 may hold it, between tags and in attributes, on one line.
    ///
    /// Characters that XML 1.0 cannot hold even as a reference (XML 1.0, 2.2) are taken out, and so are those that a
    /// terminal would obey.
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

    /// The text as XML 1.0 may hold it between tags, with its lines.
    var xmlText: String { xmlEscaped.replacing("&#10;", with: "\n") }

    /// The text on one line as Markdown shows it literally, in a table's cell too.
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

    /// The text on one line as Markdown shows code, whatever is in it.
    var markdownCode: String {
        let line = singleLine
        let longest = line.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: longest + 1)
        let space = line.hasPrefix("`") || line.hasSuffix("`") ? " " : ""
        return fence + space + line + space + fence
    }

    /// The text as one word of a shell's command line.
    package var shellQuoted: String {
        let plain =
            !isEmpty
            && unicodeScalars.allSatisfy { scalar in
                scalar.isASCII
                    && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                        || "-_./:=,@%+[]".unicodeScalars.contains(scalar))
            }
        if plain, !contains("[") { return self }
        return "'" + singleLine.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// The text for people who look for no hash: `(SHA-256 12ab…, not 34cd…)` is left out, and other long ones are cut off.
    var withoutHashes: String {
        replacing(#/ \(SHA-256 [^()]*\)/#, with: "").replacing(#/[0-9a-f]{16,}/#) { $0.output.prefix(4) + "…" }
    }

    /// The text, filled with blanks on the right to a width in characters.
    func padded(to width: Int) -> String {
        count >= width ? self : self + String(repeating: " ", count: width - count)
    }
}
