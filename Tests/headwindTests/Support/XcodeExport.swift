import Foundation
import PackFormat
import SystemPackage

/// A folder as Xcode exports it for a host of one's own: packs, and a manifest with absolute addresses.
///
/// Modelled on a real export of 2022. Each pack is a zip file with stored entries: `META-INF` first, a signature, the
/// resources, `Info.plist` last. Names are flagged as UTF-8, and entries have Info-ZIP's `UX` fields. The manifest is
/// binary, with five keys per entry.
struct XcodeExport {
    static let bundle = "com.example.Adventure"
    static let address = "https://cdn.example.com/ios/v7/"

    /// A pack: its tag, and its files.
    struct Pack {
        var tag: String
        var files: [(path: String, bytes: [UInt8])]

        var hash: String { Digest.md5Hex(Array(tag.utf8)) }
        var identifier: String { "\(bundle).asset-pack-\(hash)" }
        var name: String { "\(bundle).\(tag)-\(hash).assetpack" }
        var info: [UInt8] {
            get throws { try XcodeExport.plist(["CFBundleIdentifier": identifier, "Tags": [tag]], .binary) }
        }

        static let signature: [(path: String, bytes: [UInt8])] = [
            "CodeResources", "CodeDirectory", "CodeRequirements", "CodeRequirements-1", "CodeSignature",
        ].map { ("_CodeSignature/\($0)", Array("signed \($0)".utf8)) }
    }

    /// The form of the packs on the disk.
    enum Form: CaseIterable {
        case zip
        case folder
    }

    var packs: [Pack]
    var form = Form.zip
    var format = PropertyListSerialization.PropertyListFormat.binary
    /// Additional keys of every entry of the manifest.
    var extra: [String: any Sendable] = [:]
    var manifestName = "AssetPackManifest.plist"
    var strategy = "modtime"

    static func plist(_ value: [String: Any], _ format: PropertyListSerialization.PropertyListFormat) throws -> [UInt8]
    {
        Array(try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0))
    }

    /// Writes manifest and packs into a folder.
    func write(to folder: FilePath) throws {
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        for pack in packs {
            let content = try Pack.signature + pack.files + [("Info.plist", pack.info)]
            let place = folder.appending(pack.name)
            switch form {
            case .zip: try Data(Self.zip(content)).write(to: URL(filePath: place.string))
            case .folder:
                for (path, bytes) in content {
                    let file = place.appending(path)
                    try FileManager.default.createDirectory(
                        atPath: file.removingLastComponent().string, withIntermediateDirectories: true)
                    try Data(bytes).write(to: URL(filePath: file.string))
                }
            }
        }
        let entries = packs.map { pack -> [String: Any] in
            // Folders count, the signature does not.
            let bytes = pack.files.map(\.bytes.count).reduce(4096, +) + 200
            let entry: [String: Any] = [
                "URL": Self.address + pack.name, "uncompressedSize": bytes, "bundleKey": pack.identifier,
                "isStreamable": 1, "primaryContentHash": ["hash": "2022-01-13T08:57:30.000Z", "strategy": strategy],
            ]
            return entry.merging(extra) { first, _ in first }
        }
        let manifest = try Self.plist(["resources": entries], format)
        try Data(manifest).write(to: URL(filePath: folder.appending(manifestName).string))
    }

    /// A zip file with all entries stored, in the order of a real export.
    private static func zip(_ content: [(path: String, bytes: [UInt8])]) throws -> [UInt8] {
        var folders: [String] = []
        var items: [(path: String, bytes: [UInt8])] = []
        for (path, bytes) in content {
            let parts = path.split(separator: "/").dropLast()
            for count in 1..<(parts.count + 1) {
                let folder = parts.prefix(count).joined(separator: "/") + "/"
                guard !folders.contains(folder) else { continue }
                folders.append(folder)
                items.append((folder, []))
            }
            items.append((path, bytes))
        }
        let metadata = try plist(
            [
                "StandardDirectoryPerms": 16877, "StandardFilePerms": -32348, "RecordCount": items.count,
                "TotalUncompressedBytes": items.map(\.bytes.count).reduce(0, +), "Version": 2,
            ], .binary)
        items.insert(contentsOf: [("META-INF/", []), ("META-INF/com.apple.ZipMetadata.plist", metadata)], at: 0)
        var (file, directory) = ([UInt8](), [UInt8]())
        func little(_ value: Int, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        for (path, bytes) in items {
            let isFolder = path.hasSuffix("/")
            let common =
                little(isFolder ? 20 : 10, 2) + little(0x0800, 2) + little(0, 2) + little(0x4771_542D, 4)
                + little(Int(CRC32.checksum(of: bytes)), 4) + little(bytes.count, 4) + little(bytes.count, 4)
                + little(path.utf8.count, 2)
            // The times of access and change; the local header also has the owner's numbers.
            let times = little(1_642_064_250, 4) + little(1_642_064_250, 4)
            let short = [0x55, 0x58] as [UInt8] + little(8, 2) + times
            let long = [0x55, 0x58] as [UInt8] + little(12, 2) + times + little(501, 2) + little(20, 2)
            let mode = isFolder ? 0o40755 : 0o100_644
            directory += little(0x0201_4B50, 4) + little(0x0315, 2) + common + little(short.count, 2)
            directory += little(0, 6) + little(mode << 16, 4) + little(file.count, 4) + Array(path.utf8) + short
            file += little(0x0403_4B50, 4) + common + little(long.count, 2) + Array(path.utf8) + long + bytes
        }
        let start = file.count
        let count = little(items.count, 2)
        return file + directory + little(0x0605_4B50, 4) + little(0, 4) + count + count
            + little(directory.count, 4) + little(start, 4) + little(0, 2)
    }
}
