import Documents

/// The matrix of a scenario: the values that its keys take, and the overrides at some of its points.
struct Matrix {
    /// A key that takes several values.
    struct Axis {
        let path: String
        let mark: Mark
        let values: [YAMLNode]
    }

    /// Keys that get other values at the points where the axes have certain values.
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

    /// All points; the values of the last axis change fastest.
    ///
    /// It is empty if the paths do not fit the tree, which is noted as a problem.
    func points(of root: YAMLNode, _ problems: Problems) -> [Point] {
        var points = [Point(settings: [], words: [], root: root)]
        for axis in axes {
            points = points.flatMap { point in
                axis.values.enumerated().compactMap { index, value in
                    point.root.setting(axis, to: value, problems).map { root in
                        let (text, word) = Self.names(of: value, on: axis, number: index + 1)
                        let setting = Cell.Setting(path: axis.path, value: text)
                        return Point(settings: point.settings + [setting], words: point.words + [word], root: root)
                    }
                }
            }
        }
        return points.map(overridden)
    }

    /// The first point once for each axis, with the axis's key set to its value outside of the matrix, if it has one.
    ///
    /// No cell has that value, but it is read and checked all the same.
    func hidden(of root: YAMLNode, behind first: Point, _ problems: Problems) -> [YAMLNode] {
        axes.compactMap { axis in
            root.value(at: axis.path).flatMap { first.root.setting(axis, to: $0, problems) }
        }
    }

    /// The name of a value in reports, and in the names of files.
    ///
    /// It leaves out parts of an address that may be secret. A header's value is replaced by its number.
    private static func names(of value: YAMLNode, on axis: Axis, number: Int) -> (text: String, word: String) {
        guard case .text(let text, _) = value.content, !axis.path.split(separator: ".").contains("headers") else {
            return ("\(number)", "\(number)")
        }
        let shown = text.withoutAddressSecrets
        return (shown, shown.fileWord)
    }

    private func overridden(_ point: Point) -> Point {
        var root = point.root
        for override in overrides
        where override.when.allSatisfy({ path, values in
            point.root.value(at: path).map { values.contains($0.flowText) } ?? false
        }) {
            for entry in override.entries { root.merge(entry) }
        }
        return Point(settings: point.settings, words: point.words, root: root)
    }
}

extension YAMLNode {
    /// The node at a path; nil if there is none.
    fileprivate func value(at path: String) -> YAMLNode? {
        path.split(separator: ".").reduce(self) { node, key in
            if case .list(let items)? = node?.content {
                return Int(key).flatMap { items.indices.contains($0) ? items[$0] : nil }
            }
            return node?[String(key)]
        }
    }

    /// The tree with an axis set to a value; nil, and a problem, if the path leads through a node without keys.
    fileprivate func setting(_ axis: Matrix.Axis, to value: YAMLNode, _ problems: Problems) -> YAMLNode? {
        setting(axis.path.split(separator: ".")[...], of: axis, to: value, problems)
    }

    private func setting(
        _ path: ArraySlice<Substring>, of axis: Matrix.Axis, to value: YAMLNode, _ problems: Problems
    ) -> YAMLNode? {
        guard let first = path.first else { return value }
        if case .list(var items) = content, let index = Int(first), items.indices.contains(index) {
            guard let inner = items[index].setting(path.dropFirst(), of: axis, to: value, problems) else { return nil }
            items[index] = inner
            return YAMLNode(mark: mark, content: .list(items))
        }
        guard case .mapping(var entries) = content else {
            let message = "\(kind) has no keys, so the matrix cannot set '\(axis.path)'"
            return problems.refuse(message, at: mark, hint: "write a mapping")
        }
        let index = entries.firstIndex { $0.key == first }
        let outer = index.map { entries[$0].value } ?? YAMLNode(mark: axis.mark, content: .mapping([]))
        guard let inner = outer.setting(path.dropFirst(), of: axis, to: value, problems) else { return nil }
        if let index {
            entries[index].value = inner
        } else {
            entries.append(Entry(key: String(first), keyMark: axis.mark, value: inner))
        }
        return YAMLNode(mark: mark, content: .mapping(entries))
    }

    /// Replaces the entry with the same key; budgets are replaced one by one.
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
    /// An address without user name, query and fragment; any other text is unchanged.
    fileprivate var withoutAddressSecrets: String {
        guard let scheme = firstRange(of: "://") else { return self }
        let rest = self[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
        let authority = rest.prefix { $0 != "/" }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return String(self[..<scheme.upperBound] + host + rest.dropFirst(authority.count))
    }

    /// The text as part of a file's name: ASCII letters, digits, dots, underscores and hyphens, at most 40 characters.
    var fileWord: String {
        let words = split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "_")) }
        return String(words.joined(separator: "-").prefix(40))
    }
}
