package import SystemPackage

/// Recognises Apple Archives, the `aar` files of Apple's `ba-package`, by their first four bytes.
///
/// Nothing else of a file is read.
package enum AppleArchive {
    /// The compression of the blocks, by the byte that follows `pbz`.
    private static let methods: [(byte: UInt8, name: String)] = [
        (UInt8(ascii: "4"), "LZ4"), (UInt8(ascii: "b"), "LZBITMAP"), (UInt8(ascii: "e"), "LZFSE"),
        (UInt8(ascii: "x"), "LZMA"), (UInt8(ascii: "z"), "ZLIB"), (UInt8(ascii: "-"), "no compression"),
    ]

    /// Describes a file by its first bytes, such as `an Apple Archive, in blocks of LZFSE`; nil if it is none.
    package static func text(of head: some Collection<UInt8>) -> String? {
        let head = Array(head.prefix(4))
        if head == Array("AA01".utf8) || head == Array("YAA1".utf8) { return "an Apple Archive, not compressed" }
        if head == Array("AEA1".utf8) { return "an Apple Archive, encrypted" }
        guard head.count == 4, head.starts(with: Array("pbz".utf8)) else { return nil }
        return methods.first { $0.byte == head[3] }.map { "an Apple Archive, in blocks of \($0.name)" }
    }

    /// Describes the file at a path by its first bytes; nil if it is no Apple Archive; throws `fileNotRead`.
    package static func text(of file: FilePath) throws(PackFormatError) -> String? {
        do {
            let folder = file.removingLastComponent()
            let opened = try ContainedFile(file, below: folder.isEmpty ? FilePath(".") : folder)
            return text(of: try opened.head(4))
        } catch {
            throw .fileNotRead(file, reason: "it \(error)")
        }
    }
}
