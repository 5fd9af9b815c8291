import PackFormat
import SystemPackage

/// A folder of packs with their manifest, as built or exported.
struct PackListing: Sendable {
    let folder: PacksFolder
    let manifest: AssetPackManifest
    /// nil if there is no tag table.
    let tagTable: TagTable?

    /// Reads the manifest and the tag table of a folder; throws `PackFormatError` if there is no manifest, or one is
    /// invalid.
    init(_ path: FilePath) throws(PackFormatError) {
        folder = PacksFolder(path)
        manifest = try folder.manifest().manifest
        tagTable = try folder.tagTable()?.table
    }

    /// Whether a folder has a manifest, and is thus a folder of packs.
    static func isThere(_ path: FilePath) -> Bool { Site.manifestFile(in: path) != nil }

    /// The file or folder of a pack; nil if it is missing.
    ///
    /// Throws what ``PacksFolder/pack(_:)`` throws.
    func location(of resource: AssetPackManifest.Resource) throws(PackFormatError) -> FilePath? {
        for name in Self.names(of: resource) { if let place = try folder.pack(name) { return place } }
        return nil
    }

    /// The tags of a pack: from the tag table, or from the pack itself if there is no table.
    ///
    /// Empty if the pack cannot be read.
    func tags(of resource: AssetPackManifest.Resource) -> [String] {
        if let tagTable { return tagTable.tags(of: resource.bundleKey) }
        if resource.policy != nil { return [resource.bundleKey] }
        guard let location = try? location(of: resource) else { return [] }
        if let info = try? PackArchive.info(of: location) { return info.tags }
        let inFolder = try? PacksFolder(location).list(PackArchive.infoName).map { try PackInfo(plist: $0) }
        return inFolder?.tags ?? []
    }

    /// The possible names of a pack's file: the last part of the address's path, or of a query such as `?pack=NAME`.
    static func names(of resource: AssetPackManifest.Resource) -> [String] {
        if resource.policy != nil {
            let extensions = ["", Site.packExtension, Site.appleArchiveExtension]
            return extensions.map { $0.isEmpty ? resource.bundleKey : "\(resource.bundleKey).\($0)" }
        }
        let path = resource.url.prefix { $0 != "?" && $0 != "#" }
        let parts = [path.split(separator: "/").last, resource.url.split { "/?&=#".contains($0) }.last]
        let names = parts.compactMap { $0.map { URLText.decoded(String($0)) } }
        return names.filter { $0 != "." && $0 != ".." && !PackPath.hasSlash($0) }
    }
}
