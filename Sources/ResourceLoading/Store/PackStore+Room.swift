import LinuxSupport
import SystemPackage

extension PackStore {
    /// What was removed to make room.
    package struct Purge: Hashable, Sendable {
        package var pack: String
        package var bytes: Int64
        /// The bundle whose pack it was; nil for this store's own.
        package var bundle: String?
    }

    /// What was removed for one wish.
    struct Relief: Sendable {
        var purges: [Purge] = []
        /// Bytes that had to become free.
        var needed: Int64 = 0
        /// Bytes that became free, those of partial downloads among them.
        var freed: Int64 = 0
        /// Bytes that had to become free, and for which nothing may go.
        var missing: Int64 = 0
        /// Folders that are out of sight, and not removed yet.
        fileprivate(set) var hidden: [FilePath] = []
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
    /// `kept` are the packs that requests pin or wait for. Throws what the file system answers.
    func reserve(_ wishes: [String: Int64], keeping kept: Set<String>) throws(StoreError) -> Room {
        let promised = inventory.withLock(\.reservations)
        let room = try exclusively { inventory throws(StoreError) -> Room in
            let before = inventory
            switch inventory.reserve(wishes, keeping: kept) {
            case .refused(let missing): return .missing(missing)
            case .granted(let partials, let packs):
                try tellClaims(inventory)
                let needed = before.shortage(with: inventory.reservations)
                return .made(try hide(partials, packs, of: before, needed: needed, &inventory))
            }
        }
        do { try clearHidden(room) } catch {
            exclusively { inventory in
                for pack in wishes.keys { inventory.reservations[pack] = promised[pack] }
            }
            throw error
        }
        return room
    }

    /// Removes what may go until `bytes` are free, for a file system that is full before the device is.
    ///
    /// An empty answer means that nothing could go.
    func purge(atLeast bytes: Int64, keeping kept: Set<String>) throws(StoreError) -> Relief {
        let relief = try exclusively { inventory throws(StoreError) -> Relief in
            let before = inventory
            guard case .granted(let partials, let packs) = inventory.victims(for: bytes, keeping: kept) else {
                return Relief()
            }
            inventory.forget(partials: partials, packs: packs)
            return try hide(partials, packs, of: before, needed: bytes, &inventory)
        }
        try clearHidden(.made(relief))
        return relief
    }

    /// Removes every pack and every partial download that no request pins or waits for.
    package func purgeAll(keeping kept: Set<String> = []) throws(StoreError) -> [Purge] {
        let relief = try exclusively { inventory throws(StoreError) -> Relief in
            let before = inventory
            // Of this bundle alone: to remove all, say so of each.
            let packs = inventory.purgeOrder(keeping: kept).filter { $0.bundle == nil }
            let partials = inventory.unwantedPartials(keeping: kept).map { PackName(pack: $0) }
            inventory.forget(partials: partials, packs: packs)
            return try hide(partials, packs, of: before, needed: 0, &inventory)
        }
        try clearHidden(.made(relief))
        return relief.purges
    }

    /// Removes packs that no request pins or waits for, here or in another process; those that are not there are no error.
    func remove(_ packs: [String]) throws(StoreError) -> [Purge] {
        let relief = try exclusively { inventory throws(StoreError) -> Relief in
            let before = inventory
            let kept = before.wanted.union(before.wantedByOthers)
            let names = packs.filter { before.packs[$0] != nil && !before.isPinned($0) && !kept.contains($0) }
                .map { PackName(pack: $0) }
            for name in names { inventory.packs[name.pack] = nil }
            return try hide([], names, of: before, needed: 0, &inventory)
        }
        try clearHidden(.made(relief))
        return relief.purges
    }

    /// Takes a promise of room back; what has arrived stays.
    func release(_ pack: String) {
        notePeak()
        let size = layout.partial(of: pack).size
        exclusively { inventory in
            inventory.reservations[pack] = nil
            inventory.partials[pack] = size > 0 ? size : nil
        }
    }

    /// Takes packs out of sight and removes partial downloads, before any other process has its turn.
    func hide(
        _ partials: [PackName],
        _ packs: [PackName],
        of before: StoreInventory,
        needed: Int64,
        _ inventory: inout StoreInventory
    ) throws(StoreError) -> Relief {
        if !partials.isEmpty || !packs.isEmpty { announceChange(inventory) }
        let own = packs.filter { $0.bundle == nil }.compactMap { before.pack(named: $0)?.bytes }
        inventory.notePeak(others: [layout.partialBytes, own.clampedSum].clampedSum)
        let sizes = partials.map { before.partial(named: $0) } + packs.compactMap { before.pack(named: $0)?.bytes }
        var relief = Relief(needed: needed, freed: sizes.clampedSum)
        for name in partials {
            try before.layout(named: name, own: layout).partial(of: name.pack).remove()
        }
        for name in packs {
            let bytes = before.pack(named: name)?.bytes ?? 0
            relief.purges.append(Purge(pack: name.pack, bytes: bytes, bundle: name.bundle))
            let place = before.layout(named: name, own: layout)
            if let hidden = try hide(place.folder(of: name.pack), in: place) { relief.hidden.append(hidden) }
        }
        return relief
    }

    /// Removes what is out of sight: that may take long, and it need not be waited for.
    func clearHidden(_ room: Room) throws(StoreError) {
        guard case .made(let relief) = room else { return }
        for folder in relief.hidden { try FileSystem.remove(folder) }
    }

    /// Takes a folder out of sight in one step, and says where it is now: a purge that is cut short leaves no half pack.
    func hide(_ folder: FilePath, in layout: StoreLayout) throws(StoreError) -> FilePath? {
        guard FileSystem.status(of: folder) != nil, let name = folder.lastComponent?.string else { return nil }
        let unseen = layout.temporary.appending("\(name).old.\(MonotonicClock.now)")
        try FileSystem.rename(folder, to: unseen)
        return unseen
    }
}
