import Foundation
import Glibc
import PackFormat
import SystemPackage
import Testing

/// One rule for names: names that can be unpacked can be packed, and the other way round.
@Suite("Names in packs")
struct NameRuleTests {
    static let names: [(String, String?)] = [
        ("a", nil), ("a/b/c.txt", nil), ("a b/…/ü.txt", nil), ("...", nil), ("..a/b..", nil), (".\u{301}", nil),
        (String(repeating: "x", count: 255), nil),
        (String(repeating: "d/", count: 64) + "x", nil),
        (String(repeating: "d/", count: 65) + "x", "64 folders"),
        (String(repeating: "x", count: 256), "255 bytes"),
        (String(repeating: String(repeating: "x", count: 200) + "/", count: 6) + "x", "1024 bytes"),
        ("", "empty"), ("/a", "absolute"), ("a//b", "an empty part"), ("a/", "an empty part"),
        ("./a", "an empty part"), ("a/../b", "an empty part"), ("..", "an empty part"),
        ("a\nb", "control character"), ("a\u{7F}", "control character"), ("a\0b", "control character"),
        ("a\\b", "backslash"), ("x/a\\b", "backslash"),
        // A slash with a combining mark is one character of a text, and a slash to the kernel.
        ("../\u{301}x", "an empty part"), ("/\u{301}x", "absolute"), ("a/../\u{338}x", "an empty part"),
        ("META-INF", "is reserved for"), ("META-INF/x", "is reserved for"), ("META-INF/\u{301}x", "is reserved for"),
    ]

    @Test(arguments: names.indices)
    func namesRefusedWhenUnpackingAreRefusedWhenPacking(index: Int) throws {
        let (name, reason) = Self.names[index]
        try withScratch { scratch in
            let file = scratch.appending("in/p.assetpack")
            try FileManager.default.createDirectory(
                atPath: file.removingLastComponent().string, withIntermediateDirectories: true)
            let items = [PackArchive.Item(path: name, content: .bytes([1]), modified: 0)]
            let written = Result { try PackArchive.write(items, to: file) }
            if let reason {
                #expect(throws: PackFormatError.self) { try written.get() }
                #expect("\(written)".contains(reason), "\(written)")
                #expect(scratch.files == ["in"])
            } else {
                _ = try written.get()
                #expect(try PackArchive.extract(file: file, into: scratch.appending("in/out")).files == 1)
            }
        }
    }

    @Test(arguments: ["../\u{301}evil", "a/../../\u{301}evil", "/\u{301}evil"], [0, 0x0800] as [UInt16])
    func aCombiningMarkHidesNoSlash(name: String, flags: UInt16) throws {
        try withScratch { scratch in
            let file = scratch.appending("in/p.assetpack")
            try file.write(RawZip([.init(name: Array(name.utf8), body: [1], flags: flags)]).bytes)
            #expect(throws: PackFormatError.self) {
                try PackArchive.extract(file: file, into: scratch.appending("in/out"))
            }
            #expect(scratch.files == ["in", "in/p.assetpack"])
        }
    }

    /// The same for an address in the manifest, which must name a file of the folder.
    @Test func aCombiningMarkHidesNoSlashOfAnAddress() throws {
        try withScratch { scratch in
            try scratch.appending("\u{301}secret").write([1])
            let resource = AssetPackManifest.Resource(
                bundleKey: "p", url: "%2E%2E%2F%CC%81secret", isStreamable: true, uncompressedSize: 1)
            let site = scratch.appending("site")
            try site.appending(Site.manifestName).write(AssetPackManifest(resources: [resource]).plist())
            #expect(throws: PackFormatError.self) { try Site.load(directory: site) }
        }
    }

    @Test(arguments: ["a/\u{301}b", "a/b/\u{338}c"])
    func foldersAreMadeBeforeCombiningMarks(path: String) throws {
        try withScratch { scratch in
            let file = scratch.appending("p")
            let items = [PackArchive.Item(path: path, content: .bytes([1]), modified: 0)]
            _ = try PackArchive.write(items, to: file)
            #expect(try PackArchive.extract(file: file, into: scratch.appending("out")).files == 1)
        }
    }

    @Test(
        arguments: [
            (["a", "a"], "occurs twice"), (["a", "a/b"], "both a file and a folder"),
            (["a/b", "a"], "both a file and a folder"),
        ])
    func aNameIsOneThing(paths: [String], reason: String) throws {
        try withScratch { scratch in
            let items = paths.map { PackArchive.Item(path: $0, content: .bytes([1]), modified: 0) }
            let error = #expect(throws: PackFormatError.self) {
                try PackArchive.write(items, to: scratch.appending("p"))
            }
            #expect(error?.description.contains(reason) == true)
        }
    }

    /// One file that is a hole, and one of the same length with real bytes.
    @Test func theStoredSizeOfAFileIsKnown() throws {
        try withScratch { scratch in
            let size = 1 << 20
            for name in ["long", "written"] {
                let file = try FileDescriptor.open(
                    scratch.appending(name), .writeOnly, options: .create, permissions: .ownerReadWrite)
                try file.closeAfter {
                    guard name == "written" else { return try #require(ftruncate(file.rawValue, size) == 0) }
                    try file.writeAll([UInt8](repeating: 7, count: size))
                }
            }
            let entries = try FileTree.entries(of: scratch)
            #expect(entries.map(\.size) == [Int64(size), Int64(size)])
            #expect(entries[0].stored < 4096 && entries[1].stored == Int64(size))
        }
    }

    @Test func aFileThatIsNotUTF8IsNamed() throws {
        try withScratch { scratch in
            let name: [CChar] = Array("\(scratch)/caf".utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
            let descriptor = open(name, O_CREAT | O_WRONLY, 0o600)
            #expect(descriptor >= 0)
            close(descriptor)
            defer { unlink(name) }
            let error = #expect(throws: PackFormatError.self) { try FileTree.entries(of: scratch) }
            #expect(error?.description.contains(#"'caf\xE9'"#) == true, "\(error?.description ?? "")")
        }
    }

    @Test(arguments: [("é", #"\u{E9}"#), ("e\u{301}", #"e\u{301}"#), ("a\n\\", #"a\u{A}\\"#), ("plain", "plain")])
    func namesAreEscaped(name: String, text: String) {
        #expect(NameText.escaped(name) == text)
        #expect(NameText.escaped(bytes: Array(name.utf8)) == text)
    }

    @Test func messagesKeepTheirLine() {
        #expect(NameText.visible("ünï\r\n🎮\u{1B}[2J\\") == #"ünï\u{D}\u{A}🎮\u{1B}[2J\"#)
        #expect(NameText.escaped(bytes: [0x61, 0x0A, 0xC3, 0x28]) == #"a\u{A}\xC3("#)
    }
}
