import CLibArchive
import Glibc
import SystemPackage

/// Reads an archive with libarchive, and compares each entry with the archive's directory.
///
/// The rule is that of ``ArchiveDirectory``. Use a reader within ``UTF8Locale/use(_:)``.
@safe final class ArchiveReader {
    /// A file or a folder as libarchive reads it.
    ///
    /// The name has no slash of a folder, and is composed (NFC) if the archive marks it as UTF-8.
    typealias Entry = (name: String, isFolder: Bool)

    private let source: ArchiveSource
    private let directory: ArchiveDirectory
    private let reader: OpaquePointer
    /// How many entries were read.
    private var count = 0
    /// Bytes of the current entry that were read.
    private var bytes: Int64 = 0

    /// Bytes of the archive.
    var size: Int64 { source.size }

    /// Opens an archive, and reads its directory; throws `badArchive` and `fileNotRead`.
    init(_ file: FilePath, limits: PackArchive.ExtractionLimits = .init()) throws(PackFormatError) {
        source = try ArchiveSource(file)
        directory = try ArchiveDirectory(of: source, limits: limits)
        guard let reader = unsafe archive_read_new() else { throw .fileNotRead(file, reason: "\(Errno.noMemory)") }
        unsafe self.reader = reader
        unsafe archive_read_support_format_zip_seekable(reader)
        #if FUZZING
            // A fuzzer cannot guess checksums: verifying them would hide all code after the check.
            unsafe archive_read_set_format_option(reader, "zip", "ignorecrc32", "1")
        #endif
        guard unsafe source.open(in: reader) == ARCHIVE_OK else { throw damaged() }
    }

    deinit {
        unsafe archive_read_free(reader)
    }

    /// The next entry, nil after the last; throws `badArchive` if libarchive and the directory differ.
    func next() throws(PackFormatError) -> Entry? {
        var header: OpaquePointer?
        let status = unsafe archive_read_next_header(reader, &header)
        let known = count < directory.entries.count ? directory.entries[count] : nil
        if status == ARCHIVE_EOF {
            guard let known else { return nil }
            throw source.bad(
                known.name, "the directory has it at byte \(known.header.offset), but libarchive does not find it")
        }
        guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let header = unsafe header else { throw damaged() }
        guard let known else { throw source.bad(nil, "libarchive finds an entry that the directory does not have") }
        (count, bytes) = (count + 1, 0)
        return try unsafe compare(header, known)
    }

    /// The entry as libarchive reads it; throws if the directory's entry differs.
    private func compare(
        _ header: OpaquePointer, _ known: ArchiveDirectory.Entry
    ) throws(PackFormatError) -> Entry {
        let kind = unsafe archive_entry_filetype(header)
        guard kind == Glibc.S_IFREG || kind == Glibc.S_IFDIR, unsafe archive_entry_hardlink(header) == nil else {
            throw source.bad(known.name, "it is neither a file nor a folder")
        }
        let raw = unsafe archive_entry_pathname_utf8(header) ?? archive_entry_pathname(header)
        guard let raw = unsafe raw, var name = unsafe String(validatingCString: raw) else {
            throw source.bad(known.name, "libarchive reads a name that is not UTF-8")
        }
        let isFolder = kind == Glibc.S_IFDIR
        if isFolder, name.utf8.last == UInt8(ascii: "/") { name = String(Substring(name.utf8.dropLast())) }
        let size = isFolder ? 0 : unsafe archive_entry_size(header)
        // Compared by canonical equivalence: libarchive composes names that are marked as UTF-8.
        guard name == known.name, isFolder == known.isFolder, size == known.header.size else {
            throw source.bad(
                known.name,
                "libarchive reads it as \(isFolder ? "the folder" : "the file") '\(NameText.visible(name))' of "
                    + "\(size) bytes, but the directory says \(known.header.size) bytes")
        }
        return (name, isFolder)
    }

    /// Unpacks the next bytes of the current entry into a block; returns how many, 0 at its end.
    func read(into block: inout [UInt8]) throws(PackFormatError) -> Int {
        let count = unsafe block.withUnsafeMutableBytes { unsafe archive_read_data(reader, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw damaged() }
        bytes += Int64(count)
        let entry = directory.entries[self.count - 1]
        guard count > 0 || bytes == entry.header.size else {
            throw source.bad(entry.name, "it unpacks to \(bytes) bytes, but the directory says \(entry.header.size)")
        }
        return count
    }

    /// An error about the current entry, or about the archive before the first entry.
    func bad(_ reason: String) -> PackFormatError {
        source.bad(count > 0 ? directory.entries[count - 1].name : nil, reason)
    }

    /// The error that libarchive reports for the archive.
    private func damaged() -> PackFormatError {
        let text = unsafe archive_error_string(reader).map { unsafe String(cString: $0) } ?? "it is damaged"
        // Some of libarchive's texts end in a newline, and some do not.
        let line = String(text.prefix { $0 != "\n" })
        guard count > 0 else { return source.bad(nil, line) }
        let bytes = directory.entries[count - 1].bytes
        return bad("\(line), in its bytes from \(bytes.lowerBound) to \(bytes.upperBound)")
    }
}

/// The locale in which libarchive understands UTF-8 names, for one thread during one call.
enum UTF8Locale {
    /// Runs `body` in the locale, and throws its errors.
    ///
    /// If the system has no such locale, `body` runs anyway, and names beyond ASCII are refused. The process keeps its
    /// own locale, which is another one unless the process calls setlocale(3); see uselocale(3).
    static func use<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        guard let locale = unsafe make() else { return try body() }
        let previous = unsafe uselocale(locale)
        defer {
            unsafe uselocale(previous)
            unsafe freelocale(locale)
        }
        return try body()
    }

    /// The system's first locale with UTF-8, which the caller frees; nil if there is none.
    private static func make() -> locale_t? {
        for name in ["C.UTF-8", "en_US.UTF-8"] {
            if let locale = unsafe newlocale(LC_CTYPE_MASK, name, nil) { return unsafe locale }
        }
        return nil
    }
}
