import Documents
import LinkModel
import Wording

/// A quantity that is read from a text with a unit.
protocol TextQuantity: Comparable {
    init(parsing text: String) throws(UnitError)
    /// The units that a text can have.
    static var unitNames: [String] { get }
    var text: String { get }
}

extension BitRate: TextQuantity {}
extension ByteCount: TextQuantity {}
extension Ratio: TextQuantity {}
extension Duration: TextQuantity {}

extension FieldDecoder {
    /// A text with units; `pattern` is for the schema, and `parse` throws what is wrong with a unit.
    static func measured(
        _ expected: String, pattern: @autoclosure @escaping () -> String,
        _ parse: @escaping (String) throws(UnitError) -> Reading<Value>
    ) -> FieldDecoder {
        .scalar(expected, schema: { SchemaNode.text(expected, pattern: pattern()) }) { text in
            do throws(UnitError) {
                return try parse(text)
            } catch {
                return .wrong(text, not: expected, hint: error.reason)
            }
        }
    }
}

extension FieldDecoder where Value: TextQuantity {
    /// A quantity with its unit, within a range.
    static func quantity(_ expected: String, in range: ClosedRange<Value>? = nil) -> FieldDecoder {
        .measured(
            expected, pattern: TextPattern.whole(TextPattern.quantity(Value.unitNames))
        ) { text throws(UnitError) in
            let value = try Value(parsing: text)
            guard let range, !range.contains(value) else { return .value(value) }
            let limit =
                value < range.lowerBound
                ? "the least is \(range.lowerBound.text)" : "the most is \(range.upperBound.text)"
            return .wrong("'\(text)' is out of range: \(limit)", hint: nil)
        }
    }
}

extension FieldDecoder where Value == Duration {
    /// A duration of up to a day, 0 included.
    static var duration: FieldDecoder { quantity("a duration such as 100 ms or 1.5 s", in: .zero ... .seconds(86_400)) }
    /// A duration of up to a day, more than 0.
    static var positiveDuration: FieldDecoder {
        quantity("a duration such as 100 ms or 1.5 s", in: .nanoseconds(1) ... .seconds(86_400))
    }
    /// A delay of a link: up to an hour.
    static var delay: FieldDecoder { quantity("a duration such as 100 ms or 1.5 s", in: LinkBounds.delay) }
    /// The time after which a link repeats itself: from 10 ms to a day.
    static var period: FieldDecoder {
        quantity("a duration such as 100 ms or 1.5 s", in: LinkBounds.leastPeriod ... .seconds(86_400))
    }
}

extension FieldDecoder where Value == ByteCount {
    /// A size in bytes.
    static var size: FieldDecoder { quantity("a size such as 64 MiB or 2 GB") }
}

extension FieldDecoder where Value == Ratio {
    /// A percentage.
    static var share: FieldDecoder { quantity("a share such as 1 %") }
    /// A percentage from more than 0 % to 100 %.
    static var positiveShare: FieldDecoder { quantity("a share such as 1 %", in: Ratio(partsPerBillion: 1) ... .one) }
}

extension FieldDecoder where Value == String {
    /// A text that is not blank, such as a title or a path.
    static var text: FieldDecoder { text() }

    /// A text that may be long, such as a script: up to 131071 bytes, as an argument on Linux is (see execve(2)).
    static var longText: FieldDecoder { text(upTo: 131_071) }

    /// A text that is not blank; `pattern` is only for the schema, and the caller checks what it requires.
    static func text(upTo longest: Int = 4096, pattern: String = "\\S") -> FieldDecoder {
        scalar("text", upTo: longest, pattern: pattern) { text in
            text.allSatisfy(\.isWhitespace) ? .wrong("this text is empty", hint: nil) : .value(text)
        }
    }

    /// A text of ASCII that matches a regular expression, which is also that of the schema, and that `isRight`.
    static func matching(
        _ pattern: String, _ expected: String, hint: String? = nil, isRight: @escaping (String) -> Bool = { _ in true }
    ) -> FieldDecoder {
        scalar(expected, pattern: pattern) { text in
            let isMatch = text.utf8.allSatisfy { $0 < 0x80 } && (try? Regex(pattern).wholeMatch(in: text)) != nil
            return isMatch && isRight(text) ? .value(text) : .wrong(text, not: expected, hint: hint)
        }
    }

    /// One of `names`.
    static func word(_ expected: String, in names: [String]) -> FieldDecoder {
        scalar(expected, schema: { SchemaNode.word(expected, names) }) { text in
            if names.contains(text) { return .value(text) }
            let hint = NearestName.hint(for: text, in: names) ?? "write one of \(names.joined(separator: ", "))"
            return .wrong(text, not: expected, hint: hint)
        }
    }
}

extension FieldDecoder where Value == Bool {
    /// `true` or `false`; no other word is accepted.
    static var flag: FieldDecoder {
        scalar("true or false", schema: { .object(["type": .text("boolean")]) }) { text in
            switch text {
            case "true": .value(true)
            case "false": .value(false)
            case "yes", "on", "True", "TRUE": .wrong(text, not: "true or false", hint: "write true")
            case "no", "off", "False", "FALSE": .wrong(text, not: "true or false", hint: "write false")
            default: .wrong(text, not: "true or false")
            }
        }
    }
}

extension FieldDecoder where Value: FixedWidthInteger {
    /// A whole number in digits, within a range.
    static func integer(_ expected: String, in range: ClosedRange<Value>) -> FieldDecoder {
        let schema: () -> JSONTree = {
            .object([
                "description": .text(expected), "type": .text("integer"),
                "minimum": .whole(range.lowerBound), "maximum": .whole(range.upperBound),
            ])
        }
        return scalar(expected, schema: schema) { text in
            let digits = text.drop { $0 == "-" && range.lowerBound < 0 }
            guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let value = Value(text) else {
                return .wrong(text, not: expected)
            }
            guard range.contains(value) else {
                return .wrong(
                    "\(text) is out of range", hint: "the range is \(range.lowerBound) to \(range.upperBound)")
            }
            return .value(value)
        }
    }
}

extension FieldDecoder where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of an enumeration's names.
    static func choice(_ expected: String) -> FieldDecoder {
        let names = Value.allCases.map(\.rawValue)
        return FieldDecoder<String>.word("\(expected): \(names.joined(separator: ", "))", in: names)
            .then(expected) { name, _, _ in Value(rawValue: name) }
    }
}

extension FieldDecoder {
    /// A list of at least one item, and up to 1000.
    ///
    /// Every item is read, also after a wrong one.
    static func list<Item>(_ expected: String, of item: FieldDecoder<Item>) -> FieldDecoder where Value == [Item] {
        FieldDecoder(expected, schema: { SchemaNode.list(expected, of: item.schema()) }) { node, problems in
            guard case .list(let nodes) = node.content else {
                return problems.refuse("found \(node.kind), expected \(expected)", at: node.mark, hint: "write [a, b]")
            }
            guard !nodes.isEmpty, nodes.count <= SchemaNode.mostItems else {
                let message = nodes.isEmpty ? "this list is empty" : "more than \(SchemaNode.mostItems) items"
                return problems.refuse(message, at: node.mark)
            }
            let items = nodes.compactMap { item.value(of: $0, problems) }
            return items.count == nodes.count ? items : nil
        }
    }

    /// A mapping.
    ///
    /// `body` asks for every key that it can have.
    static func mapping(_ what: String, _ body: @escaping (Fields) -> Value?) -> FieldDecoder {
        FieldDecoder(what, schema: { Fields.schema(of: what) { _ = body($0) } }) { node, problems in
            guard let fields = Fields(node, of: what, problems) else { return nil }
            let value = body(fields)
            return fields.close() ? value : nil
        }
    }

    /// A value in one of several forms: that at the index which `choose` returns for a node reads it.
    static func oneOf(
        _ expected: String, _ forms: [FieldDecoder], choose: @escaping (YAMLNode) -> Int
    ) -> FieldDecoder {
        FieldDecoder(expected, schema: { SchemaNode.any(forms.map { $0.schema() }) }) { node, problems in
            forms[choose(node)].read(node, problems)
        }
    }

    /// A mapping or a text: `limits: ios-2015` or `limits: {pack: 1 MB}`.
    static func either(_ text: FieldDecoder, _ mapping: FieldDecoder) -> FieldDecoder {
        .oneOf("\(text.expected), or \(mapping.expected)", [text, mapping]) { $0.isMapping ? 1 : 0 }
    }

    /// The value of a node; a node without content is a problem.
    func value(of node: YAMLNode, _ problems: Problems) -> Value? {
        if case .nothing = node.content { return problems.refuse("found nothing, expected \(expected)", at: node.mark) }
        return read(node, problems)
    }

    /// The same decoder, with its value converted by `next`.
    func map<Other>(_ next: @escaping (Value) -> Other) -> FieldDecoder<Other> {
        FieldDecoder<Other>(expected, schema: schema) { node, problems in read(node, problems).map(next) }
    }

    /// The same decoder, with its value checked or converted by `next`, which notes the problems.
    func then<Other>(
        _ expected: String? = nil, schema: (() -> JSONTree)? = nil,
        _ next: @escaping (Value, YAMLNode, Problems) -> Other?
    ) -> FieldDecoder<Other> {
        FieldDecoder<Other>(expected ?? self.expected, schema: schema ?? self.schema) { node, problems in
            value(of: node, problems).flatMap { next($0, node, problems) }
        }
    }

    /// The same decoder, which also reads `word` as `value`.
    func or(_ word: String, _ meaning: String, _ value: Value) -> FieldDecoder {
        FieldDecoder(
            expected, schema: { SchemaNode.any([schema(), SchemaNode.word(meaning, [word])]) }
        ) { node, problems in
            if case .text(word, _) = node.content { value } else { read(node, problems) }
        }
    }

    /// Reads one value, or a list of them.
    func orList(_ what: String) -> FieldDecoder<[Value]> {
        .oneOf(expected, [map { [$0] }, .list(what, of: self)]) { $0.isList ? 1 : 0 }
    }
}
