import Documents
import Testing

/// The events that a source file declares in enumerations named `Kind`, with their comments.
struct EventDeclarations {
    struct Value {
        var name: String
        var type: String
        var text: String
        var isOptional: Bool
    }

    private struct Case {
        var name: String
        var text: String
        var values: [Value]
    }

    private struct Declaration {
        var cases: [Case] = []
        var properties: [Value] = []
        /// The names of properties in an event's line, where they differ.
        var names: [String: String] = [:]
    }

    /// The declarations by type name.
    ///
    /// A nested type's name begins with that of the outer one.
    private var declarations: [String: Declaration] = [:]

    init(_ source: String) throws {
        /// The nested types around a line; the line's indentation says how many of them it is in.
        var types: [Substring] = []
        var comment: [String] = []
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.drop { $0 == " " }
            if words.hasPrefix("///") {
                comment.append(String(words.dropFirst(3).drop { $0 == " " }))
                continue
            }
            let outer = types.prefix((line.count - words.count) / 4)
            let isOfKeys = outer.last?.hasSuffix("CodingKeys") == true
            let name = (isOfKeys ? outer.dropLast() : outer).joined(separator: ".")
            if let match = words.firstMatch(of: #/^(?:package |private )(?:struct|enum) (\w+)/#) {
                types = outer + [match.1]
            } else if isOfKeys, let match = words.wholeMatch(of: #/case (\w+) = "(.+)"/#) {
                declarations[name, default: .init()].names[String(match.1)] = String(match.2)
            } else if !isOfKeys, let match = words.wholeMatch(of: #/case (\w+)(?:\((.*)\))?/#) {
                let (text, values) = Self.parts(of: comment)
                declarations[name, default: .init()].cases.append(
                    Case(name: String(match.1), text: text, values: Self.values(match.2 ?? "", values)))
            } else if let match = words.wholeMatch(of: #/package (?:let|var) (\w+): ([\w.]+)(\??)/#) {
                declarations[name, default: .init()].properties.append(
                    Value(
                        name: String(match.1), type: String(match.2), text: Self.parts(of: comment).text,
                        isOptional: !match.3.isEmpty))
            }
            comment = []
        }
    }

    /// The sentences of a comment, and its texts about parameters.
    private static func parts(of comment: [String]) -> (text: String, values: [String: String]) {
        var (text, values, last): ([String], [String: String], String?) = ([], [:], nil)
        for line in comment where !line.isEmpty && line != "- Parameters:" {
            if let match = line.wholeMatch(of: #/- (\w+): (.+)/#) {
                last = String(match.1)
                values[String(match.1)] = String(match.2)
            } else if let name = last {
                values[name]? += " " + line
            } else {
                text.append(line)
            }
        }
        return (text.joined(separator: " "), values)
    }

    private static func values(_ list: some StringProtocol, _ texts: [String: String]) -> [Value] {
        list.split(separator: ",").map { parameter in
            let parts = parameter.split(separator: ":").map { String($0.drop { $0 == " " }) }
            let type = parts[parts.count - 1].prefix { $0 != " " }
            return Value(
                name: parts.count > 1 ? parts[0] : "", type: String(type.filter { $0 != "?" }),
                text: texts[parts[0]] ?? "",
                isOptional: type.hasSuffix("?"))
        }
    }

    /// The values of a case, with types of this file replaced by their own values.
    private func flat(_ values: [Value], in outer: String) -> [Value] {
        values.flatMap { value -> [Value] in
            guard let type = declarations["\(outer).\(value.type)"] else {
                guard value.name.isEmpty, let type = declarations[value.type] else { return [value] }
                let properties = type.properties.map { property in
                    var property = property
                    property.name = type.names[property.name] ?? property.name
                    return property
                }
                return flat(properties, in: value.type)
            }
            // A value with several cases; their values become members next to it.
            let words = type.cases.map { "`\((type.names[$0.name] ?? $0.name).hyphenated)`" }.joined(separator: ", ")
            let text = value.text.hasSuffix(".") ? String(value.text.dropLast()) : value.text
            let word = Value(name: value.name, type: "String", text: "\(text): \(words).", isOptional: value.isOptional)
            return [word]
                + type.cases.flatMap { one in
                    one.values.map { Value(name: $0.name, type: $0.type, text: $0.text, isOptional: true) }
                }
        }
    }

    private var kinds: [(name: String, text: String, values: [Value])] {
        declarations.filter { $0.key.hasSuffix(".Kind") }.flatMap { key, kind in
            kind.cases.map { one in
                let name = (kind.names[one.name] ?? one.name).hyphenated
                return (name, one.text, flat(one.values, in: String(key.dropLast(5))))
            }
        }
    }

    /// Each event with its members and its text.
    var events: [(name: String, members: String, text: String)] {
        kinds.map { kind in
            func names(isOptional: Bool) -> String {
                kind.values.filter { $0.isOptional == isOptional }.map { "`\($0.name)`" }.joined(separator: ", ")
            }
            let optional = names(isOptional: true)
            return (
                kind.name, names(isOptional: false) + (optional.isEmpty ? "" : "; optional: \(optional)"), kind.text
            )
        }
    }

    /// Each member once, with all texts about it.
    func members() throws -> [Value] {
        var found: [Value] = []
        for value in kinds.flatMap(\.values) {
            let text = value.text.replacing("; nil", with: "; absent")
            if let index = found.firstIndex(where: { $0.name == value.name }) {
                if !found[index].text.contains(text) {
                    found[index].text = [found[index].text, text].filter { !$0.isEmpty }.joined(separator: " ")
                }
            } else {
                found.append(Value(name: value.name, type: value.type, text: text, isOptional: value.isOptional))
            }
        }
        for value in found { #expect(!value.text.isEmpty, "nothing says what '\(value.name)' is") }
        return found
    }
}
