/// What a store remembers of its packs besides the packs themselves.
///
/// Losing it costs an order of purging, no pack.
struct StoreIndex: Codable, Hashable, Sendable {
    struct Entry: Codable, Hashable, Sendable {
        /// A number that grows with every use of any pack: the lowest was used longest ago.
        var lastUse = 0
        /// Whether the pack was here and was purged.
        var isPurged = false
    }

    /// Version of this form.
    var version = 1
    /// The number of the last use.
    var uses = 0
    /// What is known of each pack, by identifier.
    var packs: [String: Entry] = [:]
    /// Preservation priorities that differ from 0, by tag: 0 to 1, higher is purged later.
    var preservation: [String: Double] = [:]

    /// Whether every number can be counted on from: a file may say anything.
    var isSound: Bool {
        let numbers = packs.values.map(\.lastUse) + [uses]
        return version == 1 && numbers.allSatisfy { (0...Int(StoreGate.mostChanges)).contains($0) }
    }

    /// Notes that packs are used now, all at the same moment.
    ///
    /// `changes` is how many changes there were on the device: a later use of another bundle's pack has a higher number.
    mutating func use(_ used: Set<String>, after changes: Int64 = 0) {
        guard !used.isEmpty else { return }
        uses = max(uses, Int(changes)) + 1
        for pack in used { packs[pack, default: Entry()].lastUse = uses }
    }

    /// The preservation priority of a pack: the highest of its tags.
    func preservation(of tags: [String]) -> Double {
        tags.lazy.compactMap { preservation[$0] }.max() ?? 0
    }
}
