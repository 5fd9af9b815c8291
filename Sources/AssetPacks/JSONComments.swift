/// JSON with comments and trailing commas, as `ba-package template` writes it.
enum JSONComments {
    /// Replaces each character of a comment, and a comma before a closing bracket, by a space.
    ///
    /// Lines and columns stay the same, and so do strings. A comment without an end reaches to the end of the text.
    static func blanked(_ text: String) -> String {
        var result: [Unicode.Scalar] = []
        var comma: Int?
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.first {
            if scalar == "\"" {
                comma = nil
                takeString(&rest, into: &result)
            } else if scalar == "/", let second = rest.dropFirst().first, second == "/" || second == "*" {
                blankComment(&rest, isLine: second == "/", into: &result)
            } else {
                if scalar == "]" || scalar == "}", let place = comma { result[place] = " " }
                if scalar == "," {
                    comma = result.count
                } else if !" \t\r\n".unicodeScalars.contains(scalar) {
                    comma = nil
                }
                result.append(scalar)
                rest = rest.dropFirst()
            }
        }
        var blanked = String.UnicodeScalarView()
        blanked.append(contentsOf: result)
        return String(blanked)
    }

    private static func takeString(_ rest: inout ArraySlice<Unicode.Scalar>, into result: inout [Unicode.Scalar]) {
        var isEscaped = false
        var isFirst = true
        while let scalar = rest.popFirst() {
            result.append(scalar)
            if isEscaped {
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"", !isFirst {
                return
            }
            isFirst = false
        }
    }

    private static func blankComment(
        _ rest: inout ArraySlice<Unicode.Scalar>, isLine: Bool, into result: inout [Unicode.Scalar]
    ) {
        // Skips both, so that "/*/" is not a complete comment.
        for _ in 0..<2 where rest.popFirst() != nil { result.append(" ") }
        while let scalar = rest.first {
            if isLine, scalar == "\n" || scalar == "\r" { return }
            let isEnd = !isLine && scalar == "*" && rest.dropFirst().first == "/"
            result.append(scalar == "\n" || scalar == "\r" ? scalar : " ")
            rest = rest.dropFirst()
            guard isEnd else { continue }
            result.append(" ")
            rest = rest.dropFirst()
            return
        }
    }
}
