import PackFormat
package import SystemPackage

extension Catalog {
    /// The catalog of a folder whose own folders are tags: each file has the name of the first folder on its way.
    ///
    /// Files that stand beside the folders have no tag. Hidden files are passed over.
    package init(byFolder root: FilePath, bundleID: String = "com.example.app") throws {
        try TagRule.check(bundleID: bundleID)
        let resources = try Self.files(in: root).map { path in
            let parts = path.split(separator: "/")
            return Resource(path: path, tags: parts.count > 1 ? [String(parts[0])] : [])
        }
        self.init(bundleID: bundleID, root: root, resources: resources)
        guard !tags.isEmpty else { throw CatalogError.noTags(root) }
        for tag in tags { try TagRule.check(tag) }
    }

    /// The files below a folder, sorted; a link is an error, because packs cannot hold one.
    static func files(in root: FilePath) throws -> [String] {
        try FileTree.entries(of: root).compactMap { entry in
            if entry.path.hasPrefix(".") || entry.path.contains("/.") { return nil }
            switch entry.kind {
            case .folder: return nil
            case .file: return entry.path
            case .link, .other:
                throw CatalogError.outside(
                    root, path: entry.path, reason: "it is a link or a device, and packs hold files")
            }
        }
    }
}
