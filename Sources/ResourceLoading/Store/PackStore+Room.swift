import LinuxSupport
import SystemPackage

extension PackStore {
    /// A pack that was removed to make room.
    package struct Purge: Hashable, Sendable {
        package var pack: String
        package var bytes: Int64
        /// The bundle whose pack it was; nil for this store's own.
        package var bundle: String?
    }

    /// What was removed to make room once.
    package struct Relief: Sendable {
        package var purges: [Purge] = []
        /// Bytes that had to become free.
        var needed: Int64 = 0
        /// Bytes that became free, including those of partial downloads.
        package var freed: Int64 = 0
        /// Bytes that had to become free, but nothing more may be removed.
        package var missing: Int64 = 0
        /// Folders that are hidden, and not removed yet.
        fileprivate(set) var hidden: [FilePath] = []
    }

    /// Reserves room for downloads, all or none, and removes what is necessary for it.
    ///
    /// `wishes` are the bytes that downloads need, by pack. `kept` are the packs that requests pin or wait for. If
    /// `missing` of the result is more than 0, nothing is reserved or removed. Throws the file system's error.
    func reserve(_ wishes: [String: Int64], keeping kept: Set<String>) throws(StoreError) -> Relief {
        let promised = inventory.withLock(\.reservations)
        let relief = try exclusively { inventory throws(StoreError) -> Relief in
            let before = inventory
            let victims = inventory.reserve(wishes, keeping: kept)
            guard victims.missing == 0 else { return Relief(missing: victims.missing) }
            try tellClaims(inventory)
            let needed = before.shortage(with: inventory.reservations)
            return try hide(victims, of: before, needed: needed, &inventory)
        }
        do { try clear(relief) } catch {
            exclusively { inventory in
                for pack in wishes.keys { inventory.reservations[pack] = promised[pack] }
            }
            throw error
        }
        return relief
    }

    /// Removes packs and partial downloads until `bytes` are free; for a file system that is full before the device is.
    ///
    /// An empty result means that nothing was removed: all that may be removed is not enough.
    func purge(atLeast bytes: Int64, keeping kept: Set<String>) throws(StoreError) -> Relief {
        try purge { inventory in
            let victims = inventory.victims(upTo: bytes, keeping: kept)
            return victims.missing == 0 ? (victims, bytes) : (.init(), 0)
        }
    }

    /// Removes every pack and every partial download that no request pins or waits for.
    package func purgeAll(keeping kept: Set<String> = []) throws(StoreError) -> [Purge] {
        try purge { inventory in
            // Only of this bundle: to remove all, call this for each bundle.
            let packs = inventory.purgeOrder(keeping: kept).filter { $0.bundle == nil }
            let partials = inventory.unwantedPartials(keeping: kept).map { PackName(pack: $0) }
            return (.init(partials: partials, packs: packs), 0)
        }.purges
    }

    /// Removes what `choose` returns; its second value is how many bytes had to become free, for the result.
    func purge(_ choose: (StoreInventory) -> (StoreInventory.Victims, Int64)) throws(StoreError) -> Relief {
        let relief = try exclusively { inventory throws(StoreError) -> Relief in
            let before = inventory
            let (victims, needed) = choose(before)
            inventory.forget(victims)
            return try hide(victims, of: before, needed: needed, &inventory)
        }
        try clear(relief)
        return relief
    }

    /// Removes packs that no request in this or another process pins or waits for; packs that are not stored are no
    /// error.
    func remove(_ packs: [String]) throws(StoreError) -> [Purge] {
        let relief = try exclusively { inventory throws(StoreError) -> Relief in
            let before = inventory
            let kept = before.wanted.union(before.wantedByOthers)
            let names = packs.filter { before.packs[$0] != nil && !before.isPinned($0) && !kept.contains($0) }
                .map { PackName(pack: $0) }
            for name in names { inventory.packs[name.pack] = nil }
            return try hide(.init(packs: names), of: before, needed: 0, &inventory)
        }
        try clear(relief)
        return relief.purges
    }

    /// Releases the room that is reserved for a pack; bytes that have arrived stay.
    func release(_ pack: String) {
        notePeak()
        let size = layout.partial(of: pack).size
        exclusively { inventory in
            inventory.reservations[pack] = nil
            inventory.partials[pack] = size > 0 ? size : nil
        }
    }

    /// Hides packs and removes partial downloads, before any other process has its turn.
    private func hide(
        _ victims: StoreInventory.Victims, of before: StoreInventory, needed: Int64, _ inventory: inout StoreInventory
    ) throws(StoreError) -> Relief {
        let (partials, packs) = (victims.partials, victims.packs)
        if !partials.isEmpty || !packs.isEmpty { announceChange(inventory) }
        let own = packs.filter { $0.bundle == nil }.compactMap { before.pack(named: $0)?.bytes }
        inventory.notePeak(others: [layout.partialBytes, own.clampedSum].clampedSum)
        let sizes = partials.map { before.partial(named: $0) } + packs.compactMap { before.pack(named: $0)?.bytes }
        var relief = Relief(needed: needed, freed: sizes.clampedSum, missing: victims.missing)
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

    /// Removes the hidden folders; that may take long, so other processes do not wait for it.
    private func clear(_ relief: Relief) throws(StoreError) {
        for folder in relief.hidden { try FileSystem.remove(folder) }
    }

    /// Hides a folder in one step, so that an interrupted purge leaves no half pack; returns its new path, nil if there
    /// is none.
    func hide(_ folder: FilePath, in layout: StoreLayout) throws(StoreError) -> FilePath? {
        guard FileSystem.status(of: folder) != nil, let name = folder.lastComponent?.string else { return nil }
        let unseen = layout.temporary.appending("\(name).old.\(MonotonicClock.now)")
        try FileSystem.rename(folder, to: unseen)
        return unseen
    }
}
