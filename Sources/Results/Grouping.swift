extension Sequence {
    /// The elements with equal keys, in groups in the order of their first elements.
    package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [[Element]] {
        var places: [Key: Int] = [:]
        var groups: [[Element]] = []
        for element in self {
            let own = key(element)
            if let place = places[own] {
                groups[place].append(element)
            } else {
                places[own] = groups.count
                groups.append([element])
            }
        }
        return groups
    }
}

extension Sequence<Range<Int64>> {
    /// How many numbers are in at least one of the ranges.
    package var distinctCount: Int64 {
        var (count, reached) = (Int64(0), Int64.min)
        for range in sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > reached {
            count += range.upperBound - Swift.max(reached, range.lowerBound)
            reached = range.upperBound
        }
        return count
    }
}

extension Array {
    /// The elements, each with the same change.
    package func changingEach(_ change: (inout Element) -> Void) -> [Element] {
        var changed = self
        for index in changed.indices { change(&changed[index]) }
        return changed
    }
}
