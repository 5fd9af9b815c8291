package import SystemPackage

extension PackArchive {
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
}
