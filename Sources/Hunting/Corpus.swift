/// The behaviours seen so far, each with the simplest faults that showed it.
package struct Corpus: Sendable {
    package struct Entry: Sendable {
        package var candidate: Candidate
        /// Nil for early entries with several faults, because places take most of the memory.
        package var places: InterestingPlaces?
        /// How many attempts behaved like this.
        package var count: Int
    }

    package private(set) var entries: [Behaviour: Entry] = [:]
    /// Behaviours in the order in which they were first seen, so that drawing does not depend on hashes.
    private var order: [Behaviour] = []
    /// How many of the latest entries keep their places, whatever their faults.
    private static let mostPlaced = 1000

    package init() {}

    package var count: Int { entries.count }
    /// The faults of each entry, in the order in which the behaviours were first seen.
    package var candidates: [Candidate] { order.compactMap { entries[$0]?.candidate } }

    /// Adds an attempt, and returns whether its behaviour is new.
    package mutating func add(_ behaviour: Behaviour, _ candidate: Candidate, _ places: InterestingPlaces) -> Bool {
        if let known = entries[behaviour] {
            entries[behaviour]?.count += 1
            if candidate.faults.count < known.candidate.faults.count {
                entries[behaviour]?.candidate = candidate
                if known.places != nil { entries[behaviour]?.places = places }
            }
            return false
        }
        entries[behaviour] = Entry(candidate: candidate, places: places, count: 1)
        order.append(behaviour)
        if order.count > Self.mostPlaced {
            let early = order[order.count - 1 - Self.mostPlaced]
            if let known = entries[early], known.candidate.faults.count > 1 { entries[early]?.places = nil }
        }
        return true
    }

    /// Draws an entry, a rare behaviour more often; nil if there is none.
    func draw(_ random: inout some RandomNumberGenerator) -> Entry? {
        let first = order.randomElement(using: &random).flatMap { entries[$0] }
        let second = order.randomElement(using: &random).flatMap { entries[$0] }
        guard let first, let second else { return first }
        return first.count <= second.count ? first : second
    }
}
