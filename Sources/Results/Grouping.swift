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

extension Array {
    /// The elements, each with the same change.
    package func changingEach(_ change: (inout Element) -> Void) -> [Element] {
        var changed = self
        for index in changed.indices { change(&changed[index]) }
        return changed
    }
}
