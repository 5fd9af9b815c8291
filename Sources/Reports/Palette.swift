import Results

/// Colours for a terminal, or none.
package enum Palette: Sendable {
    case plain
    /// ECMA-48 sequences, for a terminal whose user has not set NO_COLOR.
    case ansi

    /// The text in the colour of a verdict.
    func paint(_ text: String, _ verdict: Verdict) -> String {
        let code =
            switch verdict {
            case .pass: "32"
            case .infrastructure: "35"
            case .inconclusive: "33"
            case .fail: "31;1"
            }
        return self == .plain ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    /// The text less prominent.
    func dim(_ text: String) -> String { self == .plain ? text : "\u{1B}[2m\(text)\u{1B}[0m" }
}
