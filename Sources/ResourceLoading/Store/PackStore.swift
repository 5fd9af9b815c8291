import Synchronization
package import SystemPackage

/// A device's storage: complete packs and partial downloads.
///
/// Safe to use from any thread, and by any number of processes at once.
///
/// The folders determine what is stored; the index is only a hint. A pack becomes visible by one rename(2) of a folder
/// that is already flushed to the disk. So no half pack is ever visible, whichever process is killed, and whenever.
package final class PackStore: Sendable {
    /// This process's registration as a user of the store, which other processes see.
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

    /// Opens the store in `root`, creates it if there is none, and removes what a crash left behind if no other process
    /// uses it.
    ///
    /// `capacity` is the device's room in bytes, for packs and partial downloads together; nil (the default) for as
    /// much as the file system has. With a `bundle` (default: nil), `root` is a device, whose bundles share the room.
    /// With `keepsPacks` (default: false) no pack is removed to make room. Throws if the folder holds other things, and
    /// the file system's errors. Notes that cannot be read are no error: they are made again from the folders.
    package convenience init(
        _ root: FilePath, bundle: String? = nil, capacity: Int64? = nil, keepsPacks: Bool = false
    ) throws(StoreError) {
        let device = bundle.map { _ in DeviceLayout(root: root) }
        let layout = bundle.flatMap { device?.store(of: $0) } ?? StoreLayout(root: root)
        try self.init(layout, on: device, capacity: capacity, keepsPacks: keepsPacks)
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
            // So that other processes notice the new user.
            defer { gate.leave(changes: changes + 1) }
            // A reset of the device may have come before this.
            try device?.writeMark()
            found = try StoreSurvey(layout, capacity: capacity).inventory
            user = try StoreUser(in: layout.users)
        }
        // The count before this process's own change, so that its first use also reads the other bundles.
        found.changes = changes
        found.keepsPacks = keepsPacks
        lock.share()
        self.layout = layout
        self.device = device
        self.gate = gate
        presence = Mutex(Presence(lock: lock, user: user))
        inventory = Mutex(found)
    }

    /// Creates the folder if there is none, and locks its mark; tries again if a reset removed the mark before it was
    /// locked.
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

    /// Opens a gate and enters it; tries again if a reset removed it before it was entered.
    private static func entered(_ path: FilePath, _ changes: inout Int64) throws(StoreError) -> StoreGate {
        while true {
            let gate = try StoreGate(path)
            changes = gate.enter()
            if gate.isCurrent { return gate }
        }
    }

    /// Removes what no process owns any more; only for a process that is the store's only user.
    private static func clear(_ layout: StoreLayout) throws(StoreError) {
        for folder in [layout.temporary, layout.users, layout.leases] {
            for name in try FileSystem.entries(of: folder) { try FileSystem.remove(folder.appending(name)) }
        }
        for note in [layout.index, layout.manifest, layout.tagTable] {
            try FileSystem.remove(FileSystem.unfinished(note))
        }
        for orphan in try StoreSurvey(layout).orphans { try FileSystem.remove(orphan) }
    }

    /// Throws for a folder that has content but no store's mark: emptying it later would be a disaster.
    ///
    /// It also throws for a bundle's store on a device that is opened by itself: it would not know of the other
    /// bundles.
    private static func refuseStrangers(_ layout: StoreLayout, on device: DeviceLayout?) throws(StoreError) {
        if device == nil, DeviceLayout.above(layout.root) != nil {
            let detail = "The folder belongs to one bundle of a device: name the device's folder, and the bundle."
            throw StoreError("use as a store by itself", layout.root, nil, detail: detail)
        }
        func isStore() -> Bool { FileSystem.status(of: layout.mark) != nil }
        guard !isStore() else { return }
        // Checked again: another process may have made it a store in the meantime.
        guard try FileSystem.entries(of: layout.root, followsLink: true).isEmpty || isStore() else {
            let detail = "The folder is not empty and is not a store: name an empty or a new one."
            throw StoreError("use as a store", layout.root, nil, detail: detail)
        }
    }

    /// Closes the store, and gives up everything that this process wants from it.
    ///
    /// The store must not be used afterwards.
    package func close() { presence.withLock { $0 = nil } }

    /// Runs `body` on the current inventory, while no other thread or process can change it.
    ///
    /// Before others have their turn, this process's claims are written for them to read, and the index is saved. If
    /// `body` throws, its changes to the inventory are dropped, and the next call reads from the disk what it did to
    /// files.
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

    /// Announces a change of packs or downloads before it happens; only within `exclusively`.
    func announceChange(_ inventory: StoreInventory) { gate.announce(changes: inventory.count + 1) }

    /// Writes what this process wants at once, for other processes to read; only within `exclusively`.
    ///
    /// Throws if that cannot be written: what other processes cannot read does not count as wanted.
    func tellClaims(_ inventory: StoreInventory) throws(StoreError) {
        let claims = inventory.claims
        try presence.withLock { presence throws(StoreError) in try presence?.user.write(claims) }
    }

    private func takeIn(changes: Int64, _ inventory: inout StoreInventory) {
        inventory.count = changes
        // If the folders cannot be read now, the result of the last reading stays.
        if changes != inventory.changes, let survey = try? StoreSurvey(layout) {
            inventory.take(survey.inventory)
            if let device { inventory.siblings = StoreSibling.all(on: device, besides: layout) }
            inventory.changes = changes
        }
        inventory.others = presence.withLock { $0?.user.others() ?? [] }
        for bundle in inventory.siblings.keys { inventory.siblings[bundle]?.lookWhoUsesIt() }
    }

    private func tell(after before: StoreInventory, _ inventory: inout StoreInventory) {
        // What cannot be written now is written the next time; until then other processes rely on what they read
        // before.
        try? tellClaims(inventory)
        var changed = inventory.isChanged(since: before)
        if changed { save(inventory.index, in: layout) }
        for (bundle, sibling) in inventory.siblings {
            guard let old = before.siblings[bundle], sibling.inventory.isChanged(since: old.inventory) else { continue }
            save(sibling.inventory.index, in: sibling.layout)
            changed = true
        }
        guard changed else { return gate.leave(changes: nil) }
        // A use gets a higher number than all changes before it, so that uses of several bundles can be compared.
        let changes = max(inventory.count + 1, Int64(inventory.index.uses))
        if inventory.changes == inventory.count { inventory.changes = changes }
        inventory.count = changes
        gate.leave(changes: changes)
    }

    /// Writes the index.
    ///
    /// It is only a hint, so an error is ignored.
    private func save(_ index: StoreIndex, in layout: StoreLayout) {
        try? FileSystem.replaceContents(
            of: layout.index, with: FileSystem.json(index, [.sortedKeys, .prettyPrinted]))
    }
}
