import FoundationEssentials
import PackFormat
import SystemPackage

/// One pack that is to be written.
struct PackPlan {
    let catalog: Catalog
    let tags: Set<String>
    let resources: [Catalog.Resource]
    let priority: Double?

    private var identifier: String { PackNaming.identifier(bundleID: catalog.bundleID, tags: tags) }
    private var name: String { PackNaming.directoryName(bundleID: catalog.bundleID, tags: tags) }

    /// Writes the pack under its name into `folder`, whole or not at all.
    func write(to folder: FilePath, form: AssetPackBuilder.Form) throws -> BuiltPack {
        let target = folder.appending(name)
        let staging = folder.appending(".\(name.suffix(80)).partial")
        try? FileManager.default.removeItem(atPath: staging.string)
        defer { try? FileManager.default.removeItem(atPath: staging.string) }
        try stage(in: staging)
        let files = try FileTree.entries(of: staging).filter { $0.kind == .file }
        let resourcesOnly = files.filter { $0.path != PackArchive.infoName }
        var built = BuiltPack(
            pack: .init(
                identifier: identifier, tags: tags.sorted(), name: name, files: resourcesOnly.count,
                uncompressedSize: files.map(\.size).reduce(0, +), downloadSize: nil, priority: priority),
            paths: resources.map(\.path).sorted(), newest: resourcesOnly.map(\.modified).max() ?? 0, sha256: nil)
        try? FileManager.default.removeItem(atPath: target.string)
        switch form {
        case .archive:
            built.pack.downloadSize = try PackArchive.write(directory: staging, to: target)
            built.sha256 = try Digest.sha256Hex(of: target)
        case .folder:
            try FileManager.default.moveItem(atPath: staging.string, toPath: target.string)
        }
        return built
    }

    /// Copies the resources and writes `Info.plist`, all with the resources' own times.
    private func stage(in staging: FilePath) throws {
        let manager = FileManager.default
        var newest = Date(timeIntervalSince1970: 0)
        for resource in resources {
            let source = catalog.root.appending(resource.path)
            let copy = staging.appending(resource.path)
            do {
                try manager.createDirectory(
                    atPath: copy.removingLastComponent().string, withIntermediateDirectories: true)
                try manager.copyItem(atPath: source.string, toPath: copy.string)
                let attributes = try manager.attributesOfItem(atPath: source.string)
                let date = attributes[.modificationDate] as? Date ?? newest
                try manager.setAttributes([.modificationDate: date], ofItemAtPath: copy.string)
                newest = max(newest, date)
            } catch {
                throw PackFormatError.fileNotWritten(copy, reason: "'\(source)' could not be copied (\(error))")
            }
        }
        let info = staging.appending(PackArchive.infoName)
        try Data(PackInfo(identifier: identifier, tags: tags, priority: priority).plist())
            .write(to: URL(filePath: info.string))
        // The same resources make the same archive, whenever it is built.
        try manager.setAttributes([.modificationDate: newest], ofItemAtPath: info.string)
        for entry in try FileTree.entries(of: staging) where entry.kind == .folder {
            try manager.setAttributes([.modificationDate: newest], ofItemAtPath: staging.appending(entry.path).string)
        }
    }
}

/// A pack that has been written.
struct BuiltPack {
    var pack: BuildReport.Pack
    /// The ways of its resources, as the tag table names them.
    var paths: [String]
    /// When its newest resource was changed, in nanoseconds since 1970.
    var newest: Int64
    var sha256: String?

    func resource(urlPrefix: String?) -> AssetPackManifest.Resource {
        let name = URLText.encoded(pack.name)
        let url = urlPrefix.map { $0 + name } ?? "\(Site.packsFolderName)/\(name)"
        return AssetPackManifest.Resource(
            bundleKey: pack.identifier, url: url, isStreamable: urlPrefix?.hasPrefix("http") ?? true,
            uncompressedSize: pack.uncompressedSize, downloadPriority: pack.priority,
            primaryContentHash: .init(strategy: "modtime", hash: Self.date(newest)), downloadSize: pack.downloadSize,
            sha256: sha256)
    }

    /// ISO 8601 in UTC with milliseconds, as Xcode writes it.
    private static func date(_ nanoseconds: Int64) -> String {
        let milliseconds = nanoseconds / 1_000_000
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
