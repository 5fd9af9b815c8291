/// One line of JSON Lines: an object whose members keep the order in which they were added.
package struct JSONLine: Sendable {
    private var text = "{"

    package init() {}

    /// The line with its line end.
    package var line: String { text + "}\n" }

    /// Adds a text; nil is left out.
    package mutating func add(_ name: String, _ value: String?) {
        if let value { add(name, raw: Self.quote(value)) }
    }

    /// Adds a whole number; nil is left out.
    package mutating func add(_ name: String, _ value: Int64?) {
        if let value { add(name, raw: String(value)) }
    }

    /// Adds a whole number.
    package mutating func add(_ name: String, _ value: Int) { add(name, raw: String(value)) }

    /// Adds a number.
    ///
    /// JSON has none that are not finite: those become null.
    package mutating func add(_ name: String, _ value: Double) {
        add(name, raw: value.isFinite ? "\(value)" : "null")
    }

    /// Adds a flag.
    package mutating func add(_ name: String, _ value: Bool) { add(name, raw: value ? "true" : "false") }

    /// Adds a list of texts.
    package mutating func add(_ name: String, _ values: [String]) {
        add(name, raw: "[\(values.map(Self.quote).joined(separator: ","))]")
    }

    /// Adds an object.
    package mutating func add(_ name: String, _ value: JSONLine) { add(name, raw: value.text + "}") }

    private mutating func add(_ name: String, raw value: String) {
        if text.utf8.count > 1 { text += "," }
        text += "\(Self.quote(name)):\(value)"
    }

    /// A text as JSON writes it (RFC 8259 §7).
    private static func quote(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
