import LinuxSupport
import PackFormat

/// Ways in which a device's system takes room from packs without any request.
package enum StoragePressure: Hashable, Sendable {
    /// Something else, such as photos, takes this many bytes of the device's room.
    case fill(Int64)
    /// This many bytes of packs must become free.
    case purge(Int64)
}

extension PackStore {
    /// The device's room in bytes; nil for as much as the file system has.
    var capacity: Int64? { inventory.withLock(\.capacity) }

    /// Gives this many bytes of the device's room to something else; no effect if `capacity` is nil.
    func take(_ bytes: Int64) { exclusively { $0.capacity = $0.capacity.map { max(0, $0 - max(0, bytes)) } } }

    /// Removes packs and partial downloads in the order of purging, until the bytes that `needed` returns are free.
    ///
    /// If everything that may be removed is not enough, it is removed all the same, and the result has the missing
    /// bytes.
    func relieve(
        keeping kept: Set<String>, isAppRunning: Bool, needed: @Sendable (StoreInventory) -> Int64
    ) throws(StoreError) -> Relief {
        try purge { inventory in
            let bytes = max(0, needed(inventory))
            return (inventory.victims(upTo: bytes, keeping: kept, isAppRunning: isAppRunning), bytes)
        }
    }

    /// Frees this many bytes of a device by hand, in the order of purging, from all its bundles.
    ///
    /// Running apps are first notified that there is little room, and have `grace` (default: 1 s) to release what they
    /// hold. Only what is still needed then is purged. Throws the file system's error.
    package func free(_ bytes: Int64, grace: Duration = .seconds(1)) async throws(StoreError) -> Relief {
        let (stored, isUsed) = exclusively { ($0.storedOnDevice, $0.isUsedByOthers) }
        if isUsed {
            let notifier = try LowSpaceNotifier(device?.lowSpace ?? layout.lowSpace) {}
            notifier.post()
            try? await Task.sleep(for: grace)
            notifier.close()
        }
        let isAppRunning = exclusively { !$0.others.isEmpty }
        return try relieve(keeping: [], isAppRunning: isAppRunning) { $0.stillNeeded(bytes, since: stored) }
    }

    /// Removes the packs that have a tag, unless a request pins or waits for them; those are returned in `held`.
    ///
    /// nil if no stored pack has the tag. Throws the file system's error.
    package func purge(tag: String) throws(StoreError) -> (purges: [Purge], held: [String])? {
        var tagged: Set<String> = []
        let purges = try purge { inventory in
            tagged = Set(inventory.packs.values.filter { $0.tags.contains(tag) }.map(\.pack))
            let packs = inventory.purgeOrder(keeping: []).filter { $0.bundle == nil && tagged.contains($0.pack) }
            return (.init(packs: packs), 0)
        }.purges
        return tagged.isEmpty ? nil : (purges: purges, held: tagged.subtracting(purges.map(\.pack)).sorted())
    }

    /// The tags of all stored packs.
    package var storedTags: Set<String> {
        inventory.withLock { inventory in inventory.packs.values.reduce(into: []) { $0.formUnion($1.tags) } }
    }
}

extension StoreInventory {
    /// How many of `bytes` must still become free, if `stored` bytes were stored when they were asked for.
    func stillNeeded(_ bytes: Int64, since stored: Int64) -> Int64 { max(0, bytes - max(0, stored - storedOnDevice)) }
}
