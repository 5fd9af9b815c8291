/// The stretches of a byte line that have been sent more than once, and how often.
///
/// It keeps at most ``most`` stretches. Beyond that it forgets the lowest one, which then counts as sent only once.
struct ResentRanges {
    private struct Stretch {
        var start: Int64
        var end: Int64
        var count: Int
    }

    /// The stretches in order, without overlaps.
    private var stretches: [Stretch] = []

    static let most = 256

    /// Notes that `bytes` are sent again; returns how many times the first of them has been sent, this time included.
    mutating func send(_ bytes: Range<Int64>) -> Int {
        var index = firstIndex(endingAfter: bytes.lowerBound)
        var position = bytes.lowerBound
        var first = 0
        while position < bytes.upperBound {
            if index < stretches.count, stretches[index].start <= position {
                // Inside a stretch: the parts before and behind `bytes` keep their count.
                split(index, at: position)
                if stretches[index].end <= position { index += 1 }
                split(index, at: bytes.upperBound)
                stretches[index].count += 1
                if first == 0 { first = stretches[index].count }
                position = stretches[index].end
            } else {
                let next = index < stretches.count ? stretches[index].start : .max
                let end = min(next, bytes.upperBound)
                stretches.insert(Stretch(start: position, end: end, count: 2), at: index)
                if first == 0 { first = 2 }
                position = end
            }
            index += 1
        }
        if stretches.count > Self.most { stretches.removeFirst(stretches.count - Self.most) }
        return first
    }

    /// Forgets the stretches before `position`, which have arrived and are not sent again.
    mutating func forget(before position: Int64) {
        guard let first = stretches.first, first.end <= position else { return }
        stretches.removeFirst(firstIndex(endingAfter: position))
    }

    /// Divides a stretch at `position`, if that is inside it.
    private mutating func split(_ index: Int, at position: Int64) {
        let stretch = stretches[index]
        guard stretch.start < position, position < stretch.end else { return }
        stretches[index].end = position
        stretches.insert(Stretch(start: position, end: stretch.end, count: stretch.count), at: index + 1)
    }

    private func firstIndex(endingAfter position: Int64) -> Int {
        var low = 0
        var high = stretches.count
        while low < high {
            let middle = (low + high) / 2
            if stretches[middle].end <= position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
