import Yams

import struct Documents.Mark

/// Reads a YAML file into ``YAMLNode``s, and says what is wrong with it in words about the file.
struct YAMLReader {
    private let text: YAMLText
    private let problems: Problems
    private var renamedKeys: [Mark: String] = [:]
    private var nodes = 0

    /// A person writes hundreds.
    private static let mostNodes = 10_000
    private static let deepest = 24

    /// The root of the file's only document; nil where `problems` were found.
    static func read(_ bytes: [UInt8], _ problems: Problems) -> YAMLNode? {
        guard let text = YAMLText(bytes, problems) else { return nil }
        var reader = YAMLReader(text: text, problems: problems)
        return reader.read()
    }

    private init(text: YAMLText, problems: Problems) {
        self.text = text
        self.problems = problems
    }

    private mutating func read() -> YAMLNode? {
        var composer = YAMLComposer(text)
        do {
            guard let root = try composer.compose() else {
                problems.add("the file is empty", at: .start)
                return nil
            }
            renamedKeys = composer.renamedKeys
            return node(root, depth: 0)
        } catch {
            report(error)
            return nil
        }
    }

    private mutating func node(_ node: Node, depth: Int) -> YAMLNode? {
        let mark = node.place
        nodes += 1
        guard nodes <= Self.mostNodes else {
            problems.add("the file has more than \(Self.mostNodes) values", at: mark)
            return nil
        }
        guard depth <= Self.deepest else {
            problems.add("this is nested more than \(Self.deepest) levels deep", at: mark)
            return nil
        }
        switch node {
        case .scalar(let scalar): return self.scalar(scalar, at: mark)
        case .sequence(let sequence):
            refuseTag(sequence.tag, at: mark)
            let items = sequence.compactMap { self.node($0, depth: depth + 1) }
            return YAMLNode(mark: mark, content: .list(items))
        case .mapping(let mapping):
            refuseTag(mapping.tag, at: mark)
            return YAMLNode(mark: mark, content: .mapping(entries(mapping, depth: depth)))
        case .alias:
            // Never made by a parser that sees no alias.
            return nil
        }
    }

    private func scalar(_ scalar: Node.Scalar, at mark: Mark) -> YAMLNode {
        let isPlain = scalar.style == .plain
        if isPlain { refuseTag(scalar.tag, at: mark) }
        if YAMLComposer.isReference(scalar) {
            problems.add("anchors (&) and aliases (*) are not followed here", at: mark, hint: "put a text in quotes")
        }
        if isPlain, scalar.string.isEmpty { return YAMLNode(mark: mark, content: .nothing) }
        let string = YAMLComposer.restored(scalar.string)
        return YAMLNode(mark: mark, content: .text(string, inset: inset(of: string, at: mark, isPlain: isPlain)))
    }

    /// How far behind its mark a text stands in the file as it reads; nil where it is folded, escaped or a block.
    private func inset(of string: String, at mark: Mark, isPlain: Bool) -> Int? {
        guard let index = text.index(of: mark) else { return nil }
        let inset = isPlain ? 0 : 1
        return text.scalars[index...].dropFirst(inset).starts(with: string.unicodeScalars) ? inset : nil
    }

    private mutating func entries(_ mapping: Node.Mapping, depth: Int) -> [YAMLNode.Entry] {
        var entries: [YAMLNode.Entry] = []
        var first: [String: Mark] = [:]
        for (keyNode, valueNode) in mapping {
            let keyMark = keyNode.place
            guard let value = node(valueNode, depth: depth + 1) else { continue }
            guard let scalar = keyNode.scalar, case .text(var key, _) = self.scalar(scalar, at: keyMark).content else {
                problems.add("a key is a plain name", at: keyMark)
                continue
            }
            key = renamedKeys[keyMark] ?? key
            if let earlier = first[key] {
                problems.add("the key '\(key)' is here twice; it is also on line \(earlier.line)", at: keyMark)
                continue
            }
            first[key] = keyMark
            entries.append(YAMLNode.Entry(key: key, keyMark: keyMark, value: value))
        }
        return entries
    }

    /// Refuses all tags but the one that says what is so anyway: that a text is a text.
    private func refuseTag(_ tag: Tag, at mark: Mark) {
        guard tag.description != Tag.implicit.description, tag.description != Tag(.str).description else { return }
        problems.add("YAML tags (!…) are not used here", at: mark, hint: "put a text in quotes")
    }
}

extension YAMLReader {
    /// Says in the file's terms why the text is not YAML.
    private func report(_ error: YamlError) {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let mark = Mark(line: mark.line, column: mark.column)
            if problem.contains("another document") {
                return problems.add("a second document begins here", at: mark, hint: "give it a file of its own")
            }
            let begun = context.map { " \($0.text), begun on line \($0.mark.line)" } ?? ""
            problems.add("this is not YAML: \(problem)\(begun)", at: mark, hint: hint(for: problem, at: mark))
        case .duplicatedKeysInMapping(let names, let context):
            let mark = Mark(line: context.mark.line, column: context.mark.column)
            problems.add("the key '\(YAMLComposer.restored(names[0]))' is here more than once", at: mark)
        case .reader(let problem, _, _, _), .writer(let problem), .emitter(let problem), .representer(let problem):
            problems.add("this is not YAML: \(problem)", at: .start)
        case .no, .memory, .dataCouldNotBeDecoded:
            problems.add("this is not YAML: \(error)", at: .start)
        }
    }

    private func hint(for problem: String, at mark: Mark) -> String? {
        switch text[mark] {
        case "\t": return "indent with spaces, not with a tab"
        case "@", "`", "%": return "put the text in quotes"
        default: break
        }
        if text.mayHoldReference(line: mark.line) {
            return "anchors (&) and aliases (*) are not followed here; a text that begins with one needs quotes"
        }
        if problem.contains("mapping values are not allowed") { return "a text that holds ': ' needs quotes" }
        if problem.contains("document start") { return "is this line indented as those before it?" }
        return nil
    }
}

extension YAMLText {
    /// Whether a word of this line or of the one before begins with `&` or `*`.
    fileprivate func mayHoldReference(line: Int) -> Bool {
        let first = index(of: Mark(line: max(1, line - 1), column: 1)) ?? scalars.startIndex
        let end = index(of: Mark(line: line + 1, column: 1)) ?? scalars.endIndex
        return zip(scalars[first..<end], scalars[first..<end].dropFirst()).contains { before, scalar in
            " [{,:\n".unicodeScalars.contains(before) && (scalar == "&" || scalar == "*")
        }
    }
}

extension Node {
    /// Where the node begins.
    fileprivate var place: Mark { mark.map { Mark(line: $0.line, column: $0.column) } ?? .start }
}
