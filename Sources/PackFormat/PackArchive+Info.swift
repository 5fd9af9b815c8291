import CLibArchive
package import SystemPackage

extension PackArchive {
    /// Far more than any pack says of itself.
    private static let mostInfoBytes = 1 << 20

    /// What an archive says of itself, read without unpacking the rest; nil for one without an `Info.plist`.
    ///
    /// Throws `badArchive` for what is no archive, and `notReadable` for an `Info.plist` that is none.
    package static func info(of file: FilePath) throws(PackFormatError) -> PackInfo? {
        let bytes = try UTF8Locale.use { () throws(PackFormatError) in try infoBytes(of: file) }
        guard let bytes else { return nil }
        return try PackInfo(plist: bytes, name: "the \(infoName) of '\(file)'")
    }

    private static func infoBytes(of file: FilePath) throws(PackFormatError) -> [UInt8]? {
        let limits = ExtractionLimits()
        let source = try ArchiveSource(file, directoryBytes: limits.directoryBytes)
        guard let reader = unsafe archive_read_new() else { throw .fileNotRead(file, reason: "\(Errno.noMemory)") }
        defer { unsafe archive_read_free(reader) }
        func damaged() -> PackFormatError {
            guard !source.isOverBound else {
                return .badArchive(
                    file, entry: nil, reason: "its directory has more than \(limits.directoryBytes) bytes")
            }
            let text = unsafe archive_error_string(reader).map { unsafe String(cString: $0) } ?? "it is damaged"
            return .badArchive(file, entry: nil, reason: String(text.prefix { $0 != "\n" }))
        }
        unsafe archive_read_support_format_zip_seekable(reader)
        guard unsafe source.open(in: reader) == ARCHIVE_OK else { throw damaged() }
        var entry: OpaquePointer?
        while true {
            let status = unsafe archive_read_next_header(reader, &entry)
            if status == ARCHIVE_EOF { return nil }
            guard status == ARCHIVE_OK || status == ARCHIVE_WARN else { throw damaged() }
            source.directoryIsRead()
            guard let name = unsafe archive_entry_pathname_utf8(entry), unsafe String(cString: name) == infoName else {
                continue
            }
            guard let bytes = try unsafe contents(reader, damaged) else {
                throw .badArchive(file, entry: infoName, reason: "it has more than \(mostInfoBytes) bytes")
            }
            return bytes
        }
    }

    /// The contents of the entry at hand; nil for more than an `Info.plist` may have.
    private static func contents(
        _ reader: OpaquePointer, _ damaged: () -> PackFormatError
    ) throws(PackFormatError) -> [UInt8]? {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe block.withUnsafeMutableBytes {
                unsafe archive_read_data(reader, $0.baseAddress, $0.count)
            }
            guard count >= 0 else { throw damaged() }
            if count == 0 { return bytes }
            guard bytes.count + count <= mostInfoBytes else { return nil }
            bytes += block[..<count]
        }
    }
}
