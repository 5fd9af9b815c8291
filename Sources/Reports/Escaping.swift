import Wording

extension String {
    /// The text on one line that a terminal shows and does not obey: controls and direction marks are taken out.
    package var singleLine: String {
        guard unicodeScalars.contains(where: { $0.isLineBreak || $0.isUnwelcome || $0 == "\t" }) else { return self }
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isLineBreak || scalar == "\t" {
                if result.last != " " { result.append(" ") }
            } else if !scalar.isUnwelcome {
                result.append(scalar)
            }
        }
        return String(result)
    }

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
            case _ where scalar.isUnwelcome || scalar.value & 0xFFFE == 0xFFFE: break
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

    /// The text, filled with blanks on the right to a width in characters.
    func padded(to width: Int) -> String {
        count >= width ? self : self + String(repeating: " ", count: width - count)
    }
}

extension Unicode.Scalar {
    /// Whether it ends a line.
    fileprivate var isLineBreak: Bool {
        switch value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// Whether it controls a terminal or the direction of writing, and shows nothing.
    fileprivate var isUnwelcome: Bool { isCommand && self != "\n" && self != "\t" }
}
