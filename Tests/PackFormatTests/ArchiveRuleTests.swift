import Foundation
import PackFormat
import SystemPackage
import Testing

/// Archives that readers understand differently: none is unpacked, described, compared or served.
///
/// Each has the result of Info-ZIP's `unzip` and of Python's `zipfile`, in the versions of Debian 12; later ones may
/// refuse more.
@Suite("One reading of an archive", .sideBySide)
struct ArchiveRuleTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        /// A part of the message.
        let reason: String
        let unzip: String
        let python: String

        init(_ what: String, _ bytes: [UInt8], _ reason: String, unzip: String, python: String) {
            (testDescription, self.bytes, self.reason) = (what, bytes, reason)
            (self.unzip, self.python) = (unzip, python)
        }
    }

    @Test(arguments: HostileArchives.rows)
    func isRefused(_ row: Row) throws {
        try withScratch { scratch in
            let file = scratch.appending("p.assetpack")
            try file.write(row.bytes)
            let reads: [(String, () throws -> Void)] = [
                ("extract", { _ = try PackArchive.extract(file: file, into: scratch.appending("out")) }),
                ("info", { _ = try PackArchive.info(of: file) }),
                ("check", { try PackArchive.check(file) }),
            ]
            for (what, read) in reads {
                let error = #expect(throws: PackFormatError.self, "\(what)") { try read() }
                let text = error?.description ?? ""
                #expect(text.contains(row.reason), "\(what): \(text)")
                #expect(text.hasPrefix("Could not read the archive '\(file)'"))
            }
            #expect(scratch.files == ["p.assetpack"])
            for (name, told, said) in [
                ("unzip", row.unzip, try OtherReaders.unzip(file)),
                ("zipfile", row.python, try OtherReaders.python(file)),
            ] {
                guard let said else { continue }
                #expect(said == told || said == "refuses", "\(name)")
            }
        }
    }

    /// A host refuses an archive in its folder before it serves it.
    @Test(arguments: HostileArchives.rows.prefix(3))
    func isNotServed(_ row: Row) throws {
        try withScratch { scratch in
            try scratch.appending("p.assetpack").write(row.bytes)
            let resource = AssetPackManifest.Resource(
                bundleKey: "p", url: "p.assetpack", isStreamable: true, uncompressedSize: 1)
            try scratch.appending(Site.manifestName).write(AssetPackManifest(resources: [resource]).plist())
            let error = #expect(throws: PackFormatError.self) { try Site.load(directory: scratch) }
            #expect(error?.description.contains(row.reason) == true, "\(error?.description ?? "")")
        }
    }

    /// Each command makes an archive `p.zip` of the folder `in`.
    static let writers: [[String]] = [
        ["zip", "-qr", "../p.zip", "."], ["zip", "-0qr", "../p.zip", "."], ["zip", "-qrD", "-X", "../p.zip", "."],
        ["zip", "-qrfz", "../p.zip", "."],
        ["sh", "-c", "zip -qr - . | cat > ../p.zip"], ["sh", "-c", "zip -0qr - . | cat > ../p.zip"],
        ["sh", "-c", "printf 'a comment' | zip -qrz ../p.zip ."],
        ["python3", "-c", python, "../p.zip", "0", "", ""], ["python3", "-c", python, "../p.zip", "8", "", ""],
        ["sh", "-c", "python3 -c \"$0\" /dev/stdout 0 stream '' | cat > ../p.zip", python],
        ["sh", "-c", "python3 -c \"$0\" /dev/stdout 8 stream '' | cat > ../p.zip", python],
        ["python3", "-c", python, "../p.zip", "0", "", "large"],
        ["python3", "-c", python, "../p.zip", "8", "", "large"],
        ["sh", "-c", "python3 -c \"$0\" /dev/stdout 8 stream large | cat > ../p.zip", python],
        ["bsdtar", "-c", "--format=zip", "-f", "../p.zip", "a", "empty"],
        ["bsdtar", "-c", "--format=zip", "--options=zip:compression=store", "-f", "../p.zip", "a", "empty"],
    ]

    private static let python = """
        import os, sys, zipfile
        place, method, stream, large = sys.argv[1:]
        out = open(place, 'wb')
        with zipfile.ZipFile(out, 'w', int(method)) as archive:
            for folder, _, names in os.walk('.'):
                for name in names:
                    path = os.path.relpath(os.path.join(folder, name), '.')
                    with archive.open(zipfile.ZipInfo(path), 'w', force_zip64=large == 'large') as file:
                        file.write(open(path, 'rb').read())
        """

    /// Archives of honest programs are accepted, whatever these know before they write.
    @Test(arguments: writers)
    func archivesOfOtherProgramsAreRead(_ command: [String]) throws {
        try withScratch { scratch in
            let source = scratch.appending("in")
            try source.appending("a/level.bin").write((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
            try source.appending("a/ü.txt").write(Array("text".utf8))
            try source.appending("empty").write([])
            let written = try #require(
                try OtherReaders.run(command, in: source), "'Scripts/setup --for test' installs the missing program")
            try #require(written.status == 0)
            let file = scratch.appending("p.zip")
            try PackArchive.check(file)
            let extraction = try PackArchive.extract(file: file, into: scratch.appending("out"))
            #expect(extraction.files == 3 && extraction.bytes == 200_004)
            for name in ["a/level.bin", "a/ü.txt", "empty"] {
                #expect(try scratch.appending("out/\(name)").read() == source.appending(name).read(), "\(name)")
            }
        }
    }

    /// Our own packs, and the variants that the specification leaves to writers.
    static let honest: [(String, [UInt8])] = [
        ("ZIP64 records that are not needed", RawZip(["a": "alpha"], .init(isLarge: true)).bytes),
        ("a comment", RawZip(["a": "alpha"], .init(comment: Array("made by hand".utf8))).bytes),
        ("descriptors of 16 bytes", RawZip([RawZip.Entry("a", "alpha").streamed()]).bytes),
        ("descriptors of 12 bytes", RawZip([RawZip.Entry("a", "alpha").streamed(hasMark: false)]).bytes),
        ("descriptors of 24 bytes", RawZip([RawZip.Entry("a", "alpha").streamed(8)]).bytes),
        ("descriptors of 20 bytes", RawZip([RawZip.Entry("a", "alpha").streamed(8, hasMark: false)]).bytes),
        ("zeros that fill up", RawZip([.init(name: [0x61], body: [1], .init(extra: [0, 0, 0]))]).bytes),
        ("a pipe that was read", RawZip([.init(name: [0x61], body: [1], mode: 0o010_600)]).bytes),
        (
            "a descriptor of another entry among the bytes",
            RawZip([RawZip.Entry("a", "PK\u{7}\u{8}0000\u{9}\0\0\0\u{9}\0\0\0").streamed()]).bytes
        ),
    ]

    @Test(arguments: honest.indices)
    func isAccepted(index: Int) throws {
        try withScratch { scratch in
            let (what, bytes) = Self.honest[index]
            let file = scratch.appending("p.assetpack")
            try file.write(bytes)
            try PackArchive.check(file)
            #expect(try PackArchive.extract(file: file, into: scratch.appending("out")).files == 1, "\(what)")
            if let said = try OtherReaders.python(file) { #expect(said == "a", "\(what)") }
        }
    }
}
