import Glibc
package import SystemPackage

extension Site {
    /// The site of a folder of built or exported packs: its manifest, its tag table, and the packs that the manifest
    /// lists.
    ///
    /// The last path component of a pack's address is its file's name, in the folder or in its `OnDemandResources`. An
    /// export of Xcode has no tag table, because the app has it: then one is made from the packs' own descriptions.
    ///
    /// A pack that is a folder becomes an archive below `archives`, a folder that this makes and the caller removes.
    /// Without `archives`, such a pack is an error. A missing pack is an error unless `mayLack` is set (default:
    /// false): then it is in ``missing``.
    ///
    /// Throws `notReadable` for an invalid list, `badSite` for a pack that is missing or differs from the manifest,
    /// `badArchive` for an archive that reads differently in different readers, and `fileNotRead` for what leads out of
    /// the folder.
    package static func load(
        directory: FilePath, archives: FilePath? = nil, mayLack: Bool = false
    ) throws(PackFormatError) -> Site {
        let folder = PacksFolder(directory)
        let (plist, manifest) = try folder.manifest()
        var (packs, missing, names) = ([ServedPack](), [MissingPack](), NameLedger())
        let isManaged = manifest.delivery == .backgroundAssets
        for resource in manifest.resources {
            let path = urlPath(of: resource.url)
            let name = URLText.decoded(path.split(separator: "/").last.map(String.init) ?? "")
            if case .twin(let twin) = names.enter(name) {
                throw .badSite(directory, reason: "the packs' files \(NameLedger.reason(name, twin))")
            }
            // A host finds packs by path alone, so one with a query in its address counts as an error, not as missing.
            guard var file = try find(name, in: folder, resource, mayLack: mayLack && !isByQuery(resource)) else {
                missing.append(MissingPack(identifier: resource.bundleKey, path: path, name: name))
                continue
            }
            if let content = try? FileTree.names(in: file) {
                guard let archives, !content.isEmpty else {
                    throw .badSite(file, reason: "it is a folder; build the packs without --folders to serve them")
                }
                file = try archive(file, number: packs.count, below: archives)
            }
            let known = (resource.downloadSize, resource.sha256)
            let tags = isManaged ? [resource.bundleKey] : []
            packs.append(try served(resource.bundleKey, path: path, file: file, tags: tags, known: known))
        }
        if isManaged {
            return Site(
                manifestPath: downloadManifestPath, manifest: plist, tagTable: nil, packs: packs, missing: missing)
        }
        var (bytes, table) = ([UInt8]?.none, TagTable(packsByTag: [:], pathsByPack: [:]))
        if let known = try folder.tagTable() {
            (bytes, table) = known
        } else {
            table = try ownTags(of: packs, in: directory)
            bytes = table.packsByTag.isEmpty ? nil : try table.plist()
        }
        let tags = table.tagsByPack
        for index in packs.indices { packs[index].tags = tags[packs[index].identifier] ?? [] }
        return Site(manifest: plist, tagTable: bytes, packs: packs, missing: missing)
    }

    /// The tags in the archives' own descriptions; a pack without a description has none, which is not an error.
    private static func ownTags(of packs: [ServedPack], in directory: FilePath) throws(PackFormatError) -> TagTable {
        var (table, names) = (TagTable(packsByTag: [:], pathsByPack: [:]), NameLedger())
        for pack in packs where pack.file.extension == packExtension {
            guard let info = try? PackArchive.info(of: pack.file) else { continue }
            for tag in info.tags {
                if case .twin(let twin) = names.enter(tag) {
                    throw .badSite(directory, reason: "the packs' tags \(NameLedger.reason(tag, twin))")
                }
                table.packsByTag[tag, default: []].append(pack.identifier)
            }
        }
        return table
    }

    /// The site of a folder of plain files: each file is a pack, and its path is its tag and its identifier.
    ///
    /// Hidden files and folders are ignored. Throws `badSite` for a folder without files, for a link in it, and for
    /// names that differ only by Unicode normalisation.
    package static func files(directory: FilePath) throws(PackFormatError) -> Site {
        var (packs, names) = ([ServedPack](), NameLedger())
        for entry in try FileTree.entries(of: directory) where !PackPath.isHidden(entry.path) {
            guard entry.kind != .directory else { continue }
            guard entry.kind == .regular else {
                throw .badSite(directory.appending(entry.path), reason: "it is a link or a device; packs must be files")
            }
            if case .twin(let twin) = names.enter(entry.path) {
                throw .badSite(directory, reason: "\(NameLedger.reason(entry.path, twin)); rename one")
            }
            let path = "/" + URLText.encoded(entry.path)
            let file = directory.appending(entry.path)
            packs.append(try served(entry.path, path: path, file: file, tags: [entry.path], known: (nil, nil)))
        }
        guard !packs.isEmpty else { throw .badSite(directory, reason: "it has no files") }
        let resources = packs.map { pack in
            AssetPackManifest.Resource(
                bundleKey: pack.identifier, url: String(pack.path.dropFirst()), isStreamable: true,
                uncompressedSize: pack.size, downloadSize: pack.size, sha256: pack.sha256)
        }
        let byTag = Dictionary(uniqueKeysWithValues: packs.map { ($0.identifier, [$0.identifier]) })
        return Site(
            manifest: try AssetPackManifest(resources: resources).plist(),
            tagTable: try TagTable(packsByTag: byTag, pathsByPack: [:]).plist(), packs: packs)
    }

    private static func served(
        _ identifier: String, path: String, file: FilePath, tags: [String], known: (size: Int64?, digest: String?)
    ) throws(PackFormatError) -> ServedPack {
        let size: Int64
        do {
            // Opening must not wait for the writer of a named pipe; a pipe is refused because it has no size.
            let descriptor = try FileDescriptor.open(file, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
            size = try descriptor.closeAfter { try descriptor.seek(offset: 0, from: .end) }
        } catch {
            throw .badSite(file, reason: "\(error)")
        }
        let digest = try Digest.sha256Hex(of: file)
        if let told = known.size, told != size {
            throw .badSite(file, reason: "it has \(size) bytes, but the manifest says \(told)")
        }
        if let told = known.digest, told != digest {
            throw .badSite(file, reason: "its SHA-256 differs from the manifest's; build the packs again")
        }
        if file.extension == packExtension { try PackArchive.check(file) }
        return ServedPack(identifier: identifier, path: path, file: file, size: size, sha256: digest, tags: tags)
    }

    private static func find(
        _ name: String, in folder: PacksFolder, _ resource: AssetPackManifest.Resource, mayLack: Bool
    ) throws(PackFormatError) -> FilePath? {
        guard !name.isEmpty, name != "..", name != ".", !PackPath.hasSlash(name) else {
            throw .badSite(folder.path, reason: "the manifest's address for '\(resource.bundleKey)' has no file name")
        }
        for name in names(of: name, resource) { if let file = try folder.pack(name) { return file } }
        if mayLack { return nil }
        let hint =
            "; a host finds packs by the path of their address, without its query"
        throw .badSite(
            folder.path,
            reason: "the manifest names '\(name)', which is neither in this folder nor in its \(packsFolderName)"
                + (isByQuery(resource) ? hint : ""))
    }

    /// The possible names of a pack's file: an address of Background Assets has no extension.
    private static func names(of name: String, _ resource: AssetPackManifest.Resource) -> [String] {
        guard resource.policy != nil else { return [name] }
        return [name, "\(name).\(packExtension)", "\(name).\(appleArchiveExtension)"]
    }

    private static func isByQuery(_ resource: AssetPackManifest.Resource) -> Bool {
        resource.url.utf8.contains(UInt8(ascii: "?"))
    }

    /// The path of an address as a client requests it.
    private static func urlPath(of url: String) -> String {
        var path = Substring(url)
        if let scheme = url.firstRange(of: "://") {
            path = url[scheme.upperBound...]
            path = path.firstIndex(of: "/").map { path[$0...] } ?? "/"
        }
        path = path.prefix { $0 != "?" && $0 != "#" }
        return path.hasPrefix("/") ? String(path) : "/" + path
    }

    /// Makes an archive of a pack that is a folder, as a build by Xcode leaves it.
    ///
    /// The archive has the pack's name, in a numbered folder below `place`, because two packs may have the same name.
    /// The metadata for streaming readers is made anew, so the folder's own `META-INF` is left out.
    static func archive(_ pack: FilePath, number: Int, below place: FilePath) throws(PackFormatError) -> FilePath {
        guard let name = pack.lastComponent else {
            throw .badSite(pack, reason: "its folder has no name")
        }
        let folder = place.appending("\(number)")
        for path in [place, folder] where unsafe mkdir(path.string, 0o700) != 0 && errno != EEXIST {
            throw .writing(path, Errno(rawValue: errno))
        }
        var items: [PackArchive.Item] = []
        for entry in try FileTree.entries(of: pack) where PackPath.firstPart(entry.path) != PackArchive.metadataFolder {
            items.append(try PackArchive.Item(entry, of: pack))
        }
        let file = folder.appending(name)
        _ = try PackArchive.write(items, to: file)
        return file
    }
}
