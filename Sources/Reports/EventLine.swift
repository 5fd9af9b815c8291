import Documents
import Redaction
package import Results

extension TimelineEvent {
    /// The event as a line of `events.jsonl`, with a line feed: keys in a fixed order, no secrets.
    package var line: String {
        JSONTree.object([
            "v": .whole(Self.currentSchema), "t": .whole(nanoseconds),
            "cell": cell.map(JSONTree.text),
            "attempt": attempt.map { .whole($0) }, "source": .text(source.rawValue), "event": .text(name),
            "fields": fields.isEmpty ? nil : .object(fields.map(\.redacted)),
        ]).line + "\n"
    }

    /// The name of the cell that a line of `events.jsonl` belongs to; nil for a line of the run as a whole, or for a
    /// line that is not an event.
    package static func cell(of line: ArraySlice<UInt8>) -> String? {
        line.withUnsafeBufferPointer { EventLineParser.parse($0)?.cell }
    }
}

extension JSONTree.Member {
    fileprivate var redacted: Self { .init(key: key, value: value.redacted(of: key)) }
}

extension JSONTree {
    /// The redacted value; `name` is the member that has it.
    fileprivate func redacted(of name: String) -> JSONTree {
        switch self {
        case .text(let text): .text(Redaction.value(text, of: name))
        case .list(let items): .list(items.map { $0.redacted(of: name) })
        case .object(let members): .object(members.map(\.redacted))
        case .integer, .number, .flag, .null: self
        }
    }
}
