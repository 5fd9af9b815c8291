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
}
