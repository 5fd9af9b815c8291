extension JSONTree {
    /// The schema with repeated parts moved to `$defs`, each once.
    package func sharingRepeats() -> JSONTree {
        var counts: [JSONTree: Int] = [:]
        count(&counts)
        var sharing = Sharing(repeated: Set(counts.filter { $0.value > 1 }.keys))
        let root = sharing.shared(self, isRoot: true)
        return sharing.definitions.isEmpty ? root : root.setting("$defs", .object(sharing.definitions))
    }

    /// Whether it is a schema by itself, and longer than 160 bytes.
    private var isShareable: Bool {
        var isSchema = false
        if case .text? = self["description"] { isSchema = true }
        if case .list? = self["anyOf"] { isSchema = true }
        return isSchema && json.utf8.count > 160
    }

    private func count(_ counts: inout [JSONTree: Int]) {
        if isShareable {
            counts[self, default: 0] += 1
            // Its parts are shared together with it.
            if counts[self, default: 0] > 1 { return }
        }
        switch self {
        case .object(let members): for member in members { member.value.count(&counts) }
        case .list(let items): for item in items { item.count(&counts) }
        default: break
        }
    }

    private struct Sharing {
        let repeated: Set<JSONTree>
        private(set) var definitions: [Member] = []
        private var names: [JSONTree: String] = [:]

        init(repeated: Set<JSONTree>) { self.repeated = repeated }

        mutating func shared(_ tree: JSONTree, isRoot: Bool = false) -> JSONTree {
            guard !isRoot, repeated.contains(tree) else { return inner(tree) }
            if let name = names[tree] { return Self.reference(name) }
            let name = name(for: tree)
            names[tree] = name
            let place = definitions.count
            definitions.append(Member(key: name, value: tree))
            definitions[place].value = inner(tree)
            return Self.reference(name)
        }

        private mutating func inner(_ tree: JSONTree) -> JSONTree {
            switch tree {
            case .object(let members): .object(members.map { Member(key: $0.key, value: shared($0.value)) })
            case .list(let items): .list(items.map { shared($0) })
            default: tree
            }
        }

        private static func reference(_ name: String) -> JSONTree { .object(["$ref": .text("#/$defs/\(name)")]) }

        /// The first words of its description.
        private func name(for tree: JSONTree) -> String {
            var text = "any"
            if case .text(let description)? = tree["description"] { text = description }
            let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.prefix(4)
            let stem = words.joined(separator: "-")
            let taken = Set(definitions.map(\.key))
            guard taken.contains(stem) else { return stem }
            return (2...).lazy.map { "\(stem)-\($0)" }.first { !taken.contains($0) } ?? stem
        }
    }
}
