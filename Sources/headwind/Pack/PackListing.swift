import AssetPacks
import FoundationEssentials
import PackFormat
import SystemPackage

/// A folder of packs with their manifest, as built or exported.
struct PackListing: Sendable {
    let folder: PacksFolder
    let manifest: AssetPackManifest
    /// nil if there is no tag table.
    let tagTable: TagTable?

    /// Reads the manifest and the tag table of a folder; throws `PackFormatError` if there is no manifest, or one is
    /// invalid.
    init(_ path: FilePath) throws(PackFormatError) {
        folder = PacksFolder(path)
        manifest = try folder.manifest().manifest
        tagTable = try folder.tagTable()?.table
    }

    /// Whether a folder has a manifest, and is thus a folder of packs.
    static func isThere(_ path: FilePath) -> Bool { Site.manifestFile(in: path) != nil }

    /// The file or folder of a pack; nil if it is missing.
    ///
    /// Throws what ``PacksFolder/pack(_:)`` throws.
    func location(of resource: AssetPackManifest.Resource) throws(PackFormatError) -> FilePath? {
        for name in Self.names(of: resource) { if let place = try folder.pack(name) { return place } }
        return nil
    }

    /// The tags of a pack: from the tag table, or from the pack itself if there is no table.
    ///
    /// Empty if the pack cannot be read.
    func tags(of resource: AssetPackManifest.Resource) -> [String] {
        if let tagTable { return tagTable.tags(of: resource.bundleKey) }
        if resource.policy != nil { return [resource.bundleKey] }
        guard let location = try? location(of: resource) else { return [] }
        if let info = try? PackArchive.info(of: location) { return info.tags }
        let inFolder = try? PacksFolder(location).list(PackArchive.infoName).map { try PackInfo(plist: $0) }
        return inFolder?.tags ?? []
    }

    /// The possible names of a pack's file: the last part of the address's path, or of a query such as `?pack=NAME`.
    static func names(of resource: AssetPackManifest.Resource) -> [String] {
        if resource.policy != nil {
            let extensions = ["", Site.packExtension, Site.appleArchiveExtension]
            return extensions.map { $0.isEmpty ? resource.bundleKey : "\(resource.bundleKey).\($0)" }
        }
        let path = resource.url.prefix { $0 != "?" && $0 != "#" }
        let parts = [path.split(separator: "/").last, resource.url.split { "/?&=#".contains($0) }.last]
        let names = parts.compactMap { $0.map { URLText.decoded(String($0)) } }
        return names.filter { $0 != "." && $0 != ".." && !PackPath.hasSlash($0) }
    }
}

/// The content of a pack, which is an archive or a folder.
struct PackContent: Hashable, Sendable {
    /// One file of a pack.
    struct File: Hashable, Sendable, Codable {
        /// The path inside the pack, with `/` between its parts.
        var path: String
        /// The size of the file, in bytes.
        var size: Int64
    }

    /// The pack's `Info.plist`; nil if it has none.
    var info: PackInfo?
    /// The files, sorted by path, including `Info.plist`.
    var files: [File]
    /// The files that are executable code, by path.
    var code: [String: ExecutableCode] = [:]

    /// The size of all files, in bytes.
    var bytes: Int64 { files.map(\.size).reduce(0, +) }

    /// Reads a pack.
    ///
    /// It unpacks a whole archive into a temporary folder, to verify its checksums, and then removes the folder. Throws
    /// `PackFormatError` for a damaged or hostile archive, and for an invalid `Info.plist`.
    init(of pack: FilePath) throws {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: pack.string, isDirectory: &isFolder) else {
            throw PackFormatError.fileNotRead(pack, reason: "there is no such file")
        }
        guard !isFolder else {
            try self.init(folder: pack, of: pack)
            return
        }
        let temporary = FilePath(FileManager.default.temporaryDirectory.path(percentEncoded: false))
        let folder = temporary.appending("headwind-pack-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: folder.string) }
        _ = try PackArchive.extract(file: pack, into: folder)
        try self.init(folder: folder, of: pack)
    }

    private init(folder: FilePath, of pack: FilePath) throws {
        let skipped = ["META-INF", "_CodeSignature"]
        let entries = try FileTree.entries(of: folder).filter { !skipped.contains(PackPath.firstPart($0.path)) }
        var paths = PackPaths()
        for entry in entries {
            guard entry.kind == .regular || entry.kind == .directory else {
                throw PackFormatError.fileNotRead(
                    folder.appending(entry.path),
                    reason: "it is neither a file nor a folder, and a pack cannot contain it")
            }
            do { try paths.enter(entry.path, as: entry.kind == .directory ? .folder : .file) } catch {
                throw PackFormatError.fileNotRead(
                    folder, reason: "a pack cannot contain '\(NameText.visible(error.path))': \(error.reason)")
            }
        }
        files = entries.filter { $0.kind == .regular }.map { File(path: $0.path, size: $0.size) }
        for file in files { code[file.path] = try ExecutableCode(file: folder.appending(file.path)) }
        guard files.contains(where: { $0.path == PackArchive.infoName }) else { return }
        info = try PackInfo(
            plist: SmallFile.read(folder.appending(PackArchive.infoName)),
            name: "the \(PackArchive.infoName) of '\(pack)'")
    }
}

/// Reads manifests and other lists, which are small.
enum SmallFile {
    /// 16 MiB: more than any manifest has.
    private static let mostBytes = 16 << 20

    /// All bytes of a file; throws `fileNotRead` if it does not exist, or has more than 16 MiB.
    static func read(_ path: FilePath) throws(PackFormatError) -> [UInt8] {
        let size = try PackFormatError.reading(path) {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
            return try file.closeAfter { try file.seek(offset: 0, from: .end) }
        }
        guard size <= mostBytes else {
            throw .fileNotRead(path, reason: "it has \(size) bytes, more than the limit of 16 MiB")
        }
        return try PackFormatError.reading(path) { Array(try Data(contentsOf: URL(filePath: path.string))) }
    }
}
