package import PackFormat
package import SystemPackage

/// A pack of Background Assets as its `Manifest.json` describes it, with the files that it selects.
package struct BackgroundPack: Hashable, Sendable {
    /// A system for which a pack may be.
    package enum Platform: String, Hashable, Sendable, CaseIterable {
        case iOS
        case macOS
        case tvOS
        case visionOS
    }

    /// A file of the pack.
    package struct File: Hashable, Sendable {
        /// The way from the pack, with `/` between its parts.
        package var path: String
        /// Where it is.
        package var source: FilePath
        /// Its bytes.
        package var size: Int64
        /// When it was changed, in nanoseconds since 1970.
        package var modified: Int64
    }

    /// What a manifest is called where its name says what it is.
    package static let manifestName = "Manifest.json"

    /// The manifest's file.
    package var manifest: FilePath
    /// The pack's identifier, `assetPackID`.
    package var identifier: String
    /// When the system downloads it by itself.
    package var policy: AssetDownloadPolicy
    /// For which systems it is; empty for all.
    package var platforms: [Platform]
    /// The language of its files, a BCP 47 tag; nil for none.
    package var language: String?
    /// What it holds, sorted by path.
    package var files: [File]

    /// Bytes of its files.
    package var bytes: Int64 { files.map(\.size).reduce(0, +) }
    /// When its newest file was changed, in nanoseconds since 1970.
    var newest: Int64 { files.map(\.modified).max() ?? 0 }
}

/// What is to be said of packs of Background Assets.
package struct BackgroundFinding: Hashable, Sendable {
    package var severity: LimitFinding.Severity
    /// The pack that it is about; nil for what is about all of them.
    package var pack: String?
    package var message: String
}
