package import PackFormat
package import SystemPackage

/// Resources with their tags, from which packs are built.
package struct Catalog: Hashable, Sendable {
    /// A file and the tags that it has.
    package struct Resource: Hashable, Sendable {
        /// The path relative to the catalog's folder, with `/` between its parts.
        package var path: String
        /// Empty for a file that goes into the app's bundle instead of a pack.
        package var tags: Set<String>
        /// Bytes of the file.
        package var size: Int64
        /// The modification time, in nanoseconds since 1970.
        package var modified: Int64
        /// Whether it is part of an asset catalog, so that apps request it by its set's name, and tag tables do not
        /// list it.
        package var isOfAssetCatalog = false
    }

    /// The app's bundle identifier, the first part of every pack's name.
    package var bundleID: String
    /// The folder of the files.
    package var root: FilePath
    /// Every file of the folder, sorted by path.
    package var resources: [Resource]
    /// Tags that are downloaded with the app (ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS).
    package var initialInstall: Set<String> = []
    /// Tags that are downloaded after it, in this order (ON_DEMAND_RESOURCES_PREFETCH_ORDER).
    package var prefetch: [String] = []
    /// The preservation priorities that the app sets for its tags, 0 to 1; packs do not contain them, but advice uses
    /// them.
    package var preservation: [String: Double] = [:]

    /// The tags of all resources, sorted.
    package var tags: [String] {
        resources.reduce(into: Set<String>()) { $0.formUnion($1.tags) }.sorted()
    }
}

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
            case .directory: return nil
            case .regular: return Resource(path: entry.path, tags: [], size: entry.size, modified: entry.modified)
            default:
                throw CatalogError.badFile(
                    root, path: entry.path, reason: "it is a link or a device; packs hold only files")
            }
        }
        return try AssetCatalog.resources(files, root: root, slice: slice)
    }

    /// The default name of a tag file.
    package static let tagFileName = "tags.json"

    /// The catalog that a tag file describes; its patterns begin at `root`, by default the file's own folder.
    ///
    /// ```json
    /// {"bundle": "com.example.game", "prefetch": ["level-1"], "tags": {"level-1": ["levels/1/**", "music/1.ogg"]}}
    /// ```
    /// Files in asset catalogs also have the tags of their sets; see ``AssetCatalog``. The tag file itself and hidden
    /// files are in no pack. A file that no pattern matches has no tag, which is not an error. Throws ``CatalogError``
    /// with the line for an unknown key, a pattern that matches no file or leads out of the folder, and a list with a
    /// tag that the file does not define; `PackFormatError` if files cannot be read.
    package init(tagFile: FilePath, root: FilePath? = nil, slice: Slice? = nil) throws {
        let form = try TagFileDecoder(tagFile)
        let parent = tagFile.removingLastComponent()
        let root = root ?? (parent.isEmpty ? FilePath(".") : parent)
        let own = tagFile.lexicallyNormalized()
        var resources = try Self.files(in: root, slice: slice).filter {
            root.appending($0.path).lexicallyNormalized() != own
        }
        for (tag, patterns) in form.tags {
            for pattern in patterns {
                let matcher = PathPattern(pattern.text)
                let found = resources.indices.filter { matcher.matches(resources[$0].path) }
                guard !found.isEmpty else {
                    throw form.document.wrong(
                        pattern.mark,
                        "no file below '\(root)' matches '\(pattern.text)'; correct the pattern, or remove it")
                }
                for index in found { resources[index].tags.insert(tag) }
            }
        }
        self.init(
            bundleID: form.bundle, root: root, resources: resources,
            initialInstall: Set(form.initialInstall.map(\.text)), prefetch: form.prefetch.map(\.text),
            preservation: form.preservation)
        guard !tags.isEmpty else { throw CatalogError.noTags(root) }
    }
}
