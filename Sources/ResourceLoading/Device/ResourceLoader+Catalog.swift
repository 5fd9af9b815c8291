import Events
import LinuxSupport
import PackFormat
import Synchronization
import SystemPackage

extension ResourceLoader {
    /// The largest size of a manifest or tag table, in bytes: enough for 70 GB of packs of a few kB each.
    private static let catalogLimit: Int64 = 16 << 20

    /// Makes a request wait for the catalog, which the first request starts to load; returns the catalog if it is
    /// known.
    func wait(_ key: AccessLedger.Key, _ state: inout LoaderState) -> ResourceCatalog? {
        switch state.catalog {
        case .known(let catalog): return catalog
        case .loading(let keys): state.catalog = .loading(keys + [key])
        case .unknown:
            state.catalog = .loading([key])
            state.catalogTask = Task { await loadCatalog() }
        }
        return nil
    }

    private func loadCatalog() async {
        let result: Result<ResourceCatalog, ResourceError>
        do { result = .success(try await latestCatalog()) } catch { result = .failure(error) }
        let waiting = state.withLock { state -> [AccessLedger.Key] in
            guard case .loading(let keys) = state.catalog else { return [] }
            switch result {
            case .success(let catalog): state.catalog = .known(catalog)
            case .failure(let error):
                // The next request tries again.
                state.catalog = .unknown
                for key in keys { fail(key, error, &state) }
            }
            return keys
        }
        if case .success(let catalog) = result { admit(waiting, catalog) }
    }

    /// The host's catalog, or that of an earlier run if the network cannot be used.
    private func latestCatalog() async throws(ResourceError) -> ResourceCatalog {
        do { return try await fetchCatalog() } catch {
            guard error.domain == .url, let stored = storedCatalog() else { throw error }
            return stored
        }
    }

    /// The catalog of the host, or of an app that brings its manifest, as an app from a store does.
    ///
    /// What is downloaded for it is kept for runs without a network, but only if all of it is there: a manifest does
    /// not fit the tag table of another build.
    func fetchCatalog() async throws(ResourceError) -> ResourceCatalog {
        do {
            let bundled = isBundled ? try bundledManifest() : nil
            async let table = tagTable()
            let manifest: [UInt8]
            if let bundled {
                manifest = bundled
            } else {
                manifest = try await file("manifest", from: configuration.manifest) {
                    [delivery = configuration.delivery] in _ = try Self.manifest($0, delivery)
                }
            }
            let tags = try await table
            let catalog = try ResourceCatalog(
                manifest: manifest, tagTable: tags, base: isBundled ? "" : configuration.manifest)
            if !isBundled { try? FileSystem.replaceContents(of: store.layout.manifest, with: manifest) }
            if let tags, !hasTagFile { try? FileSystem.replaceContents(of: store.layout.tagTable, with: tags) }
            return catalog
        } catch let error as ResourceError {
            throw error
        } catch {
            throw .noManifest("\(error)")
        }
    }

    /// Whether the app brings its manifest, which then needs no network.
    private var isBundled: Bool { !configuration.manifest.contains("://") }

    /// Whether the tag table is in a file, which needs no network.
    private var hasTagFile: Bool { if case .file = configuration.tagTable { true } else { false } }

    private func bundledManifest() throws(ResourceError) -> [UInt8] {
        guard let manifest = FileSystem.contents(of: FilePath(configuration.manifest), limit: Int(Self.catalogLimit))
        else {
            throw .noManifest("The manifest '\(configuration.manifest)' cannot be read.")
        }
        return manifest
    }

    /// The catalog from the app's own manifest, or else from an earlier run; nil if there is neither.
    func storedCatalog() -> ResourceCatalog? {
        let limit = Int(Self.catalogLimit)
        let place = isBundled ? FilePath(configuration.manifest) : store.layout.manifest
        guard let manifest = FileSystem.contents(of: place, limit: limit) else { return nil }
        let path = if case .file(let file) = configuration.tagTable { file } else { store.layout.tagTable }
        let isManaged = configuration.delivery == .backgroundAssets
        let table = isManaged ? nil : FileSystem.contents(of: path, limit: limit)
        guard isManaged || table != nil else { return nil }
        return try? ResourceCatalog(manifest: manifest, tagTable: table, base: isBundled ? "" : configuration.manifest)
    }

    private static func manifest(_ bytes: [UInt8], _ delivery: Delivery) throws(PackFormatError) -> AssetPackManifest {
        switch delivery {
        case .onDemandResources: try AssetPackManifest(plist: bytes)
        case .backgroundAssets: try AssetPackManifest(download: bytes)
        }
    }

    /// The tag table; nil for Background Assets, which have none.
    private func tagTable() async throws -> [UInt8]? {
        if configuration.delivery == .backgroundAssets { return nil }
        let url: String
        switch configuration.tagTable {
        case .file(let path):
            guard let bytes = FileSystem.contents(of: path, limit: Int(Self.catalogLimit)) else {
                throw ResourceError.noManifest("The tag table '\(path)' cannot be read.")
            }
            return bytes
        case .url(let text): url = text
        case .besideManifest where isBundled:
            throw ResourceError.noManifest("A manifest in a file needs a tag table in a file.")
        case .besideManifest: url = CurlURL(configuration.manifest)?.resolve(Site.tagTableName) ?? Site.tagTableName
        }
        return try await file("tag-table", from: url) { _ = try TagTable(plist: $0) }
    }

    /// Downloads a small file, if the device may use a network.
    ///
    /// A file that fails `check` is fetched once more, as a pack would be.
    private func file(
        _ name: String, from url: String, check: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws(ResourceError) -> [UInt8] {
        if let refusal = configuration.networkRefusal(on: state.withLock(\.radio)) { throw refusal }
        var bytes: [UInt8] = []
        do throws(DownloadFailure) {
            let receiver = try PartialReceiver(
                pack: name, edition: PackEdition(), expected: Expectation(limit: Self.catalogLimit),
                partial: PartialFile(folder: store.layout.temporary, name: "\(name).\(MonotonicClock.now)"),
                hooks: .init(responded: responded(name), room: { _ in nil }))
            defer { try? receiver.partial.remove() }
            try await download(name, from: url, receiver).run { size throws(DownloadFailure) in
                let file = receiver.partial.data
                guard let contents = FileSystem.contents(of: file, limit: Int(Self.catalogLimit)) else {
                    throw DownloadFailure(.storeFailed, "'\(file)' cannot be read.")
                }
                do { try check(contents) } catch { throw DownloadFailure(.wrongContent, "\(error)") }
                queue.emit(.verified) { ($0.pack, $0.bytes) = (name, size) }
                bytes = contents
            }
        } catch {
            switch error.kind {
            // The host answered, but not with a catalog, which is not a failure of the network.
            case .absent, .badResponse, .wrongLength, .unfitRange, .wrongContent, .redirectLoop:
                // Background Assets have no error of their own for it.
                guard configuration.delivery == .onDemandResources else { throw error.resourceError(of: "the \(name)") }
                throw .noManifest(error.resourceError(of: "the \(name)").message)
            default: throw error.resourceError(of: "the \(name)")
            }
        }
        return bytes
    }
}

/// Where Background Assets differ from On-Demand Resources.
extension ResourceLoader {
    /// A pack as it is stored, in an edition that can be used; nil if it must be fetched.
    ///
    /// With Background Assets, the app uses an older edition of a pack until the newer one is stored whole.
    func stored(_ pack: CatalogPack, for purpose: RequestPurpose) -> StoredPack? {
        let isAnyFit = configuration.delivery == .backgroundAssets && purpose == .use
        return store.storedPack(pack.identifier, isAnyFit ? PackEdition() : pack.edition)
    }

    /// Packs that are stored in another edition than the offered one, sorted.
    func outdated(_ catalog: ResourceCatalog) -> [String] {
        catalog.identifiers.filter { pack in
            guard let edition = catalog.edition(of: pack) else { return false }
            return store.storedPack(pack) != nil && store.storedPack(pack, edition) == nil
        }.sorted()
    }

    /// Removes packs that the app does not want any more; returns whether all are gone.
    ///
    /// A pack that a request pins or waits for stays. Throws `StoreError` if the store cannot be written.
    package func remove(_ packs: [String]) throws(StoreError) -> Bool {
        for removed in try store.remove(packs) {
            queue.emit(.removed) { ($0.pack, $0.bytes) = (removed.pack, removed.bytes) }
        }
        state.withLock { tellUsage(&$0) }
        return packs.allSatisfy { store.storedPack($0) == nil }
    }

    /// Removes the packs that are no longer in the manifest; none of On-Demand Resources.
    ///
    /// Throws if the manifest cannot be loaded now, and if the store cannot be written.
    package func removeObsolete() async throws(ResourceError) {
        guard configuration.delivery == .backgroundAssets else { return }
        let known = try await newCatalog().identifiers
        do throws(StoreError) { _ = try remove(store.storedPacks.filter { !known.contains($0) }) } catch {
            throw .storeFailed(
                "Could not remove the packs that the manifest no longer has. \(error)", underlying: error.underlying)
        }
    }
}
