import FoundationEssentials
import Glibc
package import SystemPackage

extension PackArchive {
    /// Unpacks an archive into a folder that must not exist yet.
    ///
    /// The archive may come from anywhere. An archive that breaks the rule of ``ArchiveDirectory`` is refused, and so
    /// are names that lead out of the folder, links, devices, damaged data and anything over `limits`. Then nothing is
    /// kept. `META-INF` and `_CodeSignature` are ignored. A name that is marked as UTF-8 comes out composed (NFC).
    /// Files are not synced to the disk (fsync(2)): the caller does that.
    ///
    /// - Parameters:
    ///   - file: The archive: zip, stored or deflated.
    ///   - folder: Made by this call, with the mode 0700.
    ///   - limits: The limits of the archive.
    ///   - progress: Called with the unpacked bytes so far, after each piece of at most `limits.pieceBytes`.
    /// - Returns: How many files and bytes were unpacked.
    /// - Throws: `badArchive`, `noSpace` for a full file system, `fileNotWritten`, `fileNotRead`.
    package static func extract(
        file: FilePath, into folder: FilePath, limits: ExtractionLimits = ExtractionLimits(),
        progress: (Int64) -> Void = { _ in }
    ) throws(PackFormatError) -> Extraction {
        try Extractor.makeFolder(folder)
        do {
            return try UTF8Locale.use { () throws(PackFormatError) in
                var extractor = try Extractor(file: file, folder: folder, limits: limits)
                return try extractor.run(progress)
            }
        } catch {
            // What cannot be removed is ignored: the caller has a better error to report.
            try? FileManager.default.removeItem(atPath: folder.string)
            throw error
        }
    }
}

/// Unpacks one archive into a folder.
private struct Extractor {
    private let folder: FilePath
    private let mostBytes: Int64
    private let reader: ArchiveReader
    private var paths: PackPaths
    private var extraction = PackArchive.Extraction()
    private var block: [UInt8]

    init(file: FilePath, folder: FilePath, limits: PackArchive.ExtractionLimits) throws(PackFormatError) {
        reader = try ArchiveReader(file, limits: limits)
        self.folder = folder
        mostBytes = Int64(clamping: min(Int128(limits.bytes), Int128(reader.size) * Int128(limits.ratio)))
        paths = PackPaths(mostBytes: limits.nameBytes)
        block = [UInt8](repeating: 0, count: max(1, limits.pieceBytes))
    }

    mutating func run(_ progress: (Int64) -> Void) throws(PackFormatError) -> PackArchive.Extraction {
        while let entry = try reader.next() {
            guard !PackArchive.isPassedOver(entry.name) else { continue }
            try makeFolders(for: entry.name, entry.isFolder ? .folder : .file)
            if !entry.isFolder { try write(entry.name, progress) }
        }
        return extraction
    }

    /// Makes the folders that an entry needs, each once, and remembers its name.
    private mutating func makeFolders(for name: String, _ kind: PackPaths.Kind) throws(PackFormatError) {
        let folders: [String]
        do { folders = try paths.enter(name, as: kind) } catch { throw reader.bad(error.reason) }
        for path in folders { try Self.makeFolder(folder.appending(path)) }
    }

    static func makeFolder(_ path: FilePath) throws(PackFormatError) {
        guard unsafe mkdir(path.string, 0o700) == 0 else { throw .writing(path, Errno(rawValue: errno)) }
    }

    private mutating func write(_ name: String, _ progress: (Int64) -> Void) throws(PackFormatError) {
        let path = folder.appending(name)
        let output = try PackFormatError.writing(path) {
            try FileDescriptor.open(
                path, .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
        }
        defer { try? output.close() }
        while true {
            let count = try reader.read(into: &block)
            if count == 0 { break }
            extraction.bytes += Int64(count)
            #if !PLANTED_FAULT
                guard extraction.bytes <= mostBytes else {
                    throw reader.bad("it unpacks to more than \(mostBytes) bytes")
                }
            #endif
            try PackFormatError.writing(path) { try output.writeAll(block[..<count]) }
            progress(extraction.bytes)
        }
        extraction.files += 1
    }
}
