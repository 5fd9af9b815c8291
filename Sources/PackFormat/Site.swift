import Glibc
package import SystemPackage

/// Everything that a host serves.
package struct Site: Hashable, Sendable {
    /// The request target of the manifest; by default `/AssetPackManifest.plist`.
    package var manifestPath = "/\(Site.manifestName)"
    /// The manifest's bytes.
    package var manifest: [UInt8]
    /// The request target of the tag table; by default `/OnDemandResources.plist`.
    package var tagTablePath = "/\(Site.tagTableName)"
    /// The tag table's bytes, or nil if there is none.
    package var tagTable: [UInt8]?
    /// The packs, in the order of the manifest.
    package var packs: [ServedPack]
    /// Packs that the manifest lists but the folder does not have, in its order; a host answers 404 for them.
    package var missing: [MissingPack] = []

    /// The manifest's file name in a packs folder.
    package static let manifestName = "AssetPackManifest.plist"
    /// The manifest's file name in a build by Xcode whose packs have no address yet.
    package static let templateName = "AssetPackManifestTemplate.plist"
    /// The tag table's file name in a packs folder.
    package static let tagTableName = "OnDemandResources.plist"
    /// The folder in a packs folder that holds the packs.
    package static let packsFolderName = "OnDemandResources"
    /// The file extension of a pack that is an archive.
    package static let packExtension = "assetpack"

    /// The file name of the list in a folder of packs of Background Assets.
    package static let downloadManifestName = "download-manifest.json"
    /// The request target of that list, as in stand-ins for `ba-serve`.
    package static let downloadManifestPath = "/manifest"
    /// The folder in request targets for packs of Background Assets.
    package static let assetsPath = "/assets"
    /// The file extension of a pack that Apple's `ba-package` made.
    package static let appleArchiveExtension = "aar"

    /// The manifest of a packs folder, or the template or list that replaces it; nil if there is none.
    package static func manifestFile(in directory: FilePath) -> FilePath? {
        [manifestName, templateName, downloadManifestName].map { directory.appending($0) }
            .first { unsafe access($0.string, F_OK) == 0 }
    }

    /// The site as a single host serves it: addresses in its manifest that name a host become paths of this one.
    ///
    /// An export of Xcode for a host of your own has absolute addresses, which would lead clients there. Everything
    /// else in the manifest stays, except data and dates, which no reader of packs uses. A manifest without such
    /// addresses keeps its bytes.
    package func withOwnAddresses() throws(PackFormatError) -> Site {
        let known = packs.map { ($0.identifier, $0.path) } + missing.map { ($0.identifier, $0.path) }
        let paths = Dictionary(known) { first, _ in first }
        var site = self
        if AssetPackManifest.isDownloadManifest(manifest) {
            site.manifest = try AssetPackManifest.readdressed(manifest, paths: paths)
            return site
        }
        guard case .dictionary(var top) = try PropertyList(manifest, what: "the asset pack manifest"),
            case .array(let resources)? = top["resources"]
        else { return self }
        var isChanged = false
        top["resources"] = .array(
            resources.map { resource in
                guard case .dictionary(var entries) = resource, case .string(let url)? = entries["URL"],
                    case .string(let key)? = entries["bundleKey"], let path = paths[key],
                    url.firstRange(of: "://") != nil
                else { return resource }
                entries["URL"] = .string(path)
                isChanged = true
                return .dictionary(entries)
            })
        guard isChanged else { return self }
        site.manifest = (PropertyList.dictionary(top).writable ?? .dictionary([:])).binary
        return site
    }
}

/// A pack that a manifest lists, but that a folder does not have.
package struct MissingPack: Hashable, Sendable {
    /// The pack's identifier in the manifest.
    package var identifier: String
    /// The request target that would lead to it.
    package var path: String
    /// The name that its file would have.
    package var name: String
}

extension PropertyList {
    /// The list without values that cannot be written: data, dates and identifiers; nil for such a value itself.
    fileprivate var writable: PropertyList? {
        switch self {
        case .other: nil
        case .array(let values): .array(values.compactMap(\.writable))
        case .dictionary(let values): .dictionary(values.compactMapValues(\.writable))
        case .string, .integer, .real, .boolean: self
        }
    }
}

/// One pack as a host serves it.
package struct ServedPack: Hashable, Sendable {
    /// The pack's identifier in the manifest.
    package var identifier: String
    /// The request target: a percent-encoded URL path that begins with "/".
    package var path: String
    /// The file whose bytes are the body.
    package var file: FilePath
    /// Bytes of the file.
    package var size: Int64
    /// SHA-256 of the file, 64 lowercase hex digits.
    package var sha256: String
    /// The pack's tags, sorted.
    package var tags: [String]

    /// The name for people: all tags joined by `+`, or the identifier if there are none.
    package var displayName: String { tags.isEmpty ? identifier : tags.joined(separator: "+") }

    /// Whether `name` means this pack: its identifier, its file's name, one of its tags, or all of them in any order,
    /// joined by `+`.
    package func isCalled(_ name: String) -> Bool {
        identifier == name || file.lastComponent?.string == name || tags.contains(name) || hasExactly(name)
    }

    private func hasExactly(_ name: String) -> Bool {
        tags.joined(separator: "+") == name
            || name.split(separator: "+", omittingEmptySubsequences: false).map(String.init).sorted() == tags.sorted()
    }
}
