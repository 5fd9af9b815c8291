import Events
import Redaction
package import Results

extension TimelineEvent {
    /// The event as a line of `events.jsonl`, with the line's end: keys in a fixed order, fields sorted, no secrets.
    package var line: String {
        var line = "{\"v\":\(Self.currentSchema),\"t\":\(nanoseconds)"
        if let cell { line += ",\"cell\":\(cell.jsonQuoted)" }
        if let attempt { line += ",\"attempt\":\(attempt)" }
        line += ",\"source\":\"\(source.rawValue)\",\"event\":\(name.jsonQuoted)"
        if !fields.isEmpty {
            let pairs = fields.sorted { $0.key < $1.key }.map { "\($0.key.jsonQuoted):\($0.value.json(key: $0.key))" }
            line += ",\"fields\":{\(pairs.joined(separator: ","))}"
        }
        return line + "}\n"
    }
}

extension FieldValue {
    /// The value as JSON.
    ///
    /// A number that is not finite is null.
    fileprivate func json(key: String) -> String {
        switch self {
        case .text(let text): Redaction.value(text, of: key).jsonQuoted
        case .integer(let integer): String(integer)
        case .number(let number): number.isFinite ? "\(number)" : "null"
        case .flag(let flag): flag ? "true" : "false"
        case .unknown: "null"
        }
    }
}
