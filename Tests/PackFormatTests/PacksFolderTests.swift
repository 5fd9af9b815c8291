import Foundation
import PackFormat
import SystemPackage
import Testing

/// Links in a folder of packs: those that lead out of it are not read.
@Suite("Links in a folder of packs")
struct PacksFolderTests {
    /// A link in the folder, and a part of the message; nil if the folder is served nevertheless.
    struct Row: CustomTestStringConvertible {
        var link: String
        var target: String
        var reason: String?

        var testDescription: String { "\(link) -> \(target)" }
    }

    private static let out = "leads out of its folder"

    static let rows: [Row] = [
        Row(link: Site.packsFolderName, target: "../elsewhere/\(Site.packsFolderName)", reason: out),
        Row(link: Site.packsFolderName, target: "/SCRATCH/elsewhere/\(Site.packsFolderName)", reason: out),
        Row(link: Site.packsFolderName, target: "..", reason: "which is neither in this folder nor in"),
        Row(link: Site.packsFolderName, target: Site.packsFolderName, reason: "could not be opened"),
        Row(link: Site.packsFolderName, target: "within/\(Site.packsFolderName)", reason: nil),
        Row(link: Site.packsFolderName, target: "../site/within/\(Site.packsFolderName)", reason: nil),
        Row(link: Site.manifestName, target: "../elsewhere/\(Site.manifestName)", reason: out),
        Row(link: Site.manifestName, target: "within/\(Site.manifestName)", reason: nil),
        Row(link: Site.tagTableName, target: "../elsewhere/\(Site.tagTableName)", reason: out),
        Row(link: Site.tagTableName, target: "within/\(Site.tagTableName)", reason: nil),
        Row(
            link: "\(Site.packsFolderName)/p.assetpack", target: "/SCRATCH/elsewhere/OnDemandResources/p.assetpack",
            reason: "is a link"),
        Row(
            link: "\(Site.packsFolderName)/p.assetpack", target: "../within/OnDemandResources/p.assetpack",
            reason: "is a link"),
    ]

    /// Writes a manifest, a tag table and a pack.
    private func fill(_ folder: FilePath) throws {
        try folder.appending(Site.packsFolderName).appending("p.assetpack").write(RawZip(["a": "1"]).bytes)
        let resource = AssetPackManifest.Resource(
            bundleKey: "p", url: "p.assetpack", isStreamable: true, uncompressedSize: 1)
        try folder.appending(Site.manifestName).write(AssetPackManifest(resources: [resource]).plist())
        try folder.appending(Site.tagTableName).write(TagTable(packsByTag: ["t": ["p"]], pathsByPack: [:]).plist())
    }

    @Test(arguments: rows)
    func readsNothingOutsideTheFolder(_ row: Row) throws {
        try withScratch { scratch in
            let site = scratch.appending("site")
            for folder in [site, site.appending("within"), scratch.appending("elsewhere")] { try fill(folder) }
            let link = site.pushing(FilePath(row.link)).string
            let target = row.target.replacingOccurrences(of: "/SCRATCH", with: scratch.string)
            try FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            guard let reason = row.reason else {
                #expect(try Site.load(directory: site).packs.map(\.tags) == [["t"]])
                return
            }
            let error = #expect(throws: PackFormatError.self) { try Site.load(directory: site) }
            #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        }
    }

    /// A folder that the user names may be a link: that is the user's own choice.
    @Test func theFolderItselfMayBeALink() throws {
        try withScratch { scratch in
            try fill(scratch.appending("site"))
            let link = scratch.appending("link")
            try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: "site")
            #expect(try Site.load(directory: link).packs.count == 1)
        }
    }
}
