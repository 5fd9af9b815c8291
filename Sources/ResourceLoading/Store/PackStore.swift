import FoundationEssentials
import Synchronization
package import SystemPackage

/// A device's storage: packs that are there whole, and downloads that have begun.
///
/// Safe to use from any thread, and by any number of processes at once.
///
/// What is stored is what lies in the folders; the index only advises. A pack becomes visible by one rename(2) of a
/// folder that is already on the disk, so whatever is killed, whenever, no half pack is ever seen.
package final class PackStore: Sendable {
    /// What tells others that this process uses the store.
    private struct Presence: ~Copyable, Sendable {
        let lock: StoreLock
        var user: StoreUser
    }

    let layout: StoreLayout
    /// The device whose room several bundles share; nil for a store by itself.
    let device: DeviceLayout?
    let inventory: Mutex<StoreInventory>
    private let gate: StoreGate
    private let presence: Mutex<Presence?>

    /// Opens the store in `root`, makes it if there is nothing, and clears what a crash left behind, unless others use
    /// the store.
    ///
    /// `capacity` is the device's room in bytes, for packs and partial downloads together; nil (the default) for as
    /// much as the file system has. One that `keepsPacks` removes none to make room. Throws where the folder holds other things, and what the file system answers. Notes
    /// that cannot be read are no error: they are made again from the folders.
    package convenience init(
        _ root: FilePath, capacity: Int64? = nil, keepsPacks: Bool = false
    ) throws(StoreError) {
        try self.init(StoreLayout(root: root), on: nil, capacity: capacity, keepsPacks: keepsPacks)
    }

    /// Opens the store of one bundle on a device, as above; `capacity` is what all bundles of the device share.
    package convenience init(
        device root: FilePath,
        bundle: String,
        capacity: Int64? = nil,
        keepsPacks: Bool = false
    ) throws(StoreError) {
        let device = DeviceLayout(root: root)
        try self.init(device.store(of: bundle), on: device, capacity: capacity, keepsPacks: keepsPacks)
    }

    init(
        _ layout: StoreLayout, on device: DeviceLayout?, capacity: Int64?, keepsPacks: Bool = false
    ) throws(StoreError) {
        let lock = try Self.lock(layout, on: device)
        for folder in layout.folders { try FileSystem.makeFolder(folder) }
        if lock.isAlone { try Self.clear(layout) }
        var changes: Int64 = 0
        let gate = try Self.entered(device?.gate ?? layout.gate, &changes)
        var found: StoreInventory
        let user: StoreUser
        do {
            // Others are to see that there is one more.
            defer { gate.leave(changes: changes + 1) }
            // A reset of the device may have been quicker than this bundle.
            try device?.writeMark()
            found = try StoreSurvey(layout, capacity: capacity).inventory
            user = try StoreUser(in: layout.users)
        }
        // Not yet: the first use looks at the bundles beside this one.
        found.changes = changes
        found.keepsPacks = keepsPacks
        lock.share()
        self.layout = layout
        self.device = device
        self.gate = gate
        presence = Mutex(Presence(lock: lock, user: user))
        inventory = Mutex(found)
    }

    /// Makes the folder if there is none, and locks its mark; again where a reset has removed it before it was locked.
    private static func lock(_ layout: StoreLayout, on device: DeviceLayout?) throws(StoreError) -> StoreLock {
        var resets = 0
        while true {
            do throws(StoreError) {
                try device?.prepare()
                try FileSystem.makeFolder(layout.root)
                try refuseStrangers(layout, on: device)
                let lock = try StoreLock(mark: layout.mark)
                if lock.isCurrent { return lock }
            } catch {
                resets += 1
                // A reset of the device removes the folders too.
                guard device != nil, error.errno == .noSuchFileOrDirectory, resets < 100 else { throw error }
            }
        }
    }

    /// Opens a gate and enters it; again where a reset has removed it before it was entered.
    private static func entered(_ path: FilePath, _ changes: inout Int64) throws(StoreError) -> StoreGate {
        while true {
            let gate = try StoreGate(path)
            changes = gate.enter()
            if gate.isCurrent { return gate }
        }
    }

    /// Removes what has no owner any more: only for a process that is alone with the store.
    private static func clear(_ layout: StoreLayout) throws(StoreError) {
        for folder in [layout.temporary, layout.users, layout.leases] {
            for name in try FileSystem.entries(of: folder) { try FileSystem.remove(folder.appending(name)) }
        }
        for note in [layout.index, layout.manifest, layout.tagTable] {
            try FileSystem.remove(FileSystem.unfinished(note))
        }
        for orphan in try StoreSurvey(layout).orphans { try FileSystem.remove(orphan) }
    }

    /// A folder with things in it and without a store's mark is somebody's: emptying it later would be a disaster.
    ///
    /// One bundle's on a device is that device's: by itself it would not know of the others.
    private static func refuseStrangers(_ layout: StoreLayout, on device: DeviceLayout?) throws(StoreError) {
        if device == nil, DeviceLayout.above(layout.root) != nil {
            let detail = "The folder belongs to one bundle of a device: name the device's folder, and the bundle."
            throw StoreError("use as a store by itself", layout.root, nil, detail: detail)
        }
        func isStore() -> Bool { FileSystem.status(of: layout.mark) != nil }
        guard !isStore() else { return }
        // Looked for again: another process may have made it a store meanwhile.
        guard try FileSystem.entries(of: layout.root, followsLink: true).isEmpty || isStore() else {
            let detail = "The folder is not empty and is not a store: name an empty or a new one."
            throw StoreError("use as a store", layout.root, nil, detail: detail)
        }
    }

    /// Lets go of the store and of all that was wanted of it.
    ///
    /// Nothing may be done with it afterwards.
    package func close() { presence.withLock { $0 = nil } }

    /// Changes the inventory while no other thread does, neither here nor in another process, with what others have changed.
    ///
    /// What this process wants is told to others, and what the index knows is kept, before they have their turn. Where
    /// `body` throws nothing of it counts, and what it did to files is looked for on the disk.
    func exclusively<Value: Sendable, Failure: Error>(
        _ body: (inout StoreInventory) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try inventory.withLock { inventory throws(Failure) in
            takeIn(changes: gate.enter(), &inventory)
            let before = inventory
            defer { tell(after: before, &inventory) }
            do throws(Failure) { return try body(&inventory) } catch {
                inventory.undo(to: before)
                throw error
            }
        }
    }

    /// Says that packs or downloads change, before they do: only within `exclusively`.
    func announceChange(_ inventory: StoreInventory) { gate.announce(changes: inventory.count + 1) }

    /// Tells others what this process wants, at once: only within `exclusively`.
    ///
    /// Throws where that cannot be written: what is not known of is not wanted.
    func tellClaims(_ inventory: StoreInventory) throws(StoreError) {
        let claims = inventory.claims
        try presence.withLock { presence throws(StoreError) in try presence?.user.write(claims) }
    }

    private func takeIn(changes: Int64, _ inventory: inout StoreInventory) {
        inventory.count = changes
        // What cannot be read now was read before: then that stays.
        if changes != inventory.changes, let survey = try? StoreSurvey(layout) {
            inventory.take(survey.inventory)
            if let device { inventory.siblings = StoreSibling.all(on: device, besides: layout) }
            inventory.changes = changes
        }
        inventory.others = presence.withLock { $0?.user.others() ?? [] }
        for bundle in inventory.siblings.keys { inventory.siblings[bundle]?.lookWhoUsesIt() }
    }

    private func tell(after before: StoreInventory, _ inventory: inout StoreInventory) {
        // What cannot be told now is told the next time: until then others believe what they knew.
        try? tellClaims(inventory)
        var changed = inventory.isChanged(since: before)
        if changed { save(inventory.index, in: layout) }
        for (bundle, sibling) in inventory.siblings {
            guard let old = before.siblings[bundle], sibling.inventory.isChanged(since: old.inventory) else { continue }
            save(sibling.inventory.index, in: sibling.layout)
            changed = true
        }
        guard changed else { return gate.leave(changes: nil) }
        // A use has a number that no change before it had, so that uses of several bundles can be compared.
        let changes = max(inventory.count + 1, Int64(inventory.index.uses))
        if inventory.changes == inventory.count { inventory.changes = changes }
        inventory.count = changes
        gate.leave(changes: changes)
    }

    /// Writes the index.
    ///
    /// It is advice: failing to write it fails nothing.
    private func save(_ index: StoreIndex, in layout: StoreLayout) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        guard let bytes = try? encoder.encode(index) else { return }
        try? FileSystem.replaceContents(of: layout.index, with: Array(bytes))
    }
}
