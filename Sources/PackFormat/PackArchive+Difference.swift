package import SystemPackage

extension PackArchive {
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
