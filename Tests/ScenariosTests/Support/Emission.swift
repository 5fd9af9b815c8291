@testable import Scenarios

/// A tree written as text, one key a line, with the line of each key.
struct Emission {
    /// A key of a tree: the keys and indices that lead to it.
    struct Path: Hashable, CustomStringConvertible {
        var parts: [String]

        var key: String { parts[parts.count - 1] }
        /// The keys above, nearest first.
        var above: [String] { parts.dropLast().reversed() }
        var description: String { parts.joined(separator: ".") }
    }

    private(set) var text = ""
    private(set) var lines: [Path: Int] = [:]
    /// Paths in the order of the text.
    private(set) var paths: [Path] = []
    private var line = 1

    /// The column of every key below the root.
    static func column(_ path: Path) -> Int { path.parts.count * 2 + 1 }

    init(_ root: YAMLNode) {
        write(root, at: Path(parts: []))
    }

    private mutating func write(_ node: YAMLNode, at path: Path) {
        switch node.content {
        case .text(let text, _): self.text += Self.quoted(text)
        case .nothing: break
        case .list(let items): block("[", "]", path, items.enumerated().map { ("\($0)", nil, $1) })
        case .mapping(let entries): block("{", "}", path, entries.map { ($0.key, Self.quoted($0.key), $0.value) })
        }
    }

    private mutating func block(_ open: String, _ close: String, _ path: Path, _ items: [(String, String?, YAMLNode)]) {
        text += open
        for (name, key, value) in items {
            let inner = Path(parts: path.parts + [name])
            newline(indent: inner.parts.count)
            if let key {
                lines[inner] = line
                paths.append(inner)
                text += "\(key): "
            }
            write(value, at: inner)
            text += ","
        }
        newline(indent: path.parts.count)
        text += close
    }

    private mutating func newline(indent: Int) {
        text += "\n" + String(repeating: "  ", count: indent)
        line += 1
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.map { character in
            switch character {
            case "\"", "\\": "\\\(character)"
            case "\n": "\\n"
            default: String(character)
            }
        }
        return "\"\(escaped.joined())\""
    }
}

extension YAMLNode {
    /// The tree with the entry at a path edited, or removed if `edit` returns nil.
    func editing(_ path: ArraySlice<String>, _ edit: (Entry) -> Entry?) -> YAMLNode {
        guard let first = path.first else { return self }
        switch content {
        case .list(let items):
            let edited = items.enumerated().map { "\($0)" == first ? $1.editing(path.dropFirst(), edit) : $1 }
            return YAMLNode(mark: mark, content: .list(edited))
        case .mapping(let entries):
            let edited = entries.compactMap { entry -> Entry? in
                guard entry.key == first else { return entry }
                if path.count == 1 { return edit(entry) }
                return Entry(key: entry.key, keyMark: entry.keyMark, value: entry.value.editing(path.dropFirst(), edit))
            }
            return YAMLNode(mark: mark, content: .mapping(edited))
        case .text, .nothing: return self
        }
    }
}
