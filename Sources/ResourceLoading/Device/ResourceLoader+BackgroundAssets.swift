import Events
import PackFormat
import Synchronization

/// What Background Assets do otherwise than On-Demand Resources.
extension ResourceLoader {
    /// A pack as it is stored, in an edition that will do; nil where it is to be fetched.
    ///
    /// The app has an older edition of a pack of Background Assets until the system has the newer one whole.
    func stored(_ pack: CatalogPack, for purpose: RequestPurpose) -> StoredPack? {
        let isAnyFit = configuration.delivery == .backgroundAssets && purpose == .use
        return store.storedPack(pack.identifier, isAnyFit ? PackEdition() : pack.edition)
    }

    /// Packs that are stored in another edition than the one that is offered, sorted.
    func outdated(_ catalog: ResourceCatalog) -> [String] {
        catalog.identifiers.filter { pack in
            guard let edition = catalog.edition(of: pack) else { return false }
            return store.storedPack(pack) != nil && store.storedPack(pack, edition) == nil
        }.sorted()
    }

    /// Removes packs that the app does not want any more; says whether all are gone.
    ///
    /// One that a request pins or waits for stays. Throws `StoreError` where the store cannot be written.
    package func remove(_ packs: [String]) throws -> Bool {
        for removed in try store.remove(packs) {
            queue.emit(.removed) { ($0.pack, $0.bytes) = (removed.pack, removed.bytes) }
        }
        state.withLock { tellUsage(&$0) }
        return packs.allSatisfy { store.storedPack($0) == nil }
    }

    /// Removes the packs that the manifest does not have any more.
    ///
    /// Nothing is removed where there is no manifest, and for On-Demand Resources.
    package func removeObsolete() async {
        guard configuration.delivery == .backgroundAssets, let catalog = await knownCatalog() else { return }
        let known = catalog.identifiers
        _ = try? remove(store.storedPacks.filter { !known.contains($0) })
    }
}
