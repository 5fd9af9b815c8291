import LinkModel

/// Regular expressions (ECMA-262) for texts in a scenario's schema.
///
/// Each is a part without anchors, from which ``whole(_:)`` makes a pattern. A pattern may allow what the decoder of
/// the text refuses, but never refuses what it accepts.
enum TextPattern {
    /// A decimal number without a sign.
    static let number = "([0-9]*\\.)?[0-9]+"
    /// A whole number without a sign.
    static let digits = "[0-9]+"
    /// A whole number, with a sign or without.
    static let integer = "[+-]?[0-9]+"
    /// A number from 0 to 1.
    static let unitInterval = "0*(\\.[0-9]*)?|0*1(\\.0*)?"
    static let duration = quantity(Duration.unitNames)
    static let share = quantity(Ratio.unitNames)
    static let size = quantity(ByteCount.unitNames)
    static let rate = quantity(BitRate.unitNames)

    /// A number and one of these units.
    static func quantity(_ units: [String]) -> String { "\(number) *\(any(units))" }

    /// One of these words.
    static func any(_ words: [String]) -> String {
        let special = Set("\\^$.*+?()[]{}|/")
        return "(" + words.map { $0.map { special.contains($0) ? "\\\($0)" : "\($0)" }.joined() }.joined(separator: "|")
            + ")"
    }

    /// A pattern of a text that is one of these parts, with optional blanks around it.
    static func whole(_ parts: String...) -> String { "^ *(\(parts.joined(separator: "|"))) *$" }
}
