package import PackFormat
package import SystemPackage

extension Catalog {
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
                    throw form.wrong(
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
