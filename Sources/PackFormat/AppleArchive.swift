package import SystemPackage

/// Apple Archives, the files `aar` of Apple's `ba-package`: what they are is told by their first bytes, and no more is read.
package enum AppleArchive {
    /// How the blocks behind `pbz` are compressed, by the byte that follows.
    private static let methods: [(byte: UInt8, name: String)] = [
        (UInt8(ascii: "4"), "LZ4"), (UInt8(ascii: "b"), "LZBITMAP"), (UInt8(ascii: "e"), "LZFSE"),
        (UInt8(ascii: "x"), "LZMA"), (UInt8(ascii: "z"), "ZLIB"), (UInt8(ascii: "-"), "no compression"),
    ]

    /// What bytes that begin a file say of it, such as `an Apple Archive, in blocks of LZFSE`; nil where it is none.
    package static func text(of head: some Collection<UInt8>) -> String? {
        let head = Array(head.prefix(4))
        if head == Array("AA01".utf8) || head == Array("YAA1".utf8) { return "an Apple Archive, not compressed" }
        if head == Array("AEA1".utf8) { return "an Apple Archive, encrypted" }
        guard head.count == 4, head.starts(with: Array("pbz".utf8)) else { return nil }
        return methods.first { $0.byte == head[3] }.map { "an Apple Archive, in blocks of \($0.name)" }
    }

    /// The same of a file; throws `fileNotRead`.
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
