import Synchronization
package import SystemPackage

// The store's content, the packs that processes want, and preservation priorities.
extension PackStore {
    /// The store's folder.
    package var root: FilePath { layout.root }

    /// Bytes of the stored packs and partial downloads.
    package var stored: Int64 { inventory.withLock(\.stored) }

    /// The most bytes in the store at a time since it was opened: packs, partial downloads, and packs being unpacked.
    package var peak: Int64 { inventory.withLock(\.peak) }

    /// Updates the peak with the bytes that are there now; called before anything is removed.
    ///
    /// Between two calls the store only grows, so the peak is exact.
    func notePeak() {
        let partials = layout.partialBytes
        inventory.withLock { $0.notePeak(others: partials) }
    }

    /// The folder of a pack's files; `storedPack` says whether the pack is stored.
    package func folder(of pack: String) -> FilePath { layout.folder(of: pack) }

    /// The pack, if it is stored whole in this edition, as far as this process knows.
    ///
    /// For packs that this process wants, its knowledge is up to date. The default edition matches any.
    package func storedPack(_ pack: String, _ edition: PackEdition = PackEdition()) -> StoredPack? {
        inventory.withLock { $0.packs[pack].flatMap { $0.edition.matches(edition) ? $0 : nil } }
    }

    /// The identifiers of all packs that are stored whole, sorted.
    var storedPacks: [String] { inventory.withLock { $0.packs.keys.sorted() } }

    /// Sets a tag's preservation priority, 0 (the default) to 1; packs with a higher one are purged later.
    package func setPreservation(_ priority: Double, of tag: String) {
        exclusively { $0.index.preservation[tag] = priority == 0 ? nil : min(1, max(0, priority)) }
    }

    /// A tag's preservation priority, 0 to 1; 0 unless set.
    package func preservation(of tag: String) -> Double {
        inventory.withLock { $0.index.preservation[tag] ?? 0 }
    }

    /// The packs that other processes want, by process, with the bytes that each pack counts as in use.
    ///
    /// The bytes are the stored size, or the size that the process states if that is larger.
    var wantedElsewhere: [(process: Int, bytes: [String: Int64])] {
        inventory.withLock { inventory in
            inventory.others.map { claims in
                let sizes = claims.wanted.map { pack in
                    (pack, max(claims.sizes[pack] ?? 0, inventory.packs[pack]?.bytes ?? 0))
                }
                return (claims.process, Dictionary(uniqueKeysWithValues: sizes))
            }
        }
    }

    /// Adds packs to those that this process wants, so that no process purges them, and reads what others have changed.
    ///
    /// A pack that is stored when this returns stays stored. `sizes` are the bytes that the packs count as in use.
    /// Throws if the claims cannot be written for other processes to read: then none of `packs` is wanted.
    func want(_ packs: Set<String>, sizes: [String: Int64] = [:]) throws(StoreError) {
        try exclusively { inventory throws(StoreError) in
            inventory.wanted.formUnion(packs)
            inventory.sizes.merge(sizes) { $1 }
            try tellClaims(inventory)
        }
    }

    /// Sets the packs that this process's requests pin or wait for; no other process purges them.
    func setWanted(_ packs: Set<String>) {
        guard inventory.withLock({ $0.wanted != packs }) else { return }
        exclusively { $0.wanted = packs }
    }

    /// Records which packs requests pin, and that the packs in `used` are used now.
    package func note(pinned: Set<String>, used: Set<String> = []) {
        exclusively { inventory in
            inventory.index.use(used, after: inventory.count)
            inventory.pinned = pinned
        }
    }
}
