package import PackFormat
package import SystemPackage

extension Catalog {
    /// What a tag file is called by default.
    package static let tagFileName = "tags.json"

    /// The catalog that a tag file describes; its patterns begin at `root`, by default the file's own folder.
    ///
    /// ```json
    /// {"bundle": "com.example.game", "prefetch": ["level-1"], "tags": {"level-1": ["levels/1/**", "music/1.ogg"]}}
    /// ```
    /// What is in asset catalogs has the tags of its sets besides; see ``AssetCatalog``. The tag file itself and hidden files are in no pack. A file that no pattern finds has no tag, which is not an
    /// error. Throws ``CatalogError`` with the line for a key that means nothing, a pattern that finds no file or leads
    /// out of the folder, and a list with a tag that no resource has; `PackFormatError` where files cannot be read.
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
