/// What a store remembers about its packs: uses, purges and priorities.
///
/// If it is lost, the order of purging is lost, but no pack.
struct StoreIndex: Codable, Hashable, Sendable {
    struct Entry: Codable, Hashable, Sendable {
        /// A number that grows with every use of any pack; the pack with the lowest was used longest ago.
        var lastUse = 0
        /// Whether the pack was stored once and was purged.
        var isPurged = false
    }

    /// The version of this file format.
    var version = 1
    /// The number of the last use.
    var uses = 0
    /// The use and purge of each pack, by identifier.
    var packs: [String: Entry] = [:]
    /// Preservation priorities other than 0, by tag: 0 to 1; packs with a higher one are purged later.
    var preservation: [String: Double] = [:]

    /// Whether the version and all numbers are valid; a file may hold anything.
    var isSound: Bool {
        let numbers = packs.values.map(\.lastUse) + [uses]
        return version == 1 && numbers.allSatisfy { (0...Int(StoreGate.mostChanges)).contains($0) }
    }

    /// Records that packs are used now, all at the same moment.
    ///
    /// `changes` is the number of changes on the device so far (default: 0). It makes a later use of another bundle's
    /// pack get a higher number.
    mutating func use(_ used: Set<String>, after changes: Int64 = 0) {
        guard !used.isEmpty else { return }
        uses = max(uses, Int(changes)) + 1
        for pack in used { packs[pack, default: Entry()].lastUse = uses }
    }

    /// The preservation priority of a pack: the highest of its tags; 0 unless set.
    func preservation(of tags: [String]) -> Double {
        tags.lazy.compactMap { preservation[$0] }.max() ?? 0
    }
}
