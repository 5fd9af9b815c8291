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
        let files = directory.entries.lazy.filter { !isPassedOver($0.name) }
        return Int64(clamping: files.reduce(Int128(0)) { $0 + Int128($1.header.size) })
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

    /// The limit of an `Info.plist`, far above any pack's.
    private static let mostInfoBytes = 1 << 20

    /// The `Info.plist` of a pack's archive, read without unpacking the rest; nil if there is none.
    ///
    /// Throws `badArchive` if the file is no archive, and `notReadable` if the `Info.plist` is invalid.
    package static func info(of file: FilePath) throws(PackFormatError) -> PackInfo? {
        let bytes = try UTF8Locale.use { () throws(PackFormatError) in try infoBytes(of: file) }
        guard let bytes else { return nil }
        return try PackInfo(plist: bytes, name: "the \(infoName) of '\(file)'")
    }

    private static func infoBytes(of file: FilePath) throws(PackFormatError) -> [UInt8]? {
        let reader = try ArchiveReader(file)
        while let entry = try reader.next() {
            guard entry.name == infoName else { continue }
            var (bytes, block) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
            while true {
                let count = try reader.read(into: &block)
                if count == 0 { return bytes }
                bytes += block[..<count]
                guard bytes.count <= mostInfoBytes else { throw reader.bad("it has more than \(mostInfoBytes) bytes") }
            }
        }
        return nil
    }

    /// A file that differs from the archive's.
    package struct Difference: Hashable, Sendable {
        /// Its name in the archive.
        package var path: String
        /// The difference, as the end of a sentence.
        package var reason: String
        /// The offset of the first difference, or of the shorter content's end; nil if the file cannot be opened or
        /// read.
        package var byte: Int64?
        /// Whether at least one file of the archive exists, whatever its content.
        package var hasFiles: Bool
    }

    /// The first file that differs from the archive's, else the first that is missing or unreadable; nil if all match.
    ///
    /// Ignores the content of `META-INF` and `_CodeSignature`, as unpacking does. `open` opens an unpacked file by its
    /// name in the archive. Throws `badArchive` and `fileNotRead` for the archive itself.
    package static func difference(
        file: FilePath, from open: (String) throws(ContainedFile.Fault) -> ContainedFile
    ) throws(PackFormatError) -> Difference? {
        try UTF8Locale.use { () throws(PackFormatError) in
            let reader = try ArchiveReader(file)
            var (found, missing) = (0, Difference?.none)
            while let entry = try reader.next() {
                if entry.isFolder || isPassedOver(entry.name) { continue }
                guard let (reason, byte) = try difference(of: entry.name, reader, open) else {
                    found += 1
                    continue
                }
                if byte != nil { return Difference(path: entry.name, reason: reason, byte: byte, hasFiles: true) }
                missing = missing ?? Difference(path: entry.name, reason: reason, byte: nil, hasFiles: false)
            }
            missing?.hasFiles = found > 0
            return missing
        }
    }

    /// The difference of the current entry's file; nil if there is none.
    private static func difference(
        of name: String, _ reader: ArchiveReader, _ open: (String) throws(ContainedFile.Fault) -> ContainedFile
    ) throws(PackFormatError) -> (reason: String, byte: Int64?)? {
        let theirs: ContainedFile
        do throws(ContainedFile.Fault) { theirs = try open(name) } catch { return (error.description, nil) }
        var block = [UInt8](repeating: 0, count: ExtractionLimits().pieceBytes)
        var place: Int64 = 0
        while true {
            let count = try reader.read(into: &block)
            if count == 0 { break }
            do throws(ContainedFile.Fault) {
                if let byte = try theirs.firstDifference(from: block[..<count], at: place) {
                    return ("has another byte than the pack at \(byte), or ends there", byte)
                }
            } catch {
                return (error.description, nil)
            }
            place += Int64(count)
        }
        guard theirs.size > place else { return nil }
        return ("has \(theirs.size) bytes, and not \(place)", place)
    }
}
