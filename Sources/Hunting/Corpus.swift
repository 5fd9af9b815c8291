/// What was seen so far: for each behaviour the simplest faults that showed it.
package struct Corpus: Sendable {
    package struct Entry: Sendable {
        package var candidate: Candidate
        /// Nil for one that was read from a file, until it is played.
        package var places: InterestingPlaces?
        /// How many attempts behaved so.
        package var count: Int
    }

    package private(set) var entries: [Behaviour: Entry] = [:]
    /// Behaviours in the order in which they were seen first: what is drawn must not depend on hashes.
    private var order: [Behaviour] = []

    package init() {}

    package var count: Int { entries.count }
    /// The faults of each entry, in the order in which they were seen first.
    package var candidates: [Candidate] { order.compactMap { entries[$0]?.candidate } }

    /// Takes note of an attempt; says whether its behaviour is new.
    package mutating func add(_ behaviour: Behaviour, _ candidate: Candidate, _ places: InterestingPlaces) -> Bool {
        if let known = entries[behaviour] {
            entries[behaviour]?.count += 1
            if candidate.faults.count < known.candidate.faults.count {
                entries[behaviour]?.candidate = candidate
                entries[behaviour]?.places = places
            }
            return false
        }
        entries[behaviour] = Entry(candidate: candidate, places: places, count: 1)
        order.append(behaviour)
        return true
    }

    /// One of the entries, rare ones more often.
    func draw(_ random: inout some RandomNumberGenerator) -> Entry? {
        let first = order.randomElement(using: &random).flatMap { entries[$0] }
        let second = order.randomElement(using: &random).flatMap { entries[$0] }
        guard let first, let second else { return first }
        return first.count <= second.count ? first : second
    }
}
