import CLibArchive
import Glibc
package import SystemPackage

extension PackArchive {
    /// Unpacks an archive into a folder that must not be there yet.
    ///
    /// The archive may come from anywhere: names that lead out of the folder, links, devices, names that stand twice, sizes
    /// that lie, damaged data and anything over `limits` are refused, and then nothing of it is kept. `META-INF` and
    /// `_CodeSignature` are passed over. A name that says it is UTF-8 comes out composed (NFC). Nothing is brought to the
    /// disk (fsync(2)): that is the caller's business.
    ///
    /// - Parameters:
    ///   - file: The archive: zip, stored or deflated.
    ///   - folder: Made by this call, with the mode 0700.
    ///   - limits: What the archive may have at most.
    ///   - progress: Told the unpacked bytes so far, after each piece of `limits.pieceBytes` at most.
    /// - Returns: How much was unpacked.
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
            FolderRemoval.remove(folder)
            throw error
        }
    }
}

/// One archive on its way into a folder.
@safe private struct Extractor: ~Copyable {
    private let file: FilePath
    private let folder: FilePath
    private let limits: PackArchive.ExtractionLimits
    private let mostBytes: Int64
    private let source: ArchiveSource
    private let reader: OpaquePointer
    private var paths: PackPaths
    private var extraction = PackArchive.Extraction()
    private var block: [UInt8]

    init(file: FilePath, folder: FilePath, limits: PackArchive.ExtractionLimits) throws(PackFormatError) {
        let source = try ArchiveSource(file, directoryBytes: limits.directoryBytes)
        let (product, overflow) = source.size.multipliedReportingOverflow(by: limits.ratio)
        guard let reader = unsafe archive_read_new() else { throw .fileNotRead(file, reason: "\(Errno.noMemory)") }
        unsafe self.reader = reader
        (self.file, self.folder, self.limits, self.source) = (file, folder, limits, source)
        mostBytes = min(limits.bytes, overflow ? .max : product)
        paths = PackPaths(mostBytes: limits.nameBytes)
        block = [UInt8](repeating: 0, count: max(1, limits.pieceBytes))
    }

    deinit {
        unsafe archive_read_free(reader)
    }

    mutating func run(_ progress: (Int64) -> Void) throws(PackFormatError) -> PackArchive.Extraction {
        unsafe archive_read_support_format_zip_seekable(reader)
        #if FUZZING
            // A checksum hides from a fuzzer whatever comes behind it.
            unsafe archive_read_set_format_option(reader, "zip", "ignorecrc32", "1")
        #endif
        guard unsafe source.open(in: reader) == ARCHIVE_OK else { throw damaged(nil) }
        var count = 0
        var entry: OpaquePointer?
        while true {
            let status = unsafe archive_read_next_header(reader, &entry)
            if status == ARCHIVE_EOF { break }
            guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry = unsafe entry else { throw damaged(nil) }
            source.directoryIsRead()
            count += 1
            guard count <= limits.entries else { throw bad(nil, "it has more than \(limits.entries) entries") }
            try unsafe take(entry, progress)
        }
        guard count > 0 else { throw bad(nil, "it is no zip archive, or an empty one") }
        return extraction
    }

    private mutating func take(_ entry: OpaquePointer, _ progress: (Int64) -> Void) throws(PackFormatError) {
        let name = try unsafe checkedName(of: entry)
        let first = PackPath.firstPart(name)
        if first == PackArchive.metadataFolder || first == PackArchive.signatureFolder { return }
        guard unsafe archive_entry_hardlink(entry) == nil else { throw bad(name, "it is a hard link") }
        switch unsafe archive_entry_filetype(entry) {
        case Glibc.S_IFDIR:
            try makeFolders(for: name, .folder)
        case Glibc.S_IFREG:
            try makeFolders(for: name, .file)
            try write(name, progress)
        default:
            throw bad(name, "it is neither a file nor a folder")
        }
    }

    /// The entry's name without a slash at its end.
    ///
    /// Throws for one that no file in a pack has, also where the entry is to be passed over.
    private func checkedName(of entry: OpaquePointer) throws(PackFormatError) -> String {
        let raw = unsafe archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)
        guard let raw = unsafe raw, var name = unsafe String(validatingCString: raw) else {
            throw bad(nil, "a name in it is not UTF-8")
        }
        if name.utf8.last == UInt8(ascii: "/") { name = String(Substring(name.utf8.dropLast())) }
        if let reason = PackPath.fault(in: name, mostBytes: limits.nameBytes) { throw bad(name, reason) }
        return name
    }

    /// Makes the folders that an entry needs, each once, and remembers its name.
    private mutating func makeFolders(for name: String, _ kind: PackPaths.Kind) throws(PackFormatError) {
        let folders: [String]
        do { folders = try paths.enter(name, as: kind) } catch { throw bad(error.path, error.reason) }
        for path in folders { try Self.makeFolder(folder.appending(path)) }
    }

    static func makeFolder(_ path: FilePath) throws(PackFormatError) {
        guard unsafe mkdir(path.string, 0o700) == 0 else { throw .writing(path, Errno(rawValue: errno)) }
    }

    private mutating func write(_ name: String, _ progress: (Int64) -> Void) throws(PackFormatError) {
        let path = folder.appending(name)
        let output: FileDescriptor
        do {
            output = try FileDescriptor.open(
                path, .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
        } catch {
            throw .writing(path, error as? Errno ?? .ioError)
        }
        defer { try? output.close() }
        let reader = unsafe reader
        while true {
            let count = unsafe block.withUnsafeMutableBytes {
                unsafe archive_read_data(reader, $0.baseAddress, $0.count)
            }
            if count == 0 { break }
            guard count > 0 else { throw damaged(name) }
            extraction.bytes += Int64(count)
            #if !PLANTED_FAULT
                guard extraction.bytes <= mostBytes else {
                    throw bad(name, "it unpacks to more than \(mostBytes) bytes")
                }
            #endif
            do { try output.writeAll(block[..<count]) } catch { throw .writing(path, error as? Errno ?? .ioError) }
            progress(extraction.bytes)
        }
        extraction.files += 1
    }

    private func bad(_ entry: String?, _ reason: String) -> PackFormatError {
        .badArchive(file, entry: entry, reason: reason)
    }

    /// What libarchive says of the archive.
    private func damaged(_ entry: String?) -> PackFormatError {
        guard !source.isOverBound else {
            return bad(nil, "its directory has more than \(limits.directoryBytes) bytes")
        }
        let text = unsafe archive_error_string(reader).map { unsafe String(cString: $0) } ?? "it is damaged"
        // Some of libarchive's texts are lines, and some are not.
        return bad(entry, String(text.prefix { $0 != "\n" }))
    }
}
