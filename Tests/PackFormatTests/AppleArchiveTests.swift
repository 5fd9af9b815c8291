import PackFormat
import SystemPackage
import Testing

/// Apple Archives, detected by their first bytes.
@Suite("Apple Archives")
struct AppleArchiveTests {
    @Test(arguments: [
        ("AA01", "an Apple Archive, not compressed"), ("YAA1", "an Apple Archive, not compressed"),
        ("pbze", "an Apple Archive, in blocks of LZFSE"), ("pbzz", "an Apple Archive, in blocks of ZLIB"),
        ("pbzx", "an Apple Archive, in blocks of LZMA"), ("AEA1", "an Apple Archive, encrypted"),
        ("pbz?", nil), ("pbz", nil), ("", nil), ("PK\u{3}\u{4}", nil), ("aa01", nil),
    ])
    func firstBytesIdentifyTheFormat(head: String, text: String?) throws {
        #expect(AppleArchive.text(of: Array(head.utf8)) == text)
        try withScratch { scratch in
            let file = scratch.appending("a.aar")
            try file.write(Array((head + (head.utf8.count == 4 ? "and more" : "")).utf8))
            #expect(try AppleArchive.text(of: file) == text)
        }
    }
}
