import Glibc
import SystemPackage

/// The content and the free room of a store, as a value: it decides what to remove, and touches no file.
struct StoreInventory: Sendable {
    /// The device's room in bytes; nil for as much as the file system has.
    var capacity: Int64?
    /// Whether no pack may be removed to make room, as with Background Assets.
    var keepsPacks = false
    /// The packs that are stored whole, by identifier.
    var packs: [String: StoredPack] = [:]
    /// Bytes that have arrived of packs that are not stored whole, by identifier.
    var partials: [String: Int64] = [:]
    /// Bytes that are reserved for downloads, by identifier, including those that have arrived.
    var reservations: [String: Int64] = [:]
    /// Packs that this process's requests have pinned or wait for.
    var wanted: Set<String> = []
    /// Packs that this process's requests have pinned.
    var pinned: Set<String> = []
    /// Bytes that packs count as in use, for packs that requests have named.
    var sizes: [String: Int64] = [:]
    /// The claims of other processes.
    var others: [StoreClaims] = []
    /// Other bundles' stores on the device, by bundle.
    var siblings: [String: StoreSibling] = [:]
    /// The number of changes when the store was last read; nil if it must be read again.
    var changes: Int64?
    /// The number of changes when the gate was last entered.
    var count: Int64 = 0
    /// Bytes of packs that are being unpacked, by folder.
    var unpacking: [String: Int64] = [:]
    /// The most bytes that were there at a time.
    private(set) var peak: Int64 = 0
    var index = StoreIndex()

    /// Bytes that are stored: packs and partial downloads.
    var stored: Int64 { (packs.values.map(\.bytes) + partials.values).clampedSum }

    /// Updates the peak; `others` are the bytes on the disk besides packs: those of downloads.
    mutating func notePeak(others: Int64) {
        peak = max(peak, (packs.values.map(\.bytes) + unpacking.values + [others]).clampedSum)
    }

    /// What other processes must know about this one.
    var claims: StoreClaims {
        let sizes = sizes.filter { wanted.contains($0.key) }
        return StoreClaims(process: Int(getpid()), wanted: wanted, pinned: pinned, sizes: sizes, promises: reservations)
    }

    /// Whether packs, partial downloads or the index differ from `before`.
    func isChanged(since before: StoreInventory) -> Bool {
        index != before.index || packs != before.packs || partials != before.partials
    }

    /// Undoes a change that failed; the next use reads from the disk what it did there.
    mutating func undo(to before: StoreInventory) {
        let peak = max(peak, before.peak)
        self = before
        self.peak = peak
        changes = nil
    }

    /// Takes over what was found on the disk.
    mutating func take(_ found: StoreInventory) {
        packs = found.packs
        partials = found.partials
        index = found.index
    }

    /// Bytes that are stored or reserved, by all bundles of the device together.
    private var committed: Int64 {
        let promises = reservations.merging(promisesOfOthers) { max($0, $1) }
        let waiting = partials.filter { promises[$0.key] == nil }.values
        let elsewhere = siblings.values.map(\.inventory.committed)
        return (packs.values.map(\.bytes) + waiting + promises.values + elsewhere).clampedSum
    }

    /// Bytes that are stored, by all bundles of the device together.
    var storedOnDevice: Int64 { ([stored] + siblings.values.map(\.inventory.stored)).clampedSum }

    /// Whether an app other than this process runs and uses the device.
    var isUsedByOthers: Bool { !others.isEmpty || siblings.values.contains(where: \.isRunning) }

    private var promisesOfOthers: [String: Int64] {
        others.reduce(into: [:]) { $0.merge($1.promises) { max($0, $1) } }
    }

    /// Whether a running process has pins that cannot be read.
    var othersMayPinAll: Bool { others.contains(where: \.mayPinAll) }

    /// Whether a request in this or another process has pinned the pack: then its files must not change.
    func isPinned(_ pack: String) -> Bool {
        othersMayPinAll || pinned.contains(pack) || others.contains { $0.pinned.contains(pack) }
    }

    /// Packs that other processes have pinned or wait for.
    var wantedByOthers: Set<String> { others.reduce(into: []) { $0.formUnion($1.wanted) } }

    /// Reserves room for downloads, all or none.
    ///
    /// `wishes` are the bytes that downloads need, by pack. `kept` are packs that a request has pinned or waits for.
    ///
    /// It removes unwanted partial downloads first, then packs in the order of `purgeOrder` until there is room. It
    /// skips no pack, so the last one may free more than was needed. If `missing` of the result is more than 0, there
    /// is not enough room, even if everything is removed that may be: then nothing is reserved or removed.
    mutating func reserve(_ wishes: [String: Int64], keeping kept: Set<String>) -> Victims {
        let kept = kept.union(wishes.keys)
        let before = reservations
        for (pack, bytes) in wishes {
            // A running transfer keeps what was reserved for it.
            reservations[pack] = max(bytes, partials[pack] ?? 0, before[pack] ?? 0)
        }
        guard let capacity, committed > capacity else { return Victims() }
        let victims = victims(upTo: committed - capacity, keeping: kept)
        if victims.missing == 0 { forget(victims) } else { reservations = before }
        return victims
    }

    /// Bytes that must become free to make room for these reservations.
    func shortage(with promises: [String: Int64]) -> Int64 {
        guard let capacity else { return 0 }
        var wanted = self
        wanted.reservations = promises
        return max(0, wanted.committed - capacity)
    }

    /// Records that a pack is stored whole; `folder` is where it was unpacked.
    mutating func noteStored(_ stored: StoredPack, from folder: FilePath) {
        packs[stored.pack] = stored
        unpacking[folder.string] = nil
        partials[stored.pack] = nil
        reservations[stored.pack] = nil
        index.packs[stored.pack, default: .init()].isPurged = false
    }
}

/// Another bundle's store on the same device, which competes for the room.
struct StoreSibling: Sendable {
    let layout: StoreLayout
    /// The store's content; `others` are the claims of the processes that use it.
    var inventory: StoreInventory

    /// Whether the bundle's app runs.
    var isRunning: Bool { !inventory.others.isEmpty }

    /// The other stores of a device, by bundle; those that cannot be read are left out.
    static func all(on device: DeviceLayout, besides own: StoreLayout) -> [String: StoreSibling] {
        var siblings: [String: StoreSibling] = [:]
        for (bundle, layout) in device.stores where layout.root != own.root {
            guard let survey = try? StoreSurvey(layout) else { continue }
            siblings[bundle] = StoreSibling(layout: layout, inventory: survey.inventory)
        }
        return siblings
    }

    /// Reads again which processes use the store, and what they want.
    mutating func lookWhoUsesIt() { inventory.others = StoreUser.all(in: layout.users, cleaning: true) }
}

/// What one process wants from a store, as other processes see it.
struct StoreClaims: Codable, Hashable, Sendable {
    private enum CodingKeys: CodingKey {
        case version, process, wanted, pinned, sizes, promises
    }

    /// The version of this file format.
    var version = 1
    /// The identifier of the process.
    var process: Int
    /// Packs that requests have pinned or wait for, which must not be purged.
    var wanted: Set<String> = []
    /// Packs that requests have pinned, whose files must not change.
    var pinned: Set<String> = []
    /// Bytes that wanted packs count as in use.
    var sizes: [String: Int64] = [:]
    /// Bytes that are reserved for downloads, by pack.
    var promises: [String: Int64] = [:]
    /// Whether the process runs, but its pins could not be read: then it may have pinned any pack.
    var mayPinAll = false
}

/// The name of a pack on a device that several bundles share.
struct PackName: Hashable, Sendable, Comparable {
    /// The bundle of the pack; nil for this bundle's own.
    var bundle: String?
    /// The pack's identifier.
    var pack: String

    static func < (left: PackName, right: PackName) -> Bool {
        (left.pack, left.bundle ?? "") < (right.pack, right.bundle ?? "")
    }
}
