import ArgumentParser
import AssetPacks
import FoundationEssentials
import PackFormat
import SystemPackage

/// `headwind pack show`: what a folder of packs, a pack or a manifest holds.
struct PackShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what is in a folder of packs, a pack, or a manifest.",
        discussion: """
              headwind pack show packs
              headwind pack show packs/AssetPackManifest.plist
              headwind pack show packs/OnDemandResources/*.assetpack --format json
            """
    )

    @Argument(help: "Folders of packs, packs (.assetpack) or manifests (.plist).", completion: .file())
    var paths: [String]

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Interruption.endsWell { try show() }
    }

    private func show() throws {
        for path in paths {
            try Task.checkCancellation()
            do {
                try show(FilePath(path))
            } catch let error as PackFormatError {
                throw CommandFailure(error)
            }
        }
    }

    private func show(_ path: FilePath) throws {
        if path.extension == Site.packExtension {
            return try show(pack: path)
        }
        if path.extension == "plist" {
            return try show(AssetPackManifest(plist: SmallFile.read(path), name: "the manifest '\(path)'"), table: nil)
        }
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path.string, isDirectory: &isFolder), isFolder else {
            throw PackFormatError.fileNotRead(path, reason: "it is no folder, no .assetpack and no .plist")
        }
        let folder = try PackListing(path)
        try show(folder.manifest, table: folder.tagTable)
    }

    private func show(pack path: FilePath) throws {
        let content = try PackContent(of: path)
        switch output.format {
        case .json: try Console.json(PackRecord(content))
        case .text:
            Console.out("identifier: \(content.info?.identifier ?? "-")")
            Console.out("tags: \(content.info?.tags.joined(separator: ", ") ?? "-")")
            Console.out("priority: \(content.info?.priority.map(PackText.priority) ?? "on demand")")
            Console.out("files: \(content.files.count), \(PackText.size(content.bytes))")
            Console.out(lines: content.files.map { "  \($0.path)  \(PackText.size($0.size))" })
        }
    }

    private func show(_ manifest: AssetPackManifest, table: TagTable?) throws {
        switch output.format {
        case .json: try Console.json(manifest.resources.map { ManifestRecord($0, tags: table?.tags(of: $0.bundleKey)) })
        case .text:
            let rows = manifest.resources.map { resource in
                PackText.Row(
                    tags: table?.tags(of: resource.bundleKey).joined(separator: "+") ?? "",
                    size: resource.uncompressedSize, downloadSize: resource.downloadSize,
                    priority: resource.downloadPriority, name: resource.url)
            }
            Console.out(lines: PackText.table(rows))
        }
    }
}

/// A pack as `--format json` prints it.
private struct PackRecord: Encodable {
    let identifier: String?
    let tags: [String]?
    let priority: Double?
    let bytes: Int64
    let files: [PackContent.File]

    init(_ content: PackContent) {
        (identifier, tags, priority) = (content.info?.identifier, content.info?.tags, content.info?.priority)
        (bytes, files) = (content.bytes, content.files)
    }
}

/// A manifest's entry as `--format json` prints it.
private struct ManifestRecord: Encodable {
    let identifier: String
    let tags: [String]?
    let url: String
    let isStreamable: Bool
    let uncompressedSize: Int64
    let downloadSize: Int64?
    let priority: Double?
    let contentHash: String?
    let sha256: String?

    init(_ resource: AssetPackManifest.Resource, tags: [String]?) {
        (identifier, url, self.tags) = (resource.bundleKey, resource.url, tags)
        (isStreamable, uncompressedSize) = (resource.isStreamable, resource.uncompressedSize)
        (downloadSize, priority, sha256) = (resource.downloadSize, resource.downloadPriority, resource.sha256)
        contentHash = resource.primaryContentHash?.hash
    }
}
