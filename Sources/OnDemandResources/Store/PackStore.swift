import FoundationEssentials
import Synchronization
package import SystemPackage

/// A device's storage: packs that are there whole, and downloads that have begun.
///
/// Safe to use from any thread.
///
/// What is stored is what lies in the folders; the index only advises. A pack becomes visible by one rename(2) of a
/// folder that is already on the disk, so whatever is killed, whenever, no half pack is ever seen.
package final class PackStore: Sendable {
    let layout: StoreLayout
    let inventory: Mutex<StoreInventory>
    private let lock: Mutex<StoreLock?>

    /// Opens the store in `root`, makes it if there is nothing, and clears what a crash left behind.
    ///
    /// `capacity` is the device's room in bytes, for packs and partial downloads together; nil (the default) for as
    /// much as the file system has. Throws where another process uses the store, where the folder holds other things,
    /// and what the file system answers. Notes that cannot be read are no error: they are made again from the folders.
    package init(_ root: FilePath, capacity: Int64? = nil) throws(StoreError) {
        let layout = StoreLayout(root: root)
        try FileSystem.makeFolder(root)
        try Self.refuseStrangers(layout)
        let lock = try StoreLock(mark: layout.mark)
        for folder in layout.folders { try FileSystem.makeFolder(folder) }
        for name in try FileSystem.entries(of: layout.temporary) {
            try FileSystem.remove(layout.temporary.appending(name))
        }
        var survey = try StoreSurvey(layout, capacity: capacity)
        for orphan in survey.orphans { try FileSystem.remove(orphan) }
        for pack in survey.inventory.index.packs.keys { survey.inventory.index.packs[pack]?.isInUse = false }
        self.layout = layout
        self.lock = Mutex(lock)
        inventory = Mutex(survey.inventory)
    }

    /// A folder with things in it and without a store's mark is somebody's: emptying it later would be a disaster.
    static func refuseStrangers(_ layout: StoreLayout) throws(StoreError) {
        guard FileSystem.status(of: layout.mark) == nil else { return }
        guard try FileSystem.entries(of: layout.root).isEmpty else {
            let detail = "The folder is not empty and is not a store: name an empty or a new one."
            throw StoreError("use as a store", layout.root, nil, detail: detail)
        }
    }

    /// Gives the store to the next process that wants it.
    ///
    /// Nothing may be done with it afterwards.
    package func close() { lock.withLock { $0 = nil } }

    /// The store's folder.
    package var root: FilePath { layout.root }

    /// Bytes of packs and partial downloads.
    package var stored: Int64 { inventory.withLock(\.stored) }

    /// The most bytes that packs, partial downloads and packs on their way had at a time, since the store was opened.
    package var peak: Int64 { inventory.withLock(\.peak) }

    /// Notes how much is there; called before anything is removed.
    ///
    /// Between two calls the store only grows, so the most that it had is known to the byte. `packs` are on the disk
    /// still, and struck out already.
    func notePeak(besides packs: [StoredPack] = []) {
        let others = layout.partialBytes + packs.map(\.bytes).clampedSum
        inventory.withLock { $0.notePeak(others: others) }
    }

    /// The folder that holds a stored pack's files; whether it is stored is for `storedPack`.
    package func folder(of pack: String) -> FilePath { layout.folder(of: pack) }

    /// The pack if it is stored whole in this edition.
    package func storedPack(_ pack: String, _ edition: PackEdition = PackEdition()) -> StoredPack? {
        inventory.withLock { $0.packs[pack].flatMap { $0.edition.matches(edition) ? $0 : nil } }
    }

    /// Sets a tag's preservation priority, 0 (the default) to 1: packs of a higher one are purged later.
    package func setPreservation(_ priority: Double, of tag: String) {
        inventory.withLock { $0.index.preservation[tag] = priority == 0 ? nil : min(1, max(0, priority)) }
        saveIndex()
    }

    /// A tag's preservation priority.
    package func preservation(of tag: String) -> Double {
        inventory.withLock { $0.index.preservation[tag] ?? 0 }
    }

    /// Notes which packs are held by requests, and that `used` are used now.
    package func note(inUse: Set<String>, used: Set<String> = []) {
        inventory.withLock { inventory in
            for pack in used.sorted() { inventory.index.use(pack) }
            for pack in Set(inventory.index.packs.keys).union(inUse) {
                inventory.index.packs[pack, default: .init()].isInUse = inUse.contains(pack)
            }
        }
        saveIndex()
    }

    /// Writes the index.
    ///
    /// It is advice: failing to write it fails nothing.
    private func saveIndex() {
        inventory.withLock { inventory in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            guard let bytes = try? encoder.encode(inventory.index) else { return }
            try? FileSystem.replaceContents(of: layout.index, with: Array(bytes))
        }
    }
}
