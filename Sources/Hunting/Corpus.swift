/// The behaviours seen so far, each with the simplest faults that showed it.
package struct Corpus: Sendable {
    package struct Entry: Sendable {
        package var candidate: Candidate
        /// Nil for early entries with several faults, because places take most of the memory.
        package var places: InterestingPlaces?
        /// How many attempts behaved like this.
        package var count: Int
    }

    /// In the order in which the behaviours were first seen, so that drawing does not depend on hashes.
    private var entries: [Entry] = []
    private var indices: [Behaviour: Int] = [:]
    /// How many of the latest entries keep their places, whatever their faults.
    private static let mostPlaced = 1000

    package init() {}

    package var count: Int { entries.count }
    /// The faults of each entry, in the order in which the behaviours were first seen.
    package var candidates: [Candidate] { entries.map(\.candidate) }

    /// Adds an attempt, and returns whether its behaviour is new.
    package mutating func add(_ behaviour: Behaviour, _ candidate: Candidate, _ places: InterestingPlaces) -> Bool {
        if let index = indices[behaviour] {
            entries[index].count += 1
            if candidate.faults.count < entries[index].candidate.faults.count {
                entries[index].candidate = candidate
                if entries[index].places != nil { entries[index].places = places }
            }
            return false
        }
        indices[behaviour] = entries.count
        entries.append(Entry(candidate: candidate, places: places, count: 1))
        let early = entries.count - 1 - Self.mostPlaced
        if early >= 0, entries[early].candidate.faults.count > 1 { entries[early].places = nil }
        return true
    }

    /// Draws an entry, a rare behaviour more often; nil if there is none.
    func draw(_ random: inout some RandomNumberGenerator) -> Entry? {
        guard let first = entries.randomElement(using: &random), let second = entries.randomElement(using: &random)
        else { return nil }
        return first.count <= second.count ? first : second
    }
}
