package import PackFormat
package import SystemPackage

/// A pack of Background Assets as its `Manifest.json` describes it, with the files that it selects.
package struct BackgroundPack: Hashable, Sendable {
    /// A system that a pack may be for.
    package enum Platform: String, Hashable, Sendable, CaseIterable {
        case iOS
        case macOS
        case tvOS
        case visionOS
    }

    /// A file of the pack.
    package struct File: Hashable, Sendable {
        /// The path within the pack, with `/` between its parts.
        package var path: String
        /// The file that is copied.
        package var source: FilePath
        /// Its size in bytes.
        package var size: Int64
        /// The modification time, in nanoseconds since 1970.
        package var modified: Int64
    }

    /// The usual file name of a manifest.
    package static let manifestName = "Manifest.json"

    /// The manifest's file.
    package var manifest: FilePath
    /// The pack's identifier, `assetPackID`.
    package var identifier: String
    /// When the system downloads the pack by itself.
    package var policy: AssetDownloadPolicy
    /// The systems that it is for; empty for all.
    package var platforms: [Platform]
    /// The language of its files, a BCP 47 tag; nil for none.
    package var language: String?
    /// The files in the pack, sorted by path.
    package var files: [File]

    /// The size of all files in bytes.
    package var bytes: Int64 { files.map(\.size).reduce(0, +) }
    /// The modification time of its newest file, in nanoseconds since 1970; 0 without files.
    var newest: Int64 { files.map(\.modified).max() ?? 0 }
}

/// A problem of packs of Background Assets.
package struct BackgroundFinding: Hashable, Sendable {
    package var severity: LimitFinding.Severity
    /// The pack's identifier; nil if it concerns all packs.
    package var pack: String?
    package var message: String
}
