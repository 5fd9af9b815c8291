import ArgumentParser
import AssetPacks
import Documents
import PackFormat
import SystemPackage
import Wording

/// `headwind pack`: builds, shows and checks packs.
struct PackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pack",
        abstract: "Build, show and check asset packs.",
        discussion: """
            Packs, manifest and tag table have Xcode's format.

              headwind pack build ./levels --by-folder --output packs
              headwind pack show packs
              headwind pack check packs
            """,
        subcommands: [PackBuildCommand.self, PackShowCommand.self, PackCheckCommand.self]
    )
}

/// `headwind pack show`: the content of a folder of packs, a pack or a manifest.
struct PackShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the content of a folder of packs, a pack, a manifest, or a tag table.",
        discussion: """
            For Background Assets it reads folders of manifests, a Manifest.json, and a download manifest.

              headwind pack show packs
              headwind pack show packs/AssetPackManifest.plist
              headwind pack show packs/OnDemandResources/*.assetpack --format json
            """
    )

    @Argument(
        help: "Folders of packs, packs (.assetpack), manifests or tag tables (.plist, .json).", completion: .file())
    var paths: [String]

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Interruption.endsWell {
            for path in paths {
                try Task.checkCancellation()
                try show(FilePath(path))
            }
        }
    }

    private func show(_ path: FilePath) throws {
        if path.extension == Site.packExtension { return try show(pack: path) }
        if path.extension == "plist" || path.lastComponent?.string == Site.downloadManifestName {
            return try show(list: path)
        }
        if path.extension == Site.appleArchiveExtension {
            guard let text = try AppleArchive.text(of: path) else {
                throw PackFormatError.fileNotRead(path, reason: "it is not an Apple Archive")
            }
            return Console.out("\(path): \(text); Headwind does not read its content")
        }
        if BackgroundPacks.isSource(path.string) { return try show(source: path) }
        guard (try? path.stat())?.type == .directory else {
            throw PackFormatError.fileNotRead(path, reason: "it is not a folder, .assetpack, .plist or JSON manifest")
        }
        let folder = try PackListing(path)
        try show(folder.manifest) { folder.tags(of: $0) }
    }

    /// Shows the packs that manifests of Background Assets select.
    private func show(source path: FilePath) throws {
        let catalog = try BackgroundCatalog(path)
        let files = catalog.packs.flatMap { pack in
            ["\(pack.identifier): \(pack.files.count.counted("file"))"]
                + pack.files.map { "  \($0.path)  \(PackText.size($0.size))" }
        }
        try output.print(catalog.packs.map(\.json), lines: BackgroundPacks.table(catalog) + files)
    }

    /// Shows a manifest or a tag table; an app contains only the latter.
    private func show(list path: FilePath) throws {
        let bytes = try SmallFile.read(path)
        if AssetPackManifest.isDownloadManifest(bytes) || path.extension == "json" {
            return try show(AssetPackManifest(download: bytes, name: "the download manifest '\(path)'"), tags: nil)
        }
        let table = try? TagTable(plist: bytes)
        let isTable = table.map { !$0.packsByTag.isEmpty || !$0.pathsByPack.isEmpty } ?? false
        guard isTable || path.lastComponent?.string == Site.tagTableName else {
            return try show(AssetPackManifest(plist: bytes, name: "the manifest '\(path)'"), tags: nil)
        }
        try show(TagTable(plist: bytes, name: "the tag table '\(path)'"))
    }

    private func show(_ table: TagTable) throws {
        let rows = table.packsByTag.sorted { $0.key < $1.key }.map { [$0.key, $0.value.joined(separator: ", ")] }
        let files = table.pathsByPack.sorted { $0.key < $1.key }.flatMap { pack, paths in
            ["\(pack): \(paths.count.counted("file"))"] + paths.map { "  \($0)" }
        }
        try output.print(
            ["tags": table.packsByTag, "files": table.pathsByPack],
            lines: TextTable.lines([["TAG", "PACKS"]] + rows) + files)
    }

    private func show(pack path: FilePath) throws {
        let content = try PackContent(of: path)
        let info = content.info
        let json = JSONTree.object([
            "identifier": info.map { .text($0.identifier) }, "tags": info.map { .texts($0.tags) },
            "priority": info?.priority.map(JSONTree.number), "bytes": .whole(content.bytes),
            "files": JSONTree(encoding: content.files),
        ])
        let lines = [
            "identifier: \(info?.identifier ?? "-")", "tags: \(info?.tags.joined(separator: ", ") ?? "-")",
            "priority: \(info?.priority.map(PackText.priority) ?? "on demand")",
            "files: \(content.files.count), \(PackText.size(content.bytes))",
        ]
        try output.print(
            json, lines: lines + content.files.map { "  \($0.path)  \(PackText.size($0.size))" })
    }

    /// Shows a manifest, with the tags of its packs if they are known.
    private func show(
        _ manifest: AssetPackManifest, tags: ((AssetPackManifest.Resource) -> [String])?
    ) throws {
        switch output.format {
        case .json: try Console.json(manifest.resources.map { $0.json(tags: tags?($0)) })
        case .text where manifest.delivery == .backgroundAssets:
            Console.out(lines: BackgroundPacks.table(manifest))
        case .text:
            let packs = manifest.resources.map { BuildReport.Pack($0, tags: tags?($0) ?? [], name: $0.url) }
            Console.out(lines: PackText.table(packs))
        }
    }
}

extension AssetPackManifest.Resource {
    /// The entry as `--format json` prints it.
    func json(tags: [String]?) -> JSONTree {
        .object([
            "identifier": .text(bundleKey), "tags": tags.map { .texts($0) }, "url": .text(url),
            "isStreamable": .flag(isStreamable), "uncompressedSize": .whole(uncompressedSize),
            "downloadSize": downloadSize.map(JSONTree.whole), "priority": downloadPriority.map(JSONTree.number),
            "contentHash": primaryContentHash.map { .text($0.hash) }, "sha256": sha256.map(JSONTree.text),
            // When the system downloads a pack of Background Assets by itself; only those have it.
            "downloadPolicy": policy.map { .text($0.text) },
        ])
    }
}
