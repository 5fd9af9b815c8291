import Synchronization
package import SystemPackage

// What is there, who wants it, and how late it goes.
extension PackStore {
    /// The store's folder.
    package var root: FilePath { layout.root }

    /// Bytes of packs and partial downloads.
    package var stored: Int64 { inventory.withLock(\.stored) }

    /// The most bytes that packs, partial downloads and packs on their way had at a time, since the store was opened.
    package var peak: Int64 { inventory.withLock(\.peak) }

    /// Notes how much is there; called before anything is removed.
    ///
    /// Between two calls the store only grows, so the most that it had is known to the byte.
    func notePeak() {
        let partials = layout.partialBytes
        inventory.withLock { $0.notePeak(others: partials) }
    }

    /// The folder that holds a stored pack's files; whether it is stored is for `storedPack`.
    package func folder(of pack: String) -> FilePath { layout.folder(of: pack) }

    /// The pack if it is stored whole in this edition, as far as this process knows; of a pack that it wants it knows.
    package func storedPack(_ pack: String, _ edition: PackEdition = PackEdition()) -> StoredPack? {
        inventory.withLock { $0.packs[pack].flatMap { $0.edition.matches(edition) ? $0 : nil } }
    }

    /// The identifiers of all packs that are stored whole, sorted.
    var storedPacks: [String] { inventory.withLock { $0.packs.keys.sorted() } }

    /// Sets a tag's preservation priority, 0 (the default) to 1: packs of a higher one are purged later.
    package func setPreservation(_ priority: Double, of tag: String) {
        exclusively { $0.index.preservation[tag] = priority == 0 ? nil : min(1, max(0, priority)) }
    }

    /// A tag's preservation priority.
    package func preservation(of tag: String) -> Double {
        inventory.withLock { $0.index.preservation[tag] ?? 0 }
    }

    /// What other processes want, by process: packs, and the bytes that they count as in use: as many as are stored, or
    /// as that process says where that is more.
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

    /// Wants packs besides those that are wanted, so that no process purges them, and takes in what others have changed:
    /// what is stored from here on stays.
    ///
    /// `sizes` is what they count as in use, in bytes. Throws where others cannot be told: then none is wanted.
    func want(_ packs: Set<String>, sizes: [String: Int64] = [:]) throws(StoreError) {
        try exclusively { inventory throws(StoreError) in
            inventory.wanted.formUnion(packs)
            inventory.sizes.merge(sizes) { $1 }
            try tellClaims(inventory)
        }
    }

    /// Says which packs this process's requests pin or wait for: no other process purges them.
    func setWanted(_ packs: Set<String>) {
        guard inventory.withLock({ $0.wanted != packs }) else { return }
        exclusively { $0.wanted = packs }
    }

    /// Notes which packs requests pin, and that `used` are used now.
    package func note(pinned: Set<String>, used: Set<String> = []) {
        exclusively { inventory in
            inventory.index.use(used, after: inventory.count)
            inventory.pinned = pinned
        }
    }
}
