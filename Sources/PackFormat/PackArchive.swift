package import SystemPackage

/// Packs as files: the zip archives that Xcode exports with the extension `assetpack`.
package enum PackArchive {
    /// The folder of a pack's archive that says how large the rest is; readers ignore it as content.
    static let metadataFolder = "META-INF"
    static let metadataName = "META-INF/com.apple.ZipMetadata.plist"
    /// The folder of a signed pack that readers ignore.
    static let signatureFolder = "_CodeSignature"
    /// The file in which a pack describes itself; see ``PackInfo``.
    package static let infoName = "Info.plist"

    /// Names at a pack's top that the format reserves; no resource can have them there.
    package static let reservedNames: Set<String> = [infoName, metadataFolder, signatureFolder]

    /// Names at an archive's top that readers ignore.
    package static let foldersOfItsOwn: Set<String> = [metadataFolder, signatureFolder]

    /// Whether readers ignore a file or a folder of this name.
    static func isPassedOver(_ name: String) -> Bool {
        foldersOfItsOwn.contains(PackPath.firstPart(name))
    }

    /// Checks that all readers see the same in an archive; unpacks nothing.
    ///
    /// The rule is that of ``ArchiveDirectory``. Damage within the bytes of a file is not detected. Throws `badArchive`
    /// and `fileNotRead`.
    package static func check(_ file: FilePath) throws(PackFormatError) {
        _ = try ArchiveDirectory(of: ArchiveSource(file), limits: ExtractionLimits())
    }

    /// Bytes of the files that ``extract(file:into:limits:progress:)`` unpacks, according to the archive's directory.
    ///
    /// Throws as ``check(_:)`` does.
    package static func unpackedBytes(of file: FilePath) throws(PackFormatError) -> Int64 {
        let directory = try ArchiveDirectory(of: ArchiveSource(file), limits: ExtractionLimits())
        return directory.entries.reduce(0) { sum, entry in
            guard !isPassedOver(entry.name) else { return sum }
            let (bytes, isTooLarge) = sum.addingReportingOverflow(entry.header.size)
            return isTooLarge ? .max : bytes
        }
    }

    /// The limits of an archive; see ``PackArchive/extract(file:into:limits:progress:)``.
    package struct ExtractionLimits: Hashable, Sendable {
        /// Entries of any kind: 100,000 by default.
        package var entries = 100_000
        /// Bytes of the directory at the archive's end, which is held in memory: 16 MB by default, 160 per entry.
        package var directoryBytes: Int64 = 16_000_000
        /// Unpacked bytes of all files together: 8 GB by default, the largest pack of any system.
        package var bytes: Int64 = 8_000_000_000
        /// Bytes of a name with its folders: 1024 by default.
        package var nameBytes = 1024
        /// Unpacked bytes for each byte of the archive: 1032 by default, the most that deflate can reach.
        package var ratio: Int64 = 1032
        /// Bytes that are unpacked at once, and held in memory: 64 KiB by default.
        package var pieceBytes = 64 << 10

        package init() {}
    }

    /// The number of files and bytes that were unpacked.
    package struct Extraction: Hashable, Sendable {
        package var files = 0
        package var bytes: Int64 = 0
    }
}
