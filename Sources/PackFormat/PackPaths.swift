/// The names of one pack's files and folders, entered one after another; a name can occur only once.
///
/// Names that differ only by Unicode normalisation are refused, also those of folders; see ``NameLedger``.
package struct PackPaths: Sendable {
    /// What a name stands for.
    package enum Kind: Hashable, Sendable {
        case file
        case folder
    }

    /// Why a name cannot be in the pack.
    package struct Fault: Error, Hashable, Sendable {
        /// The name.
        package var path: String
        /// What is wrong with it, without a full stop.
        package var reason: String
    }

    private struct Key: Hashable {
        /// The folder's number; 0 for the pack itself.
        let folder: Int
        /// Equal to every name that is canonically equivalent.
        let part: String
    }

    private struct Node {
        let number: Int
        let part: String
        let kind: Kind
        /// Whether it was entered itself, not only as the folder of another entry.
        var isEntered: Bool
    }

    private let mostBytes: Int
    private var nodes: [Key: Node] = [:]

    /// An empty pack, whose paths have at most `mostBytes` bytes (default: 1024).
    package init(mostBytes: Int = PackPath.mostBytes) {
        self.mostBytes = mostBytes
    }

    /// Enters a file or a folder.
    ///
    /// - Returns: The folders that no earlier entry has named, outermost first.
    /// - Throws: ``Fault`` for an invalid name, a name that occurs twice, and one that is both a file and a folder.
    @discardableResult
    package mutating func enter(_ path: String, as kind: Kind) throws(Fault) -> [String] {
        if let reason = PackPath.fault(in: path, mostBytes: mostBytes) { throw Fault(path: path, reason: reason) }
        let parts = PackPath.parts(path)
        var (folder, way, made) = (0, "", [String]())
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            let wanted = isLast ? kind : .folder
            let key = Key(folder: folder, part: part)
            way += index == 0 ? part : "/" + part
            if let known = nodes[key] {
                try check(known, part: part, kind: wanted, isLast: isLast, path: path)
            } else {
                nodes[key] = Node(number: nodes.count + 1, part: part, kind: wanted, isEntered: false)
                if wanted == .folder { made.append(way) }
            }
            if isLast { nodes[key]?.isEntered = true }
            folder = nodes[key]?.number ?? 0
        }
        return made
    }

    private func check(_ known: Node, part: String, kind: Kind, isLast: Bool, path: String) throws(Fault) {
        guard known.part.utf8.elementsEqual(part.utf8) else {
            throw Fault(path: path, reason: NameLedger.reason(part, known.part))
        }
        guard known.kind == kind else { throw Fault(path: path, reason: "its name is both a file and a folder") }
        guard isLast, known.isEntered else { return }
        // Readers may compose names before they come here, so that two names become equal.
        let isPlain = path.utf8.allSatisfy { $0 < 0x80 }
        let reason = "its name occurs twice" + (isPlain ? "" : ", maybe in another Unicode normalisation")
        throw Fault(path: path, reason: reason)
    }
}
