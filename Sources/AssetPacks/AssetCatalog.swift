import PackFormat
import SystemPackage

/// An `.xcassets` folder: selects the files that a device takes, with their tags.
///
/// Tags are in the `Contents.json` of a set, an atlas, a stack or a group, and apply to everything below it. Files that
/// no set names are in no pack, and neither are the `Contents.json` themselves: Xcode compiles both away.
struct AssetCatalog {
    /// The suffix of a catalog's folder.
    static let suffix = ".xcassets"

    /// Whether a file lies in an asset catalog.
    static func holds(_ path: String) -> Bool {
        PackPath.parts(path).dropLast().contains { isName($0) }
    }

    /// Whether a folder of this name is an asset catalog.
    static func isName(_ name: String) -> Bool {
        name.lowercased().hasSuffix(suffix) && name.utf8.count > suffix.utf8.count
    }

    private let root: FilePath
    private let slice: Slice?
    /// The paths in each folder; a folder has no size.
    private var children: [String: [String]] = [:]
    private var files: [String: Catalog.Resource] = [:]

    /// The files below `root` for packs; those in asset catalogs are chosen for a device, and get their tags.
    static func resources(_ all: [Catalog.Resource], root: FilePath, slice: Slice?) throws(CatalogError) -> [Catalog
        .Resource]
    {
        let inCatalogs = all.filter { holds($0.path) }
        guard !inCatalogs.isEmpty else { return all }
        var catalog = AssetCatalog(root: root, slice: slice)
        for file in inCatalogs { catalog.enter(file) }
        var found: [Catalog.Resource] = []
        for top in Set(inCatalogs.map { Self.top(of: $0.path) }).sorted() {
            try catalog.collect(top, tags: [], into: &found)
        }
        return (all.filter { !holds($0.path) } + found).sorted {
            $0.path.utf8.lexicographicallyPrecedes($1.path.utf8)
        }
    }

    /// The outermost catalog above a file.
    private static func top(of path: String) -> String {
        let parts = PackPath.parts(path)
        let count = (parts.firstIndex { isName($0) } ?? 0) + 1
        return parts.prefix(count).joined(separator: "/")
    }

    private mutating func enter(_ file: Catalog.Resource) {
        files[file.path] = file
        var path = file.path
        while let folder = PackPath.parent(of: path) {
            let isKnown = children[folder] != nil
            children[folder, default: []].append(path)
            guard !isKnown else { return }
            path = folder
        }
    }

    private func collect(
        _ folder: String, tags: Set<String>, into found: inout [Catalog.Resource]
    ) throws(CatalogError) {
        let inner = children[folder] ?? []
        let contents = "\(folder)/\(AssetSet.fileName)"
        let set = files[contents] == nil ? nil : try AssetSet(root.appending(contents))
        let tags = tags.union(set?.tags ?? [])
        let names = Dictionary(inner.map { (Self.name(of: $0), $0) }) { first, _ in first }
        for entry in set?.entries ?? [] where names[entry.name] == nil {
            let reason = "there is no '\(NameText.visible(entry.name))' beside it"
            throw set?.document.wrong(entry.mark, reason) ?? .noTags(root)
        }
        let named = Set((set?.entries ?? []).map(\.name))
        let chosen = set?.names(for: slice) ?? []
        for path in inner where path != contents {
            let name = Self.name(of: path)
            if var file = files[path] {
                guard chosen.contains(name) else { continue }
                (file.tags, file.isOfAssetCatalog) = (tags, true)
                found.append(file)
            } else if chosen.contains(name) || !named.contains(name) {
                try collect(path, tags: tags, into: &found)
            }
        }
    }

    private static func name(of path: String) -> String {
        PackPath.parts(path).last ?? path
    }
}
