internal import Dispatch

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

extension RandomAccessCollection where Self: Sendable {
    /// The results of `body` for each element, in order, computed in parallel on all processors.
    ///
    /// For work of a millisecond or more: the calling thread takes part, and waits for the others.
    package func concurrentMap<Value: Sendable>(_ body: @Sendable (Element) -> Value) -> [Value] {
        guard count > 1 else { return map(body) }
        var values = [Value?](repeating: nil, count: count)
        values.withUnsafeMutableBufferPointer { places in
            // Each place is written once, by the one call that has its offset.
            nonisolated(unsafe) let places = places
            DispatchQueue.concurrentPerform(iterations: count) { offset in
                places[offset] = body(self[index(startIndex, offsetBy: offset)])
            }
        }
        return values.compactMap(\.self)
    }

    /// The elements in stretches of `length`; the last one may be shorter.
    package func stretches(of length: Int) -> [SubSequence] {
        stride(from: 0, to: count, by: length).map { dropFirst($0).prefix(length) }
    }
}
