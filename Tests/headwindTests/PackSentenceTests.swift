import Foundation
import PackFormat
import SystemPackage
import Testing

@testable import headwind

/// `headwind pack check` and `pack show` report damaged lists in a sentence with the file, the place and what is
/// expected.
@Suite("Errors of damaged lists")
struct PackSentenceTests {
    struct Row: CustomTestStringConvertible {
        var file: String
        var text: String
        var parts: [String]

        var testDescription: String { "\(file): \(text.prefix(60))" }
    }

    private static let manifest = Site.manifestName
    private static let table = Site.tagTableName

    private static func resource(_ entries: String) -> String {
        "<plist><dict><key>resources</key><array><dict>\n<key>bundleKey</key><string>p</string>\n"
            + "<key>URL</key><string>p.assetpack</string>\n\(entries)</dict></array></dict></plist>"
    }

    static let rows: [Row] = [
        // A manifest in XML.
        Row(file: manifest, text: "", parts: ["it is empty"]),
        Row(
            file: manifest, text: "{\"resources\": []}", parts: ["it should begin with 'bplist00' or, in XML, with '<'"]
        ),
        Row(file: manifest, text: "<html>\n<body>404</body></html>", parts: ["in line 1", "there is 'html'"]),
        Row(
            file: manifest, text: "<plist>\n<dict>\n<key>resources</key>\n</dict></plist>",
            parts: ["in line 4", "the last <key> before it has no value"]),
        Row(
            file: manifest, text: "<plist>\n<dict>\n<string>a</string></dict></plist>",
            parts: ["in line 3", "there should be a <key>, and there is <string>"]),
        Row(
            file: manifest, text: "<plist>\n<dict>\n<key>a</key>\n<strng>a</strng></dict></plist>",
            parts: ["in line 4", "there is 'strng'"]),
        Row(
            file: manifest, text: "<plist>\n<dict>\n<key>a</key>\n<string>a</key></dict></plist>",
            parts: ["in line 4", "there should be </string>, and there is </key>"]),
        Row(file: manifest, text: "<plist>\n<dict>\n", parts: ["in line 2", "<dict> has no end"]),
        Row(
            file: manifest, text: "<plist><dict/><dict/></plist>",
            parts: ["in line 1", "<plist> should hold one value"]),
        Row(
            file: manifest, text: "<plist><dict><key>a</key><string>&x;</string></dict></plist>",
            parts: ["look for a bare '&'"]),
        Row(
            file: manifest, text: "<plist><array/></plist>",
            parts: ["at its top there should be a dictionary, and there is an array"]),
        Row(file: manifest, text: "<plist><dict/></plist>", parts: ["at its top the key 'resources' is missing"]),
        Row(file: manifest, text: resource(""), parts: ["at 'resources[0]' the key 'uncompressedSize' is missing"]),
        Row(
            file: manifest, text: resource("<key>uncompressedSize</key><string>1 MB</string>"),
            parts: ["at 'resources[0].uncompressedSize' there should be a number of bytes", "the string '1 MB'"]),
        Row(
            file: manifest, text: resource("<key>uncompressedSize</key><integer>many</integer>"),
            parts: ["at 'resources[0].uncompressedSize' there should be a number of bytes"]),
        Row(
            file: manifest, text: resource("<key>uncompressedSize</key><data>AAAA</data>"),
            parts: ["at 'resources[0].uncompressedSize' there should be a number of bytes"]),
        Row(
            file: manifest, text: resource("<key>uncompressedSize</key><real>1.5</real>"),
            parts: ["there should be a number of bytes", "1.5"]),
        Row(
            file: manifest,
            text: resource(
                "<key>uncompressedSize</key><integer>1</integer><key>downloadPriority</key><string>x</string>"),
            parts: ["at 'resources[0].downloadPriority' there should be a number from 0 to 1"]),
        Row(
            file: manifest,
            text: resource("<key>uncompressedSize</key><integer>1</integer><key>primaryContentHash</key><true/>"),
            parts: ["at 'resources[0].primaryContentHash' there should be a dictionary, and there is a boolean"]),
        // A manifest in binary.
        Row(file: manifest, text: "bplist00", parts: ["it is cut off: it has 8 bytes"]),
        Row(
            file: manifest, text: "bplist00" + String(repeating: "\0", count: 40),
            parts: ["its trailer, the 32 bytes from byte 16"]),
        Row(file: manifest, text: binary("\u{70}"), parts: ["at its top there should be a dictionary"]),
        Row(file: manifest, text: binary("\u{13}\u{0}"), parts: ["a number in it is cut off, at byte 8"]),
        Row(file: manifest, text: binary("\u{0F}"), parts: ["it has a value of an unknown type, at byte 8"]),
        // A tag table.
        Row(
            file: table, text: "<plist><dict><key>NSBundleResourceRequestTags</key><array/></dict></plist>",
            parts: ["at 'NSBundleResourceRequestTags' there should be a dictionary, and there is an array"]),
        Row(
            file: table,
            text: "<plist><dict><key>NSBundleResourceRequestTags</key><dict><key>t</key><dict><key>NSAssetPacks</key>"
                + "<string>p</string></dict></dict></dict></plist>",
            parts: ["at 'NSBundleResourceRequestTags.t.NSAssetPacks' there should be an array"]),
        Row(
            file: table,
            text:
                "<plist><dict><key>NSBundleResourceRequestTags</key><dict><key>\u{1B}[2J</key><true/></dict></dict></plist>",
            parts: [table]),
    ]

    /// A binary property list of one object.
    private static func binary(_ object: String) -> String {
        let table = 8 + object.utf8.count
        return "bplist00\(object)\u{8}\0\0\0\0\0\0\u{1}\u{1}" + String(repeating: "\0", count: 7) + "\u{1}"
            + String(repeating: "\0", count: 15) + String(UnicodeScalar(UInt8(table)))
    }

    @Test(arguments: rows)
    func aDamagedListIsExplained(_ row: Row) async throws {
        try await withFolder { folder in
            let good = "<plist><dict><key>resources</key><array/></dict></plist>"
            try Data(good.utf8).write(to: URL(filePath: folder.appending(Self.manifest).string))
            let file = folder.appending(row.file)
            try Data(row.text.utf8).write(to: URL(filePath: file.string))
            let checked = await failure { try await PackCheckCommand.parse([folder.string]).run() }
            let shown = await failure { try await PackShowCommand.parse([folder.string]).run() }
            for text in [checked, shown] {
                expectSentence(text, of: file)
                #expect(row.parts.allSatisfy(text.contains), "\(text)")
            }
            guard row.file == Self.manifest else { return }
            expectSentence(await failure { try await PackShowCommand.parse([file.string]).run() }, of: file)
        }
    }

    @Test(arguments: [
        ("", "1:1: the file ends here, and there should be a value"),
        ("[]", "1:1: there should be an object, and there is an array"),
        ("{\n\"tags\": {}}", "1:1: the key \"bundle\" is missing"),
        ("{\"bundle\": 7, \"tags\": {}}", "1:12: there should be a string, and there is 7"),
        ("{\"bundle\": \"a.b\",\n\"tags\": []}", "2:9: there should be an object of tags, and there is an array"),
        ("{\"bundle\": \"a.b\",\n\"tags\": {\"t\": 5}}", "2:15: there should be an array, and there is 5"),
        ("{\"bundle\": \"a.b\",\n\"tags\": {\"t\": [null]}}", "2:16: there should be a string, and there is null"),
        (
            "{\"bundle\": \"a.b\",\n\"tags\": {\"t\": [\"*\"]",
            "2:20: the file ends here, and there should be a ',' or a '}'"
        ),
    ])
    func aDamagedTagFileIsExplained(text: String, reason: String) async throws {
        try await withFolder { folder in
            let file = folder.appending("tags.json")
            try Data(text.utf8).write(to: URL(filePath: file.string))
            let told = await failure { try await PackCheckCommand.parse([folder.string]).run() }
            expectSentence(told, of: file)
            #expect(told.contains("tags.json:\(reason)"), "\(told)")
        }
    }

    @Test(arguments: [
        ("{\"steps\": 5}", "1:11: there should be an array, and there is 5"),
        ("{}", "1:1: the key \"steps\" is missing"),
        ("{\"steps\": [\n{\"request\": {\"id\": \"a\"}}]}", "2:13: the key \"tags\" is missing"),
        ("{\"steps\": [\n{\"request\": {\"tags\": [1]}}]}", "2:23: there should be a string, and there is 1"),
        ("{\"steps\": [", "1:12: the file ends here, and there should be a value"),
        ("tru", "1:1: there should be a value, and 'tru' is not one"),
    ])
    func aDamagedWorkloadIsExplained(text: String, reason: String) async throws {
        try await withFolder { folder in
            let good = "<plist><dict><key>resources</key><array/></dict></plist>"
            try Data(good.utf8).write(to: URL(filePath: folder.appending(Self.manifest).string))
            let file = folder.appending("work.json")
            try Data(text.utf8).write(to: URL(filePath: file.string))
            let told = await failure {
                try await PackCheckCommand.parse([folder.string, "--workload", file.string]).run()
            }
            expectSentence(told, of: file)
            #expect(told.contains("work.json:\(reason)"), "\(told)")
        }
    }

    @Test func aDamagedDescriptionIsExplained() async throws {
        try await withFolder { folder in
            let pack = folder.appending("p.assetpack")
            let info = Array("<plist>\n<dict>\n<key>Tags</key><string>a</string></dict></plist>".utf8)
            _ = try PackArchive.write([.init(path: "Info.plist", content: .bytes(info), modified: 0)], to: pack)
            let told = await failure { try await PackShowCommand.parse([pack.string]).run() }
            expectSentence(told, of: pack)
            #expect(told.contains("at its top the key 'CFBundleIdentifier' is missing"), "\(told)")
        }
    }

    private func expectSentence(_ text: String, of file: FilePath) {
        let raw = [
            "DecodingError", "typeMismatch", "Optional(", "codingPath", "CodingKey", "Error Domain", "dataCorrupted",
            "NS.", "\u{1B}",
        ]
        #expect(!raw.contains(where: text.contains), "\(text)")
        #expect(text.contains(file.string) && text.hasSuffix(".") && !text.contains("\n"), "\(text)")
        #expect(text.utf8.count < 600, "\(text)")
    }

    private func failure(_ body: () async throws -> Void) async -> String {
        let failure = await commandFailure(of: body)
        #expect(failure?.status == .invalidInput)
        return failure?.description ?? ""
    }

    private func withFolder(_ body: (FilePath) async throws -> Void) async throws {
        let folder = FilePath(NSTemporaryDirectory()).appending("headwind-lists-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder.string) }
        try await body(folder)
    }
}
