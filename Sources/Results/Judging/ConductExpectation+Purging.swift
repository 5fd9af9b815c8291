import Wording

/// Judges which packs were purged, in which order, and which were kept.
extension ConductExpectation {
    static func purged(_ conduct: ConductRecord) -> Sight {
        guard let wanted = conduct.toBePurged else { return .unseen("the packs to purge are unknown") }
        guard let purges = conduct.purges else {
            return wanted.isEmpty ? .holds("the client reports no purge") : .unseen("the client reported no purge")
        }
        if let early = purges.first(where: { $0.isUnannounced == true }) {
            return .broken("'\(conduct.name(of: early.pack))' was purged before the low-space notification was posted")
        }
        let names = purges.map { conduct.name(of: $0.pack) }
        let text = names.isEmpty ? "nothing was purged" : "purged in this order: \(names.quoted(most: 5))"
        return isInOrder(purges.map(\.pack), wanted) ? .holds(text) : .broken(text)
    }

    /// Whether the packs are those of the groups, one group after the other; the order within a group is free.
    private static func isInOrder(_ packs: [String], _ groups: [ConductRecord.NamedPacks]) -> Bool {
        var rest = packs[...]
        for group in groups {
            let count = group.packs.count
            guard rest.prefix(count).sorted() == group.packs.sorted() else { return false }
            rest = rest.dropFirst(count)
        }
        return rest.isEmpty
    }

    static func kept(_ conduct: ConductRecord) -> Sight {
        guard let wanted = conduct.toBeKept else { return .unseen("the packs to keep are unknown") }
        let purged = Set((conduct.purges ?? []).map(\.pack))
        if let pack = wanted.first(where: { purged.contains($0.pack) }) { return .broken("'\(pack.name)' was purged") }
        if let pack = wanted.first(where: { $0.isThere == false }) { return .broken("'\(pack.name)' is not stored") }
        guard wanted.allSatisfy({ $0.isThere == true }) else {
            return .unseen("the client's store could not be read")
        }
        return .holds("kept: \(wanted.map(\.name).quoted(most: 5))")
    }
}
