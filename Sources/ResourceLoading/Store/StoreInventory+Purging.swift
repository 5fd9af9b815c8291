/// Which packs and partial downloads are removed when there is no room.
extension StoreInventory {
    /// What is removed to make room.
    struct Victims: Hashable, Sendable {
        var partials: [PackName] = []
        var packs: [PackName] = []
        /// Bytes that are missing even after that.
        var missing: Int64 = 0
    }

    /// The inventory of another bundle, or this one for nil; nil if there is none.
    private func inventory(of bundle: String?) -> StoreInventory? { bundle.map { siblings[$0]?.inventory } ?? self }

    /// The stored pack with this name, in this or another bundle; nil if there is none.
    func pack(named name: PackName) -> StoredPack? { inventory(of: name.bundle)?.packs[name.pack] }

    /// Bytes of the partial download of a pack, in this or another bundle; 0 if there is none.
    func partial(named name: PackName) -> Int64 { inventory(of: name.bundle)?.partials[name.pack] ?? 0 }

    /// The paths of the store that has a pack; `own` for this bundle's packs.
    func layout(named name: PackName, own: StoreLayout) -> StoreLayout {
        name.bundle.flatMap { siblings[$0]?.layout } ?? own
    }

    /// Chooses what to remove for `bytes`; `missing` is more than 0 if all that may be removed is not enough.
    ///
    /// It removes nothing. If this bundle's app does not run, its packs are removed before those of running apps.
    func victims(upTo bytes: Int64, keeping kept: Set<String>, isAppRunning: Bool = true) -> Victims {
        var missing = bytes
        var oldPartials: [PackName] = []
        let own = unwantedPartials(keeping: kept).filter { reservations[$0] == nil }.map { PackName(pack: $0) }
        let elsewhere = siblings.sorted { $0.key < $1.key }.flatMap { bundle, sibling in
            sibling.inventory.unwantedPartials(keeping: []).map { PackName(bundle: bundle, pack: $0) }
        }
        for name in own + elsewhere where missing > 0 {
            oldPartials.append(name)
            missing -= partial(named: name)
        }
        var oldPacks: [PackName] = []
        for name in purgeOrder(keeping: kept, isAppRunning: isAppRunning) where missing > 0 {
            oldPacks.append(name)
            missing -= pack(named: name)?.bytes ?? 0
        }
        return Victims(partials: oldPartials, packs: oldPacks, missing: max(0, missing))
    }

    /// Partial downloads of this bundle that no request in this or another process wants, sorted.
    func unwantedPartials(keeping kept: Set<String>) -> [String] {
        if othersMayPinAll { return [] }
        let kept = kept.union(wantedByOthers)
        return partials.keys.filter { !kept.contains($0) }.sorted()
    }

    /// Drops the entries of what was removed, and records which packs were purged.
    mutating func forget(_ victims: Victims) {
        strikeOut(victims, of: nil)
        for bundle in Set((victims.partials + victims.packs).compactMap(\.bundle)) {
            siblings[bundle]?.inventory.strikeOut(victims, of: bundle)
        }
    }

    private mutating func strikeOut(_ victims: Victims, of bundle: String?) {
        for name in victims.partials where name.bundle == bundle { partials[name.pack] = nil }
        for name in victims.packs where name.bundle == bundle {
            packs[name.pack] = nil
            index.packs[name.pack, default: .init()].isPurged = true
        }
    }

    /// A pack that may be removed, with the values that decide its turn.
    private struct Candidate {
        var name: PackName
        var isRunning: Bool
        var preservation: Double
        var lastUse: Int
        var bytes: Int64

        func goes(before other: Candidate) -> Bool {
            if isRunning != other.isRunning { return !isRunning }
            return (preservation, lastUse, -bytes, name)
                < (other.preservation, other.lastUse, -other.bytes, other.name)
        }
    }

    private func candidates(_ bundle: String?, isRunning: Bool, keeping kept: Set<String>) -> [Candidate] {
        if othersMayPinAll { return [] }
        let kept = kept.union(wantedByOthers)
        return packs.values.filter { !kept.contains($0.pack) }.map { pack in
            Candidate(
                name: PackName(bundle: bundle, pack: pack.pack), isRunning: isRunning,
                preservation: index.preservation(of: pack.tags), lastUse: index.packs[pack.pack]?.lastUse ?? 0,
                bytes: pack.bytes)
        }
    }

    /// The names of the packs that may be removed, in the order of purging; none if `keepsPacks` is set.
    ///
    /// First come packs of apps that do not run, then those of the lowest preservation priority, then those used
    /// longest ago (or never), then the larger ones. The app that asks counts as running, unless `isAppRunning` is
    /// false.
    func purgeOrder(keeping kept: Set<String>, isAppRunning: Bool = true) -> [PackName] {
        if keepsPacks { return [] }
        let elsewhere = siblings.flatMap { bundle, sibling in
            sibling.inventory.candidates(bundle, isRunning: sibling.isRunning, keeping: [])
        }
        return (candidates(nil, isRunning: isAppRunning, keeping: kept) + elsewhere)
            .sorted { $0.goes(before: $1) }.map(\.name)
    }
}
