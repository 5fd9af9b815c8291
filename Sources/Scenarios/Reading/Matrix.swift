/// The matrix of a scenario: which values its keys take, and what is different at some of its points.
struct Matrix {
    /// A key that takes several values.
    struct Axis {
        let path: String
        let mark: Mark
        let values: [YAMLNode]
    }

    /// Keys that are set anew where the axes have certain values.
    struct Override {
        let when: [(path: String, values: [String])]
        let entries: [YAMLNode.Entry]
    }

    /// A cell before it is read: the scenario's text at one point.
    struct Point {
        let settings: [Cell.Setting]
        /// The values as parts of a file's name.
        let words: [String]
        let root: YAMLNode
    }

    var axes: [Axis] = []
    var overrides: [Override] = []

    /// Every point, the last axis turning fastest.
    func points(of root: YAMLNode, _ problems: Problems) -> [Point] {
        var points = [Point(settings: [], words: [], root: root)]
        for axis in axes {
            points = points.flatMap { point in
                axis.values.enumerated().compactMap { index, value in
                    let problem = {
                        problems.add($0, at: axis.mark, hint: "matrix paths lead through keys, such as link.profile")
                    }
                    guard let root = point.root.setting(axis.path, to: value, at: axis.mark, problem) else {
                        return nil
                    }
                    let (text, word) = Self.names(of: value, number: index + 1)
                    return Point(
                        settings: point.settings + [Cell.Setting(path: axis.path, value: text)],
                        words: point.words + [word], root: root)
                }
            }
        }
        return points.map(overridden)
    }

    private static func names(of value: YAMLNode, number: Int) -> (text: String, word: String) {
        guard case .text(let text, _) = value.content else { return ("\(number)", "\(number)") }
        return (text, text.fileWord)
    }

    private func overridden(_ point: Point) -> Point {
        var root = point.root
        let values = Dictionary(
            uniqueKeysWithValues: axes.map(\.path).compactMap { path in
                point.value(at: path).map { (path, $0) }
            })
        for override in overrides where override.when.allSatisfy({ $0.values.contains(values[$0.path] ?? "") }) {
            for entry in override.entries { root.merge(entry) }
        }
        return Point(settings: point.settings, words: point.words, root: root)
    }
}

extension Matrix.Point {
    /// The value that an axis has here, in flow style.
    fileprivate func value(at path: String) -> String? {
        var node = root
        for key in path.split(separator: ".") {
            guard let next = node[String(key)] else { return nil }
            node = next
        }
        return node.flowText
    }
}

extension YAMLNode {
    /// The tree with `value` at `path`; nil, with a problem, where the path leads through something that has no keys.
    fileprivate func setting(
        _ path: String, to value: YAMLNode, at mark: Mark, _ problem: (String) -> Void
    ) -> YAMLNode? {
        guard case .mapping(var entries) = content else {
            problem("the path goes on behind \(kind)")
            return nil
        }
        let parts = path.split(separator: ".", maxSplits: 1)
        let key = String(parts[0])
        let index = entries.firstIndex { $0.key == key }
        var inner = value
        if parts.count == 2 {
            let outer = index.map { entries[$0].value } ?? YAMLNode(mark: mark, content: .mapping([]))
            guard let set = outer.setting(String(parts[1]), to: value, at: mark, problem) else { return nil }
            inner = set
        }
        if let index {
            entries[index].value = inner
        } else {
            entries.append(Entry(key: key, keyMark: mark, value: inner))
        }
        return YAMLNode(mark: self.mark, content: .mapping(entries))
    }

    /// Puts an entry in the place of one with its key; budgets are replaced one by one.
    fileprivate mutating func merge(_ entry: Entry) {
        guard case .mapping(var entries) = content else { return }
        if let index = entries.firstIndex(where: { $0.key == entry.key }) {
            if entry.key == "budgets", case .mapping(let budgets) = entry.value.content {
                for budget in budgets { entries[index].value.merge(budget) }
            } else {
                entries[index] = entry
            }
        } else {
            entries.append(entry)
        }
        content = .mapping(entries)
    }
}

extension String {
    /// The text as a part of a file's name: letters, digits, dots, hyphens; at most 40 of them.
    var fileWord: String {
        let words = split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "_")) }
        return String(words.joined(separator: "-").prefix(40))
    }
}
