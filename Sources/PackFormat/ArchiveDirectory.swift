import Glibc

/// The directory of a zip archive, checked against the rest of the file.
///
/// The rule for archives: **two independent readers, libarchive and the directory, see the same names, sizes and
/// bytes.** Then no other reader can see anything else:
/// - Each byte of the file belongs to one entry, to the directory, or to the records at the end. No byte precedes the
///   first entry, lies between two entries or in both, or follows the end record and its comment.
/// - The header in front of an entry's bytes agrees with the directory: name, flags, method, checksum, sizes. If its
///   writer did not know the sizes in advance, a data descriptor after the bytes has checksum and sizes.
/// - The records at the end, including those of ZIP64, agree with each other and with the number of entries.
/// - No name occurs twice, not even in another Unicode normalisation. Only names of folders end in a slash.
/// - The file is not also an archive of another format.
/// - ``ArchiveReader`` then compares each entry with what libarchive reads.
///
/// No entry is unpacked for this. ``PackArchive/ExtractionLimits`` bounds the memory: the directory's bytes, and some
/// hundred bytes per entry.
struct ArchiveDirectory {
    /// A file or a folder of the archive.
    struct Entry {
        /// Its name, without the slash of a folder.
        let name: String
        let isFolder: Bool
        let header: ZipHeader
        /// The range of its packed bytes in the file, without the header in front of them.
        var bytes: Range<Int64>
    }

    private static let recordBytes = 46
    private static let headerBytes = 30

    let source: ArchiveSource
    /// The entries, in the order of their bytes.
    private(set) var entries: [Entry] = []

    /// Reads the directory of an archive.
    ///
    /// Throws `badArchive` for an archive that breaks the rule, or that has more entries, a larger directory or longer
    /// names than `limits` allow. Throws `fileNotRead` if the file cannot be read.
    init(of source: ArchiveSource, limits: PackArchive.ExtractionLimits) throws(PackFormatError) {
        self.source = source
        let end = try ArchiveEnd(of: source)
        guard end.directory.count <= limits.directoryBytes else {
            throw source.bad(nil, "its directory has more than \(limits.directoryBytes) bytes")
        }
        try Self.refuseOtherFormats(source)
        let bytes = try source.bytes(at: end.directory.lowerBound, count: end.directory.count)
        var (rest, paths) = (bytes[...], PackPaths(mostBytes: limits.nameBytes))
        while !rest.isEmpty {
            guard entries.count < limits.entries else {
                throw source.bad(nil, "it has more than \(limits.entries) entries")
            }
            let place = end.directory.lowerBound + Int64(rest.startIndex)
            let entry = try takeEntry(from: &rest, at: place, &paths)
            entries.append(try locate(entry, at: place, in: end.directory.lowerBound))
        }
        guard entries.count == end.count else {
            throw source.bad(nil, "its end record counts \(end.count) entries, but its directory has \(entries.count)")
        }
        entries.sort { $0.header.offset < $1.header.offset }
        try checkLayout(upTo: end.directory.lowerBound)
    }

    /// Removes the next entry from the front of `rest`, and adds its name to `paths`.
    private func takeEntry(
        from rest: inout ArraySlice<UInt8>, at place: Int64, _ paths: inout PackPaths
    ) throws(PackFormatError) -> Entry {
        guard rest.count >= Self.recordBytes, rest.starts(with: [0x50, 0x4B, 1, 2]) else {
            throw source.bad(nil, "there should be a directory entry at byte \(place)")
        }
        let lengths = [28, 30, 32].map { Int(rest.little($0, 2)) }
        let count = lengths.reduce(Self.recordBytes, +)
        guard rest.count >= count else {
            throw source.bad(nil, "the directory entry at byte \(place) is longer than the directory")
        }
        let (record, tail) = (rest.prefix(count), rest.dropFirst(Self.recordBytes).prefix(count - Self.recordBytes))
        rest = rest.dropFirst(count)
        let raw = tail.prefix(lengths[0])
        let isFolder = raw.last == UInt8(ascii: "/")
        guard let name = String(validating: isFolder ? raw.dropLast() : raw, as: UTF8.self) else {
            throw source.bad(nil, "a name in it is not UTF-8: '\(NameText.escaped(bytes: Array(raw.prefix(80))))'")
        }
        do throws(PackPaths.Fault) { try paths.enter(name, as: isFolder ? .folder : .file) } catch {
            throw source.bad(error.path, error.reason)
        }
        guard record.little(34, 2) == 0 else { throw source.bad(name, "it is in another part of a split archive") }
        try checkKind(of: name, isFolder, made: record.little(4, 2) >> 8, attributes: record.little(38, 4))
        do throws(ZipHeader.Fault) {
            let header = try ZipHeader(
                record.dropFirst(6).prefix(ZipHeader.sharedBytes), name: raw,
                extra: tail.dropFirst(lengths[0]).prefix(lengths[1]), offset: record.little(42, 4))
            return Entry(name: name, isFolder: isFolder, header: header, bytes: 0..<0)
        } catch {
            throw source.bad(name, "\(error.reason), in the directory at byte \(place)")
        }
    }

    /// Throws for an entry that is neither a file nor a folder, and for a folder whose name does not end in a slash.
    private func checkKind(
        of name: String, _ isFolder: Bool, made: UInt64, attributes: UInt64
    ) throws(PackFormatError) {
        let isMarked: Bool
        // The system that made the archive defines the attributes (APPNOTE 4.4.2): 0 is MS-DOS, 3 is Unix.
        switch (made, UInt32(attributes >> 16) & Glibc.S_IFMT) {
        case (0, _): isMarked = attributes & 0x10 != 0
        // Info-ZIP gives an entry that it has read from a pipe the mode of a pipe.
        case (3, 0), (3, Glibc.S_IFREG), (3, Glibc.S_IFIFO): isMarked = false
        case (3, Glibc.S_IFDIR): isMarked = true
        case (3, _): throw source.bad(name, "it is neither a file nor a folder")
        default: isMarked = false
        }
        guard isFolder || !isMarked else {
            throw source.bad(name, "its mode says that it is a folder, but its name does not end with a slash")
        }
    }

    /// Finds an entry's bytes, and compares the header in front of them with the directory's entry at byte `place`.
    ///
    /// `end` is where the directory begins.
    private func locate(_ entry: Entry, at place: Int64, in end: Int64) throws(PackFormatError) -> Entry {
        let (header, start) = (entry.header, entry.header.offset)
        guard header.flags & ZipHeader.isEncrypted == 0 else { throw source.bad(entry.name, "it is encrypted") }
        guard start <= end - Int64(Self.headerBytes) else {
            throw source.bad(entry.name, "its header should be at byte \(start), but the directory begins at \(end)")
        }
        let local = try source.bytes(at: start, count: Self.headerBytes)[...]
        let lengths = [26, 28].map { Int(local.little($0, 2)) }
        let first = start + Int64(Self.headerBytes + lengths[0] + lengths[1])
        guard local.starts(with: [0x50, 0x4B, 3, 4]), first <= end, header.packedSize <= end - first else {
            throw source.bad(
                entry.name,
                "its header and \(header.packedSize) bytes are not between byte \(start) and the directory at byte \(end)"
            )
        }
        let tail = try source.bytes(at: start + Int64(Self.headerBytes), count: lengths[0] + lengths[1])
        do throws(ZipHeader.Fault) {
            let other = try ZipHeader(
                local.dropFirst(4), name: tail.prefix(lengths[0]), extra: tail.dropFirst(lengths[0]))
            if let difference = header.difference(from: other) { throw ZipHeader.Fault(reason: difference) }
        } catch {
            throw source.bad(entry.name, "\(error.reason), at bytes \(start) and \(place)")
        }
        guard !entry.isFolder || header.size == 0 else { throw source.bad(entry.name, "it is a folder with content") }
        guard header.method != 0 || header.size == header.packedSize else {
            throw source.bad(
                entry.name,
                "it is not compressed, but the directory at byte \(place) says \(header.packedSize) packed bytes of \(header.size)"
            )
        }
        var entry = entry
        entry.bytes = first..<(first + header.packedSize)
        return entry
    }

    /// Throws for an archive of another format that also ends like a zip archive.
    ///
    /// Most formats are recognised by their first bytes, and a zip archive that follows the rule begins with an entry.
    /// A tar archive has its checksum at byte 148 (tar(5)), and a disk image its mark at byte 32769 (ECMA-119, 8.1).
    private static func refuseOtherFormats(_ source: ArchiveSource) throws(PackFormatError) {
        if source.size >= 512 {
            let head = try source.bytes(at: 0, count: 512)
            let field = head[148..<156]
            let digits = field.drop { $0 == 0x20 }.prefix { (0x30...0x37).contains($0) }
            let told = digits.reduce(0) { $0 << 3 | Int($1 - 0x30) }
            let sum = head.reduce(0) { $0 + Int($1) } - field.reduce(0) { $0 + Int($1) } + 8 * 0x20
            let isEnded = [0, 0x20].contains(field.drop { $0 == 0x20 }.dropFirst(digits.count).first)
            guard !isEnded || told != sum else { throw source.bad(nil, "it is also a tar archive") }
        }
        guard source.size >= 32774 else { return }
        guard try source.bytes(at: 32769, count: 5) != Array("CD001".utf8) else {
            throw source.bad(nil, "it is also a disk image (ISO 9660)")
        }
    }
}
