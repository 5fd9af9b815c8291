package import PackFormat
package import SystemPackage

/// The packs of Background Assets of an app, as their manifests select them.
package struct BackgroundCatalog: Hashable, Sendable {
    /// The packs, sorted by identifier.
    package var packs: [BackgroundPack]

    /// A catalog of packs that come from elsewhere than manifests.
    package init(packs: [BackgroundPack]) { self.packs = packs.sorted { $0.identifier < $1.identifier } }

    /// Reads the manifest of one pack, or all manifests of a folder.
    ///
    /// Those of a folder are its files `*.json` that have an `assetPackID`, and each `Manifest.json` below it.
    /// Selectors begin at `root`; nil, the default, means the folder of each manifest. (Apple's `ba-package` takes the
    /// working folder.) Throws ``CatalogError`` with the line of a mistake, for a folder without a manifest, and for
    /// two packs with one identifier; `PackFormatError` if files cannot be read.
    package init(_ path: FilePath, root: FilePath? = nil) throws {
        let manifests = try Self.manifests(at: path)
        guard !manifests.isEmpty else {
            throw CatalogError.notRead(
                path, what: "packs of Background Assets in",
                reason: "no \(BackgroundPack.manifestName) in it describes a pack")
        }
        self.init(packs: try manifests.map { try Self.pack($0, root: root) })
        var names = NameLedger()
        for pack in packs {
            switch names.enter(pack.identifier) {
            case .new: continue
            case .again:
                throw CatalogError.badFile(
                    path, path: pack.manifest.string, reason: "the pack '\(pack.identifier)' has two manifests")
            case .twin(let twin):
                throw CatalogError.badFile(
                    path, path: pack.manifest.string, reason: NameLedger.reason(pack.identifier, twin))
            }
        }
    }

    /// Whether there are packs of Background Assets at a path: one manifest, or a folder with manifests.
    package static func isThere(_ path: FilePath) -> Bool {
        ((try? manifests(at: path)) ?? []).contains(where: BackgroundManifestDecoder.isManifest)
    }

    private static func manifests(at path: FilePath) throws -> [FilePath] {
        guard let names = try? FileTree.names(in: path) else {
            return path.extension == "json" ? [path] : []
        }
        let own = names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.map { path.appending($0) }
        let deeper = try FileTree.entries(of: path).filter { entry in
            entry.kind == .regular && !PackPath.isHidden(entry.path) && PackPath.hasSlash(entry.path)
                && PackPath.parts(entry.path).last == BackgroundPack.manifestName
        }.map { path.pushing(FilePath($0.path)) }.filter(BackgroundManifestDecoder.isManifest)
        // A Manifest.json for another purpose is ignored.
        return own.filter(BackgroundManifestDecoder.isManifest) + deeper
    }

    private static func pack(_ manifest: FilePath, root: FilePath?) throws -> BackgroundPack {
        let decoder = try BackgroundManifestDecoder(manifest)
        let parent = manifest.removingLastComponent()
        let files = try SelectedFiles.find(decoder, below: root ?? (parent.isEmpty ? FilePath(".") : parent))
        guard !files.isEmpty else {
            throw decoder.wrong(.start, "its exclusions leave no selected file, so the pack is empty")
        }
        return BackgroundPack(
            manifest: manifest, identifier: decoder.identifier, policy: decoder.policy, platforms: decoder.platforms,
            language: decoder.language, files: files)
    }

    /// Reports what a store refuses, and what an app cannot rely on.
    package func findings(_ limits: Limits) -> [Advice] {
        var findings: [Advice] = []
        func add(_ severity: LimitFinding.Severity, _ pack: String?, _ message: String) {
            findings.append(Advice(severity, pack: pack, message: message))
        }
        if let most = limits[.packCount], packs.count > most {
            add(.error, nil, "there are \(packs.count) packs; the limit is \(most) (\(limits.name): \(limits.source))")
        } else if packs.count > Limits.mostPacksByHelp {
            add(
                .warning, nil,
                "there are \(packs.count) packs: App Store Connect Help allows \(Limits.mostPacksByHelp), newer notes by others say 200"
            )
        }
        let bytes = packs.map(\.bytes).reduce(0, +)
        if let most = limits[.hosted], bytes > most {
            add(
                .warning, nil,
                "the packs have \(bytes) bytes uncompressed; a store accepts \(most) bytes compressed "
                    + "(\(limits.name): \(limits.source))")
        }
        // To an app, all packs are one tree.
        var owners: [String: BackgroundPack] = [:]
        var told: Set<String> = []
        for pack in packs {
            for file in pack.files {
                guard let other = owners.updateValue(pack, forKey: file.path), other.language == pack.language,
                    told.insert("\(other.identifier)/\(pack.identifier)").inserted
                else { continue }
                add(
                    .warning, pack.identifier,
                    "'\(NameText.visible(file.path))' is also in the pack '\(other.identifier)': an app sees all packs as "
                        + "one tree, and may find either file")
            }
        }
        return findings
    }
}
