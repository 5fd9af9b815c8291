import CLibArchive
import Glibc
package import SystemPackage

extension PackArchive {
    /// A file that is not as an archive has it.
    package struct Difference: Hashable, Sendable {
        /// Its name in the archive.
        package var path: String
        /// What is wrong, as the end of a sentence.
        package var reason: String
        /// The first byte that is another one, the file's end among them; nil where there is no such file.
        package var byte: Int64?
        /// Whether a file of the archive is there at all, whatever is in it.
        package var hasFiles: Bool
    }

    /// The first file of an archive that is not to be found as the archive has it; nil where all are.
    ///
    /// What `META-INF` and `_CodeSignature` hold is passed over, as it is by those who unpack. `open` opens what somebody
    /// else has unpacked, by the name in the archive. Throws `badArchive` and `fileNotRead` for the archive itself.
    package static func difference(
        file: FilePath, from open: (String) throws(ContainedFile.Fault) -> ContainedFile
    ) throws(PackFormatError) -> Difference? {
        try UTF8Locale.use { () throws(PackFormatError) in
            try Comparison(file: file).run(open)
        }
    }
}

/// One archive while its files are compared.
@safe private struct Comparison: ~Copyable {
    private let file: FilePath
    private let source: ArchiveSource
    private let reader: OpaquePointer
    private let limits = PackArchive.ExtractionLimits()

    init(file: FilePath) throws(PackFormatError) {
        let source = try ArchiveSource(file, directoryBytes: limits.directoryBytes)
        guard let reader = unsafe archive_read_new() else { throw .fileNotRead(file, reason: "\(Errno.noMemory)") }
        unsafe self.reader = reader
        (self.file, self.source) = (file, source)
    }

    deinit {
        unsafe archive_read_free(reader)
    }

    func run(
        _ open: (String) throws(ContainedFile.Fault) -> ContainedFile
    ) throws(PackFormatError) -> PackArchive.Difference? {
        unsafe archive_read_support_format_zip_seekable(reader)
        guard unsafe source.open(in: reader) == ARCHIVE_OK else { throw damaged() }
        var entry: OpaquePointer?
        var found = 0
        var missing: PackArchive.Difference?
        for _ in 0..<limits.entries {
            let status = unsafe archive_read_next_header(reader, &entry)
            if status == ARCHIVE_EOF { break }
            guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry = unsafe entry else { throw damaged() }
            source.directoryIsRead()
            guard unsafe archive_entry_filetype(entry) == Glibc.S_IFREG,
                let raw = unsafe archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry),
                let name = unsafe String(validatingCString: raw)
            else { continue }
            let first = PackPath.firstPart(name)
            if first == PackArchive.metadataFolder || first == PackArchive.signatureFolder { continue }
            guard let (reason, byte) = try difference(of: name, open) else {
                found += 1
                continue
            }
            if byte != nil { return .init(path: name, reason: reason, byte: byte, hasFiles: true) }
            missing = missing ?? .init(path: name, reason: reason, byte: nil, hasFiles: false)
        }
        missing?.hasFiles = found > 0
        return missing
    }

    /// What is wrong with the file of the entry at hand; nil where nothing is.
    private func difference(
        of name: String, _ open: (String) throws(ContainedFile.Fault) -> ContainedFile
    ) throws(PackFormatError) -> (reason: String, byte: Int64?)? {
        let theirs: ContainedFile
        do throws(ContainedFile.Fault) { theirs = try open(name) } catch { return (error.description, nil) }
        var block = [UInt8](repeating: 0, count: limits.pieceBytes)
        var place: Int64 = 0
        while true {
            let count = unsafe block.withUnsafeMutableBytes {
                unsafe archive_read_data(reader, $0.baseAddress, $0.count)
            }
            guard count >= 0 else { throw damaged() }
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

    private func damaged() -> PackFormatError {
        let text = unsafe archive_error_string(reader).map { unsafe String(cString: $0) } ?? "it is damaged"
        return .badArchive(file, entry: nil, reason: String(text.prefix { $0 != "\n" }))
    }
}
