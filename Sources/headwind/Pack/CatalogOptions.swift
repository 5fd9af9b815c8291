import ArgumentParser
import AssetPacks
import FoundationEssentials
import SystemPackage

/// How the files of a folder get their tags.
struct CatalogOptions: ParsableArguments {
    @Option(
        help: "The tag file, whose patterns begin at the catalog's folder; by default the folder's tags.json.",
        completion: .file())
    var tags: String?

    @Flag(help: "Take the name of the first folder on a file's way for its tag.")
    var byFolder = false

    @Option(help: "The app's bundle identifier; by default the tag file's, or com.example.app.")
    var bundleID: String?

    func validate() throws {
        guard !byFolder || tags == nil else {
            throw ValidationError("--by-folder and --tags are two ways to say which file has which tags; give one.")
        }
    }

    /// Whether one was chosen, so that the folder is a catalog and no folder of packs.
    var isChosen: Bool { byFolder || tags != nil }

    /// The catalog of a folder.
    ///
    /// Throws ``CommandFailure`` where there is no tag file, `CatalogError` for what cannot be a catalog.
    func source(_ folder: String) throws -> AssetPacks.Catalog {
        let root = FilePath(folder)
        guard !byFolder else { return try AssetPacks.Catalog(byFolder: root, bundleID: bundleID ?? "com.example.app") }
        let file = tags.map { FilePath($0) } ?? root.appending(AssetPacks.Catalog.tagFileName)
        guard FileManager.default.fileExists(atPath: file.string) else {
            throw CommandFailure(
                status: .invalidInput,
                description: "there is no tag file '\(file)'; write one, or tag files by folder with --by-folder")
        }
        var source = try AssetPacks.Catalog(tagFile: file, root: root)
        if let bundleID { source.bundleID = bundleID }
        return source
    }
}
