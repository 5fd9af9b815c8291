package import PackFormat
package import SystemPackage

extension Catalog {
    /// The catalog of a folder whose subfolders are tags: each file has the name of the first folder on its path as its
    /// tag.
    ///
    /// Files directly in the folder have no tag. Hidden files and folders are ignored. Files in asset catalogs also
    /// have the tags of their sets, and are chosen for the device of `slice`; see ``AssetCatalog``. Throws
    /// ``CatalogError`` for a folder without tags, for a link in it, and for a name that cannot be a tag;
    /// `PackFormatError` if the folder cannot be read.
    package init(byFolder root: FilePath, bundleID: String = "com.example.app", slice: Slice? = nil) throws {
        try TagRule.check(bundleID: bundleID)
        let resources = try Self.files(in: root, slice: slice).map { file in
            var file = file
            let first = PackPath.firstPart(file.path)
            if PackPath.hasSlash(file.path), !AssetCatalog.isName(first) { file.tags.insert(first) }
            return file
        }
        self.init(bundleID: bundleID, root: root, resources: resources)
        guard !tags.isEmpty else { throw CatalogError.noTags(root) }
        try TagRule.check(tagsOf: resources)
    }

    /// The files below a folder, sorted, those of asset catalogs with their tags.
    ///
    /// A link is an error, because packs cannot contain one.
    static func files(in root: FilePath, slice: Slice?) throws -> [Resource] {
        let files = try FileTree.entries(of: root).compactMap { entry -> Resource? in
            if PackPath.isHidden(entry.path) { return nil }
            switch entry.kind {
            case .folder: return nil
            case .file: return Resource(path: entry.path, tags: [], size: entry.size, modified: entry.modified)
            case .link, .other:
                throw CatalogError.badFile(
                    root, path: entry.path, reason: "it is a link or a device; packs hold only files")
            }
        }
        return try AssetCatalog.resources(files, root: root, slice: slice)
    }
}
