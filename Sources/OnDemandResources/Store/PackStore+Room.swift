import Synchronization
import SystemPackage

extension PackStore {
    /// What was removed to make room.
    package struct Purge: Hashable, Sendable {
        package var pack: String
        package var bytes: Int64
    }

    /// The answer to a wish for room.
    enum Room: Sendable {
        /// There is room now; these packs had to go for it.
        case made([Purge])
        /// There is not, by this many bytes, whatever may be removed.
        case missing(Int64)
    }

    /// Promises room to downloads, all of them or none, and removes what must go for it.
    ///
    /// `kept` are the packs that requests hold or wait for. Throws what the file system answers.
    func reserve(_ wishes: [String: Int64], keeping kept: Set<String>) throws(StoreError) -> Room {
        let (answer, before) = inventory.withLock { inventory in
            let before = inventory.packs
            return (inventory.reserve(wishes, keeping: kept), before)
        }
        switch answer {
        case .refused(let missing): return .missing(missing)
        case .granted(let partials, let packs):
            return .made(try remove(partials: partials, packs: packs.compactMap { before[$0] }))
        }
    }

    /// Removes what may go until `bytes` are free, for a file system that is full before the device is.
    ///
    /// An empty answer means that nothing could go.
    func purge(atLeast bytes: Int64, keeping kept: Set<String>) throws(StoreError) -> [Purge] {
        let victims = inventory.withLock { inventory -> (partials: [String], packs: [StoredPack]) in
            switch inventory.victims(for: bytes, keeping: kept) {
            case .refused: return ([], [])
            case .granted(let partials, let packs):
                let stored = packs.compactMap { inventory.packs[$0] }
                inventory.forget(partials: partials, packs: packs)
                return (partials, stored)
            }
        }
        return try remove(partials: victims.partials, packs: victims.packs)
    }

    /// Removes every pack and every partial download that no request holds or waits for.
    package func purgeAll(keeping kept: Set<String> = []) throws(StoreError) -> [Purge] {
        let victims = inventory.withLock { inventory in
            let packs = inventory.purgeOrder(keeping: kept)
            let partials = inventory.partials.keys.filter { !kept.contains($0) }.sorted()
            inventory.forget(partials: partials, packs: packs.map(\.pack))
            return (partials: partials, packs: packs)
        }
        let purged = try remove(partials: victims.partials, packs: victims.packs)
        note(inUse: kept)
        return purged
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

    private func remove(partials: [String], packs: [StoredPack]) throws(StoreError) -> [Purge] {
        if !partials.isEmpty || !packs.isEmpty { notePeak(besides: packs) }
        for pack in partials { try layout.partial(of: pack).remove() }
        for pack in packs { try discard(layout.folder(of: pack.pack)) }
        return packs.map { Purge(pack: $0.pack, bytes: $0.bytes) }
    }

    /// Takes a folder out of sight in one step, then removes it: a purge that is cut short leaves no half pack.
    func discard(_ folder: FilePath) throws(StoreError) {
        guard FileSystem.status(of: folder) != nil, let name = folder.lastComponent?.string else { return }
        let unseen = layout.temporary.appending("\(name).old.\(Monotonic.now())")
        try FileSystem.rename(folder, to: unseen)
        try FileSystem.remove(unseen)
    }
}
