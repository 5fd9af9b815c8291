package import SystemPackage

/// Packs as files: the zip archives that Xcode exports with the extension `assetpack`.
package enum PackArchive {
    /// The folder of a pack's archive that readers pass over; it says how large the rest is.
    static let metadataFolder = "META-INF"
    static let metadataName = "META-INF/com.apple.ZipMetadata.plist"
    /// The folder of a signed pack that readers pass over.
    static let signatureFolder = "_CodeSignature"
    /// What a pack says of itself; see ``PackInfo``.
    package static let infoName = "Info.plist"

    /// What a pack has at its top for itself; no resource can have these names there.
    package static let reservedNames: Set<String> = [infoName, metadataFolder, signatureFolder]

    /// Names at an archive's top that readers pass over.
    package static let foldersOfItsOwn: Set<String> = [metadataFolder, signatureFolder]

    /// Whether readers pass over a file or a folder of this name.
    static func isPassedOver(_ name: String) -> Bool {
        foldersOfItsOwn.contains(PackPath.firstPart(name))
    }

    /// Looks whether all readers see the same in an archive, and unpacks nothing.
    ///
    /// ``ArchiveDirectory`` has the rule. Damage within the bytes of a file is not seen. Throws `badArchive` and
    /// `fileNotRead`.
    package static func check(_ file: FilePath) throws(PackFormatError) {
        _ = try ArchiveDirectory(of: ArchiveSource(file), limits: ExtractionLimits())
    }

    /// Bytes of the files that ``extract(file:into:limits:progress:)`` unpacks, as the archive's directory says.
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

    /// What an archive may have at most; see ``PackArchive/extract(file:into:limits:progress:)``.
    package struct ExtractionLimits: Hashable, Sendable {
        /// Entries of any kind: 100,000 by default.
        package var entries = 100_000
        /// Bytes of the directory at the archive's end, which is held in memory: 16 MB by default, 160 an entry.
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

    /// What was unpacked.
    package struct Extraction: Hashable, Sendable {
        package var files = 0
        package var bytes: Int64 = 0
    }
}
