import AssetPacks
import Evidence
import FoundationEssentials
import PackFormat
import Scenarios
import Synchronization
import SystemPackage

/// Builds the content that scenarios serve, each once in a run.
final class ContentStore: Sendable {
    private struct Key: Hashable {
        let content: Content
        let updates: [Content.Catalog]
        let slice: Slice?
        let scheme: String
    }

    let scratch: FilePath
    /// The folder of built packs; nil: none is kept.
    let packs: BuiltPacks?
    private let prepared = Mutex<[Key: PreparedContent]>([:])

    init(scratch: FilePath, packs: BuiltPacks? = nil) {
        (self.scratch, self.packs) = (scratch, packs)
    }

    /// The content that a cell serves; nil for a host that Headwind did not start.
    func prepare(_ cell: Cell) throws -> PreparedContent? { try built(cell)?.omitting(cell.omitted) }

    private func built(_ cell: Cell) throws -> PreparedContent? {
        let key = Key(
            content: cell.content, updates: cell.workload.updates, slice: cell.device.slice,
            scheme: cell.tls ? "https" : "http")
        // Building takes a second at most, and cells wait for the same packs anyway.
        return try prepared.withLock { prepared in
            if let content = prepared[key] { return content }
            guard let (site, appSize) = try site(key.content, key.slice, number: prepared.count) else { return nil }
            var content = try Self.content(site, key.scheme)
            content.appSize = appSize
            for (index, catalog) in key.updates.enumerated() {
                let folder = scratch.appending("content-\(prepared.count)-\(index + 2)")
                let update = try self.site(of: catalog, key.slice, in: folder).site
                content.append(update: try Self.content(update, key.scheme))
            }
            prepared[key] = content
            return content
        }
    }

    /// Throws ``HarnessError`` if a URL in the manifest does not have the scenario's scheme.
    private static func content(_ site: Site, _ scheme: String) throws -> PreparedContent {
        let content = try PreparedContent(site: site, scheme: scheme)
        if let url = content.wrongAddress { throw HarnessError.wrongScheme(url: url, asked: scheme) }
        return content
    }

    /// The packs that are served, and the bytes that are part of the app.
    private typealias Built = (site: Site, appSize: Int64)

    private func site(_ content: Content, _ slice: Slice?, number: Int) throws -> Built? {
        let folder = scratch.appending("content-\(number)")
        switch content {
        case .host, .network: return nil
        case .packs(let directory):
            // A folder with a manifest is served unchanged; in any other, each file is a pack.
            guard Site.manifestFile(in: directory) != nil else { return (try Site.files(directory: directory), 0) }
            return (try Site.load(directory: directory, archives: folder), 0)
        case .catalog(let catalog): return try site(of: catalog, slice, in: folder)
        }
    }

    private func site(of catalog: Content.Catalog, _ slice: Slice?, in folder: FilePath) throws -> Built {
        if let packs {
            let key = try packs.key(of: catalog, slice)
            if let kept = try packs.packs(named: key) { return kept }
            let kept = try packs.keep(key) { try build(catalog, slice, in: folder, into: $0) }
            if let kept { return kept }
        }
        let output = folder.appending("packs")
        let appSize = try build(catalog, slice, in: folder, into: output)
        return (try Site.load(directory: output), appSize)
    }

    /// Builds packs into `output`; returns how many bytes are part of the app; `folder` is for intermediate files.
    private func build(
        _ catalog: Content.Catalog, _ slice: Slice?, in folder: FilePath, into output: FilePath
    ) throws -> Int64 {
        do {
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        } catch {
            throw HarnessError(writing: folder, error)
        }
        let source: AssetPacks.Catalog
        switch catalog {
        case .backgroundAssets(let root):
            _ = try BackgroundCatalog(root).build(to: output)
            return 0
        case .builtInBackgroundAssets(let name):
            _ = try BackgroundCatalog(of: try builtIn(name, in: folder)).build(to: output)
            return 0
        case .builtIn(let name): source = try builtIn(name, in: folder)
        case .folder(let root, let tags): source = try AssetPacks.Catalog(tagFile: tags, root: root, slice: slice)
        case .byFolder(let root): source = try AssetPacks.Catalog(byFolder: root, slice: slice)
        }
        _ = try AssetPackBuilder(limits: .ios2015).build(source, to: output)
        return source.resources.filter(\.tags.isEmpty).map(\.size).reduce(0, +)
    }

    private func builtIn(_ name: String, in folder: FilePath) throws -> AssetPacks.Catalog {
        guard let catalog = BuiltInCatalog(rawValue: name) else {
            preconditionFailure("the file's catalog is one of them")
        }
        return try catalog.write(to: folder.appending("catalog"))
    }
}
