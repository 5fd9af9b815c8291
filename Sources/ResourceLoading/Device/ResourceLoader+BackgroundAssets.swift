import Events
import PackFormat
import Synchronization

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
    package func remove(_ packs: [String]) throws -> Bool {
        for removed in try store.remove(packs) {
            queue.emit(.removed) { ($0.pack, $0.bytes) = (removed.pack, removed.bytes) }
        }
        state.withLock { tellUsage(&$0) }
        return packs.allSatisfy { store.storedPack($0) == nil }
    }

    /// Removes the packs that are no longer in the manifest.
    ///
    /// Nothing is removed without a manifest, or for On-Demand Resources.
    package func removeObsolete() async {
        guard configuration.delivery == .backgroundAssets, let catalog = await knownCatalog() else { return }
        let known = catalog.identifiers
        _ = try? remove(store.storedPacks.filter { !known.contains($0) })
    }
}
