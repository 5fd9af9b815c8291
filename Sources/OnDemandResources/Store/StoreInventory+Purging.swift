/// Who must go when there is no room.
///
/// Packs of other bundles on the device are named by bundle and pack with a NUL between them, which no name has.
extension StoreInventory {
    /// The name of another bundle's pack.
    static func name(_ pack: String, of bundle: String) -> String { "\(bundle)\0\(pack)" }

    /// The bundle and the pack of a name; no bundle for a pack of one's own.
    static func parts(of name: String) -> (bundle: String?, pack: String) {
        let parts = name.split(separator: "\0", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : (nil, name)
    }

    /// A stored pack by its name.
    func pack(named name: String) -> StoredPack? {
        let (bundle, pack) = Self.parts(of: name)
        return bundle.map { siblings[$0]?.inventory.packs[pack] } ?? packs[pack]
    }

    /// Bytes of a partial download by its pack's name.
    func partial(named name: String) -> Int64 {
        let (bundle, pack) = Self.parts(of: name)
        return (bundle.map { siblings[$0]?.inventory.partials[pack] } ?? partials[pack]) ?? 0
    }

    /// Where a pack's files are, by its name.
    func layout(named name: String, own: StoreLayout) -> StoreLayout {
        Self.parts(of: name).bundle.flatMap { siblings[$0]?.layout } ?? own
    }

    /// Who must go so that `bytes` become free.
    ///
    /// Removes nothing.
    func victims(for bytes: Int64, keeping kept: Set<String>) -> Answer {
        var missing = bytes
        var oldPartials: [String] = []
        let elsewhere = siblings.sorted { $0.key < $1.key }.flatMap { bundle, sibling in
            sibling.inventory.unwantedPartials(keeping: []).map { Self.name($0, of: bundle) }
        }
        for name in unwantedPartials(keeping: kept) + elsewhere where missing > 0 && reservations[name] == nil {
            oldPartials.append(name)
            missing -= partial(named: name)
        }
        var oldPacks: [String] = []
        for name in purgeOrder(keeping: kept) where missing > 0 {
            oldPacks.append(name)
            missing -= pack(named: name)?.bytes ?? 0
        }
        return missing > 0 ? .refused(missing: missing) : .granted(partials: oldPartials, packs: oldPacks)
    }

    /// Partial downloads of this bundle's that no request wants, here or in another process, sorted.
    func unwantedPartials(keeping kept: Set<String>) -> [String] {
        let kept = kept.union(heldByOthers)
        return partials.keys.filter { !kept.contains($0) }.sorted()
    }

    /// Strikes out what was removed, and remembers which packs were purged.
    mutating func forget(partials oldPartials: [String], packs oldPacks: [String]) {
        for name in oldPartials {
            let (bundle, pack) = Self.parts(of: name)
            if let bundle { siblings[bundle]?.inventory.partials[pack] = nil } else { partials[pack] = nil }
        }
        for name in oldPacks {
            let (bundle, pack) = Self.parts(of: name)
            if let bundle { siblings[bundle]?.inventory.strikeOut(pack) } else { strikeOut(pack) }
        }
    }

    private mutating func strikeOut(_ pack: String) {
        packs[pack] = nil
        index.packs[pack, default: .init()].isPurged = true
    }

    /// A pack that may go, with what decides when.
    private struct Candidate {
        var name: String
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
        let kept = kept.union(heldByOthers)
        return packs.values.filter { !kept.contains($0.pack) }.map { pack in
            Candidate(
                name: bundle.map { Self.name(pack.pack, of: $0) } ?? pack.pack, isRunning: isRunning,
                preservation: index.preservation(of: pack.tags), lastUse: index.packs[pack.pack]?.lastUse ?? 0,
                bytes: pack.bytes)
        }
    }

    /// The names of the packs that may go, the first to go first: those of apps that do not run, then lowest
    /// preservation priority, then used longest ago (never, before all), then the larger one.
    ///
    /// The app that asks runs.
    func purgeOrder(keeping kept: Set<String>) -> [String] {
        let elsewhere = siblings.flatMap { bundle, sibling in
            sibling.inventory.candidates(bundle, isRunning: sibling.isRunning, keeping: [])
        }
        return (candidates(nil, isRunning: true, keeping: kept) + elsewhere)
            .sorted { $0.goes(before: $1) }.map(\.name)
    }
}
