import Glibc
package import SystemPackage

/// What a host serves: this and nothing else.
package struct Site: Hashable, Sendable {
    /// The request target of the manifest; by default `/AssetPackManifest.plist`.
    package var manifestPath: String
    /// The manifest's bytes.
    package var manifest: [UInt8]
    /// The request target of the tag table; by default `/OnDemandResources.plist`.
    package var tagTablePath: String
    /// The tag table's bytes, or nil if there is none.
    package var tagTable: [UInt8]?
    /// The packs, in the order of the manifest.
    package var packs: [ServedPack]
    /// Packs of the manifest that are not there, in its order: a host answers 404 for them.
    package var missing: [MissingPack] = []

    /// A site of these files.
    package init(
        manifestPath: String = "/\(Site.manifestName)",
        manifest: [UInt8],
        tagTablePath: String = "/\(Site.tagTableName)",
        tagTable: [UInt8]?,
        packs: [ServedPack]
    ) {
        self.manifestPath = manifestPath
        self.manifest = manifest
        self.tagTablePath = tagTablePath
        self.tagTable = tagTable
        self.packs = packs
    }
}

extension Site {
    /// The manifest's file name in a packs folder.
    package static let manifestName = "AssetPackManifest.plist"
    /// What Xcode calls the manifest of a build whose packs have no address yet.
    package static let templateName = "AssetPackManifestTemplate.plist"
    /// The tag table's file name in a packs folder.
    package static let tagTableName = "OnDemandResources.plist"
    /// The folder in a packs folder that holds the packs.
    package static let packsFolderName = "OnDemandResources"
    /// The file extension of a pack that is an archive.
    package static let packExtension = "assetpack"

    /// What the list of a folder of packs of Background Assets is called.
    package static let downloadManifestName = "download-manifest.json"
    /// The request target of that list, as stand-ins for `ba-serve` have it.
    package static let downloadManifestPath = "/manifest"
    /// The folder of request targets in which packs of Background Assets are.
    package static let assetsPath = "/assets"
    /// The file extension of a pack that Apple's `ba-package` made.
    package static let appleArchiveExtension = "aar"

    /// The manifest of a packs folder, or the list that stands for it; nil where there is none.
    package static func manifestFile(in directory: FilePath) -> FilePath? {
        [manifestName, templateName, downloadManifestName].map { directory.appending($0) }
            .first { unsafe access($0.string, F_OK) == 0 }
    }
}

/// A pack that a manifest lists, and that a folder does not have.
package struct MissingPack: Hashable, Sendable {
    /// The pack's identifier in the manifest.
    package var identifier: String
    /// The request target that would lead to it.
    package var path: String
    /// What its file would be called.
    package var name: String
}
