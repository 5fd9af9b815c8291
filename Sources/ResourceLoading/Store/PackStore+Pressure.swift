import LinuxSupport
import PackFormat

/// What a device's system does to its packs when it needs their room, and no request does.
package enum StoragePressure: Hashable, Sendable {
    /// Something else, such as photos, takes so many bytes of the device's room.
    case fill(Int64)
    /// So many bytes of packs are to become free.
    case purge(Int64)
}

extension PackStore {
    /// What a purge by hand came to.
    package struct Freed: Sendable {
        package var purges: [Purge] = []
        /// Bytes that became free, those of partial downloads among them.
        package var bytes: Int64 = 0
        /// Bytes that should have become free too, and for which nothing may go.
        package var missing: Int64 = 0
    }

    /// The device's room in bytes; nil for what the file system has.
    var capacity: Int64? { inventory.withLock(\.capacity) }

    /// Gives so many bytes of the device's room to something else.
    func take(_ bytes: Int64) { exclusively { $0.capacity = $0.capacity.map { max(0, $0 - max(0, bytes)) } } }

    /// Removes what may go until as many bytes are free as `needed` says, in the order of purging.
    ///
    /// Where all that may go is not enough it goes all the same, and the answer has what is missing.
    func relieve(
        keeping kept: Set<String>, isAppRunning: Bool, needed: @Sendable (StoreInventory) -> Int64
    ) throws(StoreError) -> Relief {
        let relief = try exclusively { inventory throws(StoreError) -> Relief in
            let before = inventory
            let bytes = needed(inventory)
            guard bytes > 0 else { return Relief() }
            let victims = inventory.victims(upTo: bytes, keeping: kept, isAppRunning: isAppRunning)
            inventory.forget(partials: victims.partials, packs: victims.packs)
            var relief = try hide(victims.partials, victims.packs, of: before, needed: bytes, &inventory)
            relief.missing = victims.missing
            return relief
        }
        try clearHidden(.made(relief))
        return relief
    }

    /// Frees so many bytes of a device by hand, in the order of purging, of whichever bundle the packs are.
    ///
    /// Apps that run are told that there is little room first, and have `grace` to give up what they hold: only what is
    /// still needed then is purged. Throws what the file system answers.
    package func free(_ bytes: Int64, grace: Duration = .seconds(1)) async throws(StoreError) -> Freed {
        let (stored, isUsed) = exclusively { ($0.storedOnDevice, $0.isUsedByOthers) }
        if isUsed {
            let notifier = try LowSpaceNotifier(device?.lowSpace ?? layout.lowSpace) {}
            notifier.post()
            try? await Task.sleep(for: grace)
            notifier.close()
        }
        let isAppRunning = exclusively { !$0.others.isEmpty }
        let relief = try relieve(keeping: [], isAppRunning: isAppRunning) { $0.stillNeeded(bytes, since: stored) }
        return Freed(purges: relief.purges, bytes: relief.freed, missing: relief.missing)
    }

    /// Removes the packs that have a tag and that no request pins or waits for; the others that have it are in `held`.
    ///
    /// nil where no pack that is stored has it.
    package func purge(tag: String) throws(StoreError) -> (purges: [Purge], held: [String])? {
        let found = try exclusively { inventory throws(StoreError) -> (Relief, held: [String])? in
            let before = inventory
            let tagged = Set(inventory.packs.values.filter { $0.tags.contains(tag) }.map(\.pack))
            guard !tagged.isEmpty else { return nil }
            let packs = inventory.purgeOrder(keeping: []).filter { $0.bundle == nil && tagged.contains($0.pack) }
            inventory.forget(partials: [], packs: packs)
            let relief = try hide([], packs, of: before, needed: 0, &inventory)
            return (relief, tagged.subtracting(packs.map(\.pack)).sorted())
        }
        guard let found else { return nil }
        try clearHidden(.made(found.0))
        return (found.0.purges, found.held)
    }

    /// The tags of the packs that are stored.
    package var storedTags: Set<String> {
        inventory.withLock { inventory in inventory.packs.values.reduce(into: []) { $0.formUnion($1.tags) } }
    }
}

extension StoreInventory {
    /// How much of a wish for `bytes` is left, where so many bytes were stored when it came.
    func stillNeeded(_ bytes: Int64, since stored: Int64) -> Int64 { max(0, bytes - max(0, stored - storedOnDevice)) }
}
