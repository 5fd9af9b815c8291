import Documents
import PackFormat
import SystemPackage

/// The `Contents.json` of a folder in an asset catalog (Asset Catalog Format Reference).
struct AssetSet {
    /// A file or a folder that it names, with the devices that take it.
    struct Entry {
        let name: String
        let mark: Mark
        let idiom: String
        /// The scale, 1 to 3; nil for a vector, and for anything else without a scale.
        let scale: Int?
        /// All other properties that distinguish entries: appearance, size class, memory, and the like.
        let slot: String
    }

    static let fileName = "Contents.json"
    private static let tagsKey = "on-demand-resource-tags"
    /// Keys that do not distinguish entries.
    private static let plain: Set<String> = ["filename", "idiom", "scale", "universal-type-identifier"]

    let document: CatalogDocument
    private(set) var tags: Set<String> = []
    private(set) var entries: [Entry] = []

    init(_ file: FilePath) throws(CatalogError) {
        let document = CatalogDocument(file: file)
        self.document = document
        try document.read { try read($0) }
    }

    /// The names of the entries that a device takes; all names without a device.
    ///
    /// Among entries that differ only by idiom or scale, those of the device's own idiom come before universal ones.
    /// Then the preferred scale is its own, none, the next larger, the next smaller, in this order.
    func names(for slice: Slice?) -> Set<String> {
        guard let slice else { return Set(entries.map(\.name)) }
        return Dictionary(grouping: entries, by: \.slot).values.reduce(into: []) { names, group in
            var fits = group
            if let idiom = slice.idiom {
                let own = group.filter { $0.idiom == idiom.rawValue }
                fits = own.isEmpty ? group.filter { $0.idiom == "universal" } : own
            }
            // Without an idiom, scales are chosen for each idiom on its own.
            for fits in Dictionary(grouping: fits, by: \.idiom).values {
                names.formUnion(Self.fits(fits, scale: slice.scale).map(\.name))
            }
        }
    }

    private static func fits(_ entries: [Entry], scale: Int?) -> [Entry] {
        guard let scale else { return entries }
        let scales = Set(entries.map(\.scale))
        let larger = scales.compactMap { $0 }.filter { $0 > scale }.min()
        let smaller = scales.compactMap { $0 }.filter { $0 < scale }.max()
        let best = scales.contains(scale) ? scale : scales.contains(nil) ? nil : larger ?? smaller
        return entries.filter { $0.scale == best }
    }

    private mutating func read(_ root: JSONNode) throws(JSONProblem) {
        for member in try root.members() {
            switch member.key {
            case "properties": try readProperties(member.value)
            case "info": continue
            default:
                guard case .array(let elements) = member.value.content else { continue }
                for element in elements { try readEntry(element) }
            }
        }
    }

    private mutating func readProperties(_ node: JSONNode) throws(JSONProblem) {
        for member in try node.members() where member.key == Self.tagsKey {
            for element in try member.value.elements("an array of tags") { tags.insert(try element.text()) }
        }
    }

    private mutating func readEntry(_ node: JSONNode) throws(JSONProblem) {
        guard case .object(let members) = node.content else { return }
        func value(_ key: String) -> JSONNode? { members.first { $0.key == key }?.value }
        guard let name = value("filename") else { return }
        // actool leaves out entries that Xcode could not place.
        if case .literal("true")? = value("unassigned")?.content { return }
        let slot = members.filter { !Self.plain.contains($0.key) }.map { "\($0.key)=\($0.value.slotText)" }
        entries.append(
            Entry(
                name: try name.text(), mark: name.mark, idiom: try value("idiom")?.text() ?? "universal",
                scale: try value("scale").map(Self.scale), slot: slot.sorted().joined(separator: ";")))
    }

    private static func scale(_ node: JSONNode) throws(JSONProblem) -> Int {
        let text = try node.text()
        guard text.last == "x", let scale = Int(text.dropLast()), (1...3).contains(scale) else {
            throw JSONProblem(node.mark, "a scale is 1x, 2x or 3x, not \(node.kind)")
        }
        return scale
    }
}

extension JSONNode {
    /// The value as a text that is the same for equal values.
    fileprivate var slotText: String {
        switch content {
        case .object(let members):
            "{\(members.map { "\($0.key)=\($0.value.slotText)" }.sorted().joined(separator: ";"))}"
        case .array(let elements): "[\(elements.map(\.slotText).joined(separator: ";"))]"
        case .string(let text): text
        case .literal(let text): text
        }
    }
}
