import Glibc
import SystemPackage

/// What is in a store and what room is left, as a value: it decides who must go, and touches no file.
struct StoreInventory: Sendable {
    /// The answer to a wish for room.
    enum Answer: Hashable, Sendable {
        /// There is room, once these partial downloads and these packs are removed.
        case granted(partials: [PackName], packs: [PackName])
        /// There is not, by this many bytes, even if all were removed that may be.
        case refused(missing: Int64)
    }

    /// The device's room in bytes; nil for as much as the file system has.
    var capacity: Int64?
    /// Whether no pack may go to make room, as those of Background Assets.
    var keepsPacks = false
    /// The packs that are stored whole, by identifier.
    var packs: [String: StoredPack] = [:]
    /// Bytes that have arrived of packs that are not, by identifier.
    var partials: [String: Int64] = [:]
    /// Room that is promised to downloads, by identifier; what has arrived of them is within.
    var reservations: [String: Int64] = [:]
    /// Packs that this process's requests have pinned or wait for.
    var wanted: Set<String> = []
    /// Packs that this process's requests have pinned.
    var pinned: Set<String> = []
    /// Bytes that packs count as in use, as far as requests have named them.
    var sizes: [String: Int64] = [:]
    /// What other processes want.
    var others: [StoreClaims] = []
    /// Other bundles' stores on the device, by bundle.
    var siblings: [String: StoreSibling] = [:]
    /// How many changes there were when the store was looked at last; nil where it is to be looked at again.
    var changes: Int64?
    /// How many changes there were when the gate was entered last.
    var count: Int64 = 0
    /// Bytes of packs that are being unpacked, by folder.
    var unpacking: [String: Int64] = [:]
    /// The most bytes that were there at a time.
    private(set) var peak: Int64 = 0
    var index = StoreIndex()

    /// Bytes that are stored: packs and partial downloads.
    var stored: Int64 { (packs.values.map(\.bytes) + partials.values).clampedSum }

    /// Notes what is there now, `others` being bytes on the disk besides packs: those of downloads.
    mutating func notePeak(others: Int64) {
        peak = max(peak, (packs.values.map(\.bytes) + unpacking.values + [others]).clampedSum)
    }

    /// What others are to know of this process.
    var claims: StoreClaims {
        let sizes = sizes.filter { wanted.contains($0.key) }
        return StoreClaims(process: Int(getpid()), wanted: wanted, pinned: pinned, sizes: sizes, promises: reservations)
    }

    /// Whether anything is there, or known, that was not before.
    func isChanged(since before: StoreInventory) -> Bool {
        index != before.index || packs != before.packs || partials != before.partials
    }

    /// Forgets a change that failed; what of it was done is found on the disk.
    mutating func undo(to before: StoreInventory) {
        let peak = max(peak, before.peak)
        self = before
        self.peak = peak
        changes = nil
    }

    /// Takes in what lies on the disk now.
    mutating func take(_ found: StoreInventory) {
        packs = found.packs
        partials = found.partials
        index = found.index
    }

    /// Bytes that are stored or promised, by all bundles of the device together.
    private var committed: Int64 {
        let promises = reservations.merging(promisesOfOthers) { max($0, $1) }
        let waiting = partials.filter { promises[$0.key] == nil }.values
        let elsewhere = siblings.values.map(\.inventory.committed)
        return (packs.values.map(\.bytes) + waiting + promises.values + elsewhere).clampedSum
    }

    /// Bytes that are stored or promised beyond the device's room.
    var excess: Int64 { shortage(with: reservations) }

    /// Bytes that are stored, by all bundles of the device together.
    var storedOnDevice: Int64 { ([stored] + siblings.values.map(\.inventory.stored)).clampedSum }

    /// Whether an app runs that uses the device, this process left out.
    var isUsedByOthers: Bool { !others.isEmpty || siblings.values.contains(where: \.isRunning) }

    private var promisesOfOthers: [String: Int64] {
        others.reduce(into: [:]) { $0.merge($1.promises) { max($0, $1) } }
    }

    /// Whether a process lives whose pins cannot be read.
    var othersMayPinAll: Bool { others.contains(where: \.mayPinAll) }

    /// Whether a request has pinned the pack, here or in another process: its files stay as they are.
    func isPinned(_ pack: String) -> Bool {
        othersMayPinAll || pinned.contains(pack) || others.contains { $0.pinned.contains(pack) }
    }

    /// Packs that other processes have pinned or wait for.
    var wantedByOthers: Set<String> { others.reduce(into: []) { $0.formUnion($1.wanted) } }

    /// Promises room to downloads, all of them or none.
    ///
    /// `kept` are packs that a request has pinned or waits for.
    ///
    /// Partial downloads that are not wanted go first; then packs in their order, `purgeOrder`, until there is room. No
    /// pack stays that comes before one that goes, so the last one may free more than was asked for.
    mutating func reserve(_ wishes: [String: Int64], keeping kept: Set<String>) -> Answer {
        let kept = kept.union(wishes.keys)
        let before = reservations
        for (pack, bytes) in wishes {
            // What a transfer under way was promised stays its own.
            reservations[pack] = max(bytes, partials[pack] ?? 0, before[pack] ?? 0)
        }
        guard let capacity, committed > capacity else { return .granted(partials: [], packs: []) }
        switch victims(for: committed - capacity, keeping: kept) {
        case .granted(let partials, let packs):
            forget(partials: partials, packs: packs)
            return .granted(partials: partials, packs: packs)
        case .refused(let missing):
            reservations = before
            return .refused(missing: missing)
        }
    }

    /// Bytes that must become free before these promises can be kept.
    func shortage(with promises: [String: Int64]) -> Int64 {
        guard let capacity else { return 0 }
        var wanted = self
        wanted.reservations = promises
        return max(0, wanted.committed - capacity)
    }

    /// A pack is there whole, from where it was unpacked.
    mutating func noteStored(_ stored: StoredPack, from folder: FilePath) {
        packs[stored.pack] = stored
        unpacking[folder.string] = nil
        partials[stored.pack] = nil
        reservations[stored.pack] = nil
        index.packs[stored.pack, default: .init()].isPurged = false
    }
}

/// Another bundle's store on the same device: it competes for the room.
struct StoreSibling: Sendable {
    let layout: StoreLayout
    /// What is there, and, as those of others, the claims of the processes that use it.
    var inventory: StoreInventory

    /// Whether the bundle's app runs.
    var isRunning: Bool { !inventory.others.isEmpty }

    /// The stores of a device besides one, by bundle; those that cannot be read are left out.
    static func all(on device: DeviceLayout, besides own: StoreLayout) -> [String: StoreSibling] {
        var siblings: [String: StoreSibling] = [:]
        for (bundle, layout) in device.stores where layout.root != own.root {
            guard let survey = try? StoreSurvey(layout) else { continue }
            siblings[bundle] = StoreSibling(layout: layout, inventory: survey.inventory)
        }
        return siblings
    }

    /// Looks anew which processes use the store, and what they want.
    mutating func lookWhoUsesIt() { inventory.others = StoreUser.all(in: layout.users, cleaning: true) }
}

/// What one process wants of a store, as others see it.
struct StoreClaims: Codable, Hashable, Sendable {
    private enum CodingKeys: CodingKey {
        case version, process, wanted, pinned, sizes, promises
    }

    /// Version of this form.
    var version = 1
    /// The process.
    var process: Int
    /// Packs that requests have pinned or wait for: they may not be purged.
    var wanted: Set<String> = []
    /// Packs that requests have pinned: their files stay as they are.
    var pinned: Set<String> = []
    /// Bytes that wanted packs count as in use.
    var sizes: [String: Int64] = [:]
    /// Room that is promised to downloads, in bytes.
    var promises: [String: Int64] = [:]
    /// Whether the pins of the process, which lives, could not be read: then they may be anything.
    var mayPinAll = false
}

/// A pack on a device that several bundles share.
struct PackName: Hashable, Sendable, Comparable {
    /// The bundle whose pack it is; nil for a pack of one's own.
    var bundle: String?
    /// The pack's identifier.
    var pack: String

    static func < (left: PackName, right: PackName) -> Bool {
        (left.pack, left.bundle ?? "") < (right.pack, right.bundle ?? "")
    }
}
