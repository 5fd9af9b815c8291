package import SystemPackage

extension Site {
    /// What a folder of built or exported packs offers: its manifest, its tag table, and the packs that both name.
    ///
    /// The manifest's last path components name the files, looked for in the folder and in its `OnDemandResources`.
    /// Throws `badSite` for a pack that is missing, or that is a folder instead of a file.
    package static func load(directory: FilePath) throws(PackFormatError) -> Site {
        let plist = try contents(of: directory.appending(manifestName))
        let manifest = try AssetPackManifest(plist: plist)
        let table = try optionalContents(of: directory.appending(tagTableName))
        let tags = try table.map { bytes throws(PackFormatError) in try TagTable(plist: bytes) }
        var packs: [ServedPack] = []
        for resource in manifest.resources {
            let path = urlPath(of: resource.url)
            let name = URLText.decoded(path.split(separator: "/").last.map(String.init) ?? "")
            let file = try find(name, in: directory, resource.bundleKey)
            packs.append(
                try served(
                    resource.bundleKey, path: path, file: file, tags: tags?.tags(of: resource.bundleKey) ?? [],
                    known: (resource.downloadSize, resource.sha256)))
        }
        return Site(manifest: plist, tagTable: table, packs: packs)
    }

    /// What a folder of plain files offers: each file is a pack, and its name its tag and its identifier.
    ///
    /// Hidden files and folders are passed over. Throws `badSite` for a folder without files, and for a link in it.
    package static func files(directory: FilePath) throws(PackFormatError) -> Site {
        var packs: [ServedPack] = []
        for entry in try FileTree.entries(of: directory) where !entry.path.hasPrefix(".") && !entry.path.contains("/.")
        {
            guard entry.kind != .folder else { continue }
            guard entry.kind == .file else {
                throw .badSite(directory.appending(entry.path), reason: "it is a link or a device, and packs are files")
            }
            let path = "/" + entry.path.split(separator: "/").map { URLText.encoded(String($0)) }.joined(separator: "/")
            let file = directory.appending(entry.path)
            packs.append(try served(entry.path, path: path, file: file, tags: [entry.path], known: (nil, nil)))
        }
        guard !packs.isEmpty else { throw .badSite(directory, reason: "there is no file in it") }
        let resources = packs.map { pack in
            AssetPackManifest.Resource(
                bundleKey: pack.identifier, url: String(pack.path.dropFirst()), isStreamable: true,
                uncompressedSize: pack.size, downloadSize: pack.size, sha256: pack.sha256)
        }
        let byTag = Dictionary(packs.map { ($0.identifier, [$0.identifier]) }) { first, _ in first }
        return Site(
            manifest: try AssetPackManifest(resources: resources).plist(),
            tagTable: try TagTable(packsByTag: byTag, pathsByPack: [:]).plist(), packs: packs)
    }

    private static func served(
        _ identifier: String, path: String, file: FilePath, tags: [String], known: (size: Int64?, digest: String?)
    ) throws(PackFormatError) -> ServedPack {
        let size: Int64
        do {
            let descriptor = try FileDescriptor.open(file, .readOnly, options: [.closeOnExec, .noFollow])
            size = try descriptor.closeAfter { try descriptor.seek(offset: 0, from: .end) }
        } catch {
            throw .badSite(file, reason: "\(error)")
        }
        let digest = try Digest.sha256Hex(of: file)
        if let told = known.size, told != size {
            throw .badSite(file, reason: "it has \(size) bytes, and the manifest says \(told)")
        }
        if let told = known.digest, told != digest {
            throw .badSite(file, reason: "its content is not what the manifest says (SHA-256); build the packs again")
        }
        return ServedPack(identifier: identifier, path: path, file: file, size: size, sha256: digest, tags: tags)
    }

    private static func find(_ name: String, in directory: FilePath, _ identifier: String) throws(PackFormatError)
        -> FilePath
    {
        guard !name.isEmpty, name != "..", name != ".", !name.contains("/") else {
            throw .badSite(directory, reason: "the manifest's address of '\(identifier)' has no file name")
        }
        for folder in [directory, directory.appending(packsFolderName)] {
            let path = folder.appending(name)
            if let kind = try? FileTree.names(in: path), !kind.isEmpty {
                throw .badSite(path, reason: "it is a folder; build the packs without --folders to serve them")
            }
            if (try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .noFollow]).close()) != nil {
                return path
            }
        }
        throw .badSite(
            directory, reason: "the manifest names '\(name)', which is neither in it nor in \(packsFolderName)")
    }

    /// The path of an address as a client asks for it.
    private static func urlPath(of url: String) -> String {
        var path = Substring(url)
        if let scheme = url.firstRange(of: "://") {
            path = url[scheme.upperBound...]
            path = path.firstIndex(of: "/").map { path[$0...] } ?? "/"
        }
        path = path.prefix { $0 != "?" && $0 != "#" }
        return path.hasPrefix("/") ? String(path) : "/" + path
    }

    private static func contents(of path: FilePath) throws(PackFormatError) -> [UInt8] {
        guard let bytes = try optionalContents(of: path) else {
            throw .fileNotRead(path, reason: "there is no such file")
        }
        return bytes
    }

    /// A small file's content; nil where there is none.
    private static func optionalContents(of path: FilePath) throws(PackFormatError) -> [UInt8]? {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
            return try file.closeAfter {
                let size = try file.seek(offset: 0, from: .end)
                guard size <= PropertyList.mostBytes else {
                    throw PackFormatError.fileNotRead(path, reason: "it has \(size) bytes, more than any manifest")
                }
                try file.seek(offset: 0, from: .start)
                var bytes = [UInt8](repeating: 0, count: Int(size))
                var filled = 0
                while filled < bytes.count {
                    let count = try unsafe bytes.withUnsafeMutableBytes {
                        try unsafe file.read(into: .init(rebasing: $0[filled...]))
                    }
                    if count == 0 { break }
                    filled += count
                }
                return Array(bytes[..<filled])
            }
        } catch let error as PackFormatError {
            throw error
        } catch {
            if error as? Errno == .noSuchFileOrDirectory { return nil }
            throw .fileNotRead(path, reason: "\(error)")
        }
    }
}
