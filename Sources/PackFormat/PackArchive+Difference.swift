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

    /// What is wrong with the file of the entry at hand; nil where nothing is.
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
