import Synchronization
import SystemPackage

extension PackStore {
    /// What was removed to make room.
    package struct Purge: Hashable, Sendable {
        package var pack: String
        package var bytes: Int64
    }

    /// What was removed for one wish.
    struct Relief: Sendable {
        var purges: [Purge] = []
        /// Bytes that had to become free.
        var needed: Int64 = 0
        /// Bytes that became free, those of partial downloads among them.
        var freed: Int64 = 0
    }

    /// The answer to a wish for room.
    enum Room: Sendable {
        /// There is room now; this had to go for it.
        case made(Relief)
        /// There is not, by this many bytes, whatever may be removed.
        case missing(Int64)
    }

    /// Promises room to downloads, all of them or none, and removes what must go for it.
    ///
    /// `kept` are the packs that requests hold or wait for. Throws what the file system answers.
    func reserve(_ wishes: [String: Int64], keeping kept: Set<String>) throws(StoreError) -> Room {
        let (answer, before, needed) = inventory.withLock { inventory in
            let before = inventory
            let answer = inventory.reserve(wishes, keeping: kept)
            return (answer, before, before.shortage(with: inventory.reservations))
        }
        switch answer {
        case .refused(let missing): return .missing(missing)
        case .granted(let partials, let packs):
            let freed = (partials.compactMap { before.partials[$0] }).clampedSum
            return .made(
                try remove(partials, freeing: freed, packs: packs.compactMap { before.packs[$0] }, needed: needed))
        }
    }

    /// Removes what may go until `bytes` are free, for a file system that is full before the device is.
    ///
    /// An empty answer means that nothing could go.
    func purge(atLeast bytes: Int64, keeping kept: Set<String>) throws(StoreError) -> Relief {
        let victims = inventory.withLock { inventory -> (partials: [String], freed: Int64, packs: [StoredPack]) in
            switch inventory.victims(for: bytes, keeping: kept) {
            case .refused: return ([], 0, [])
            case .granted(let partials, let packs):
                let stored = packs.compactMap { inventory.packs[$0] }
                let freed = partials.compactMap { inventory.partials[$0] }.clampedSum
                inventory.forget(partials: partials, packs: packs)
                return (partials, freed, stored)
            }
        }
        return try remove(victims.partials, freeing: victims.freed, packs: victims.packs, needed: bytes)
    }

    /// Removes every pack and every partial download that no request holds or waits for.
    package func purgeAll(keeping kept: Set<String> = []) throws(StoreError) -> [Purge] {
        let victims = inventory.withLock { inventory in
            let packs = inventory.purgeOrder(keeping: kept)
            let partials = inventory.partials.keys.filter { !kept.contains($0) }.sorted()
            inventory.forget(partials: partials, packs: packs.map(\.pack))
            return (partials: partials, packs: packs)
        }
        let relief = try remove(victims.partials, freeing: 0, packs: victims.packs, needed: 0)
        note(inUse: kept)
        return relief.purges
    }

    /// Takes a promise of room back; what has arrived stays.
    func release(_ pack: String) {
        notePeak()
        let size = layout.partial(of: pack).size
        inventory.withLock { inventory in
            inventory.reservations[pack] = nil
            inventory.partials[pack] = size > 0 ? size : nil
        }
    }

    private func remove(
        _ partials: [String],
        freeing freed: Int64,
        packs: [StoredPack],
        needed: Int64
    ) throws(StoreError) -> Relief {
        if !partials.isEmpty || !packs.isEmpty { notePeak(besides: packs) }
        for pack in partials { try layout.partial(of: pack).remove() }
        for pack in packs { try discard(layout.folder(of: pack.pack)) }
        return Relief(
            purges: packs.map { Purge(pack: $0.pack, bytes: $0.bytes) },
            needed: needed,
            freed: (packs.map(\.bytes) + [freed]).clampedSum
        )
    }

    /// Takes a folder out of sight in one step, then removes it: a purge that is cut short leaves no half pack.
    func discard(_ folder: FilePath) throws(StoreError) {
        guard FileSystem.status(of: folder) != nil, let name = folder.lastComponent?.string else { return }
        let unseen = layout.temporary.appending("\(name).old.\(Monotonic.now())")
        try FileSystem.rename(folder, to: unseen)
        try FileSystem.remove(unseen)
    }
}
