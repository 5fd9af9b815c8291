import Documents
import YAML

/// Reads a YAML file into ``YAMLNode``s, and reports problems in the file's own terms.
struct YAMLReader {
    private let text: YAMLText
    private let problems: Problems
    private var nodes = 0

    /// The limit on values of a file; a file that a person writes has hundreds.
    private static let mostNodes = 10_000

    /// The root of the file's only document; nil if there were problems.
    static func read(_ bytes: [UInt8], _ problems: Problems) -> YAMLNode? {
        guard let text = YAMLText(bytes, problems) else { return nil }
        var reader = YAMLReader(text: text, problems: problems)
        do throws(YAMLError) {
            guard let root = try YAMLValue.root(of: text.scalars) else {
                return problems.refuse("the file is empty", at: .start)
            }
            return reader.node(root)
        } catch {
            reader.report(error)
            return nil
        }
    }

    private mutating func node(_ value: YAMLValue) -> YAMLNode? {
        nodes += 1
        guard nodes <= Self.mostNodes else {
            return problems.refuse("the file has more than \(Self.mostNodes) values", at: value.mark)
        }
        switch value.content {
        case .text(let text, let isPlain): return scalar(text, isPlain: isPlain, of: value)
        case .list(let values):
            refuseTag(value)
            return YAMLNode(mark: value.mark, content: .list(values.compactMap { node($0) }))
        case .mapping(let pairs):
            refuseTag(value)
            return YAMLNode(mark: value.mark, content: .mapping(entries(pairs)))
        }
    }

    private func scalar(_ text: String, isPlain: Bool, of value: YAMLValue) -> YAMLNode {
        let mark = value.mark
        if isPlain { refuseTag(value) }
        if isPlain, let first = text.unicodeScalars.first, first == "&" || first == "*" {
            problems.add("anchors (&) and aliases (*) are not supported", at: mark, hint: "put a text in quotes")
        }
        if isPlain, text.isEmpty { return YAMLNode(mark: mark, content: .nothing) }
        return YAMLNode(mark: mark, content: .text(text, inset: inset(of: text, at: mark, isPlain: isPlain)))
    }

    /// The distance in columns from the mark of a text to its first character; nil if it is folded, escaped or a block.
    private func inset(of string: String, at mark: Mark, isPlain: Bool) -> Int? {
        guard let index = text.index(of: mark) else { return nil }
        let inset = isPlain ? 0 : 1
        return text.scalars[index...].dropFirst(inset).starts(with: string.unicodeScalars) ? inset : nil
    }

    private mutating func entries(_ pairs: [(key: YAMLValue, value: YAMLValue)]) -> [YAMLNode.Entry] {
        var entries: [YAMLNode.Entry] = []
        var first: [String: Mark] = [:]
        for (key, value) in pairs {
            guard let value = node(value) else { continue }
            guard case .text(let text, let isPlain) = key.content,
                case .text(let name, _) = scalar(text, isPlain: isPlain, of: key).content
            else {
                problems.add("a key must be a plain name", at: key.mark)
                continue
            }
            if let earlier = first[name] {
                let place = earlier.line == key.mark.line ? "on this line" : "on line \(earlier.line)"
                problems.add("the key '\(name)' appears twice; it is also \(place)", at: key.mark)
                continue
            }
            first[name] = key.mark
            entries.append(YAMLNode.Entry(key: name, keyMark: key.mark, value: value))
        }
        return entries
    }

    /// Refuses all tags, except the one that marks a text as a text.
    private func refuseTag(_ value: YAMLValue) {
        guard value.hasTag else { return }
        problems.add("YAML tags (!…) are not supported", at: value.mark, hint: "put a text in quotes")
    }
}

extension YAMLReader {
    /// Reports in the file's terms why the text is not YAML.
    private func report(_ error: YAMLError) {
        switch error {
        case .syntax(let problem, let mark, let context):
            let begun = context.map { " \($0.text), begun on line \($0.mark.line)" } ?? ""
            problems.add("this is not YAML: \(problem)\(begun)", at: mark, hint: hint(for: problem, at: mark))
        case .anotherDocument(let mark):
            problems.add("a second document begins here", at: mark, hint: "move it to its own file")
        case .tooDeep(let mark):
            problems.add("this is nested more than \(YAMLValue.deepest) levels deep", at: mark)
        }
    }

    private func hint(for problem: String, at mark: Mark) -> String? {
        switch text[mark] {
        case "\t": return "indent with spaces, not with a tab"
        case "@", "`", "%": return "put the text in quotes"
        default: break
        }
        if text.mayHoldReference(line: mark.line) {
            return "anchors (&) and aliases (*) are not supported; a text that begins with one needs quotes"
        }
        if problem.contains("mapping values are not allowed") { return "a text that holds ': ' needs quotes" }
        if problem.contains("document start") { return "is this line indented as those before it?" }
        return nil
    }
}

extension YAMLText {
    /// Whether a word of this line or of the line before begins with `&` or `*`.
    fileprivate func mayHoldReference(line: Int) -> Bool {
        let first = index(of: Mark(line: max(1, line - 1), column: 1)) ?? scalars.startIndex
        let end = index(of: Mark(line: line + 1, column: 1)) ?? scalars.endIndex
        return zip(scalars[first..<end], scalars[first..<end].dropFirst()).contains { before, scalar in
            " [{,:\n".unicodeScalars.contains(before) && (scalar == "&" || scalar == "*")
        }
    }
}
