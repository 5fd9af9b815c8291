/// Who must go when there is no room.
extension StoreInventory {
    /// What goes for a wish for room.
    struct Victims {
        var partials: [PackName] = []
        var packs: [PackName] = []
        /// Bytes that do not become free by that.
        var missing: Int64 = 0
    }

    /// A stored pack by its name.
    func pack(named name: PackName) -> StoredPack? {
        guard let bundle = name.bundle else { return packs[name.pack] }
        return siblings[bundle]?.inventory.packs[name.pack]
    }

    /// Bytes of a partial download by its pack's name.
    func partial(named name: PackName) -> Int64 {
        guard let bundle = name.bundle else { return partials[name.pack] ?? 0 }
        return siblings[bundle]?.inventory.partials[name.pack] ?? 0
    }

    /// Where a pack's files are, by its name.
    func layout(named name: PackName, own: StoreLayout) -> StoreLayout {
        name.bundle.flatMap { siblings[$0]?.layout } ?? own
    }

    /// Who must go so that `bytes` become free.
    ///
    /// Removes nothing.
    func victims(for bytes: Int64, keeping kept: Set<String>) -> Answer {
        let found = victims(upTo: bytes, keeping: kept)
        guard found.missing == 0 else { return .refused(missing: found.missing) }
        return .granted(partials: found.partials, packs: found.packs)
    }

    /// Who goes for `bytes`, and how many bytes are missing where all who may go are not enough.
    ///
    /// Where this bundle's app does not run, its packs go before those of apps that do.
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

    /// Partial downloads of this bundle's that no request wants, here or in another process, sorted.
    func unwantedPartials(keeping kept: Set<String>) -> [String] {
        if othersMayPinAll { return [] }
        let kept = kept.union(wantedByOthers)
        return partials.keys.filter { !kept.contains($0) }.sorted()
    }

    /// Strikes out what was removed, and remembers which packs were purged.
    mutating func forget(partials oldPartials: [PackName], packs oldPacks: [PackName]) {
        for name in oldPartials {
            if let bundle = name.bundle {
                siblings[bundle]?.inventory.partials[name.pack] = nil
            } else {
                partials[name.pack] = nil
            }
        }
        for name in oldPacks {
            if let bundle = name.bundle {
                siblings[bundle]?.inventory.strikeOut(name.pack)
            } else {
                strikeOut(name.pack)
            }
        }
    }

    private mutating func strikeOut(_ pack: String) {
        packs[pack] = nil
        index.packs[pack, default: .init()].isPurged = true
    }

    /// A pack that may go, with what decides when.
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

    /// The names of the packs that may go, the first to go first: those of apps that do not run, then lowest
    /// preservation priority, then used longest ago (never, before all), then the larger one.
    ///
    /// The app that asks runs, unless it is said that it does not.
    func purgeOrder(keeping kept: Set<String>, isAppRunning: Bool = true) -> [PackName] {
        if keepsPacks { return [] }
        let elsewhere = siblings.flatMap { bundle, sibling in
            sibling.inventory.candidates(bundle, isRunning: sibling.isRunning, keeping: [])
        }
        return (candidates(nil, isRunning: isAppRunning, keeping: kept) + elsewhere)
            .sorted { $0.goes(before: $1) }.map(\.name)
    }
}
