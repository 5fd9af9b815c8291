/// How far a byte line has arrived without a gap, and what has arrived behind gaps.
///
/// Bounded: of more than ``most`` stretches behind gaps the last is forgotten, until it is acknowledged.
struct ReceivedRanges {
    /// Where the first gap starts.
    private(set) var end: Int64 = 0
    /// Ordered, behind `end`, with gaps between them.
    private var islands: [Range<Int64>] = []

    static let most = 256

    /// Notes that `bytes` have arrived.
    mutating func add(_ bytes: Range<Int64>) {
        guard bytes.lowerBound > end else {
            advance(to: bytes.upperBound)
            return
        }
        var merged = bytes
        let first = islands.firstIndex { $0.upperBound >= merged.lowerBound } ?? islands.endIndex
        var last = first
        while last < islands.endIndex, islands[last].lowerBound <= merged.upperBound {
            merged = min(merged.lowerBound, islands[last].lowerBound)..<max(merged.upperBound, islands[last].upperBound)
            last += 1
        }
        islands.replaceSubrange(first..<last, with: CollectionOfOne(merged))
        if islands.count > Self.most { islands.removeLast() }
    }

    /// Notes that everything before `position` has arrived.
    mutating func advance(to position: Int64) {
        guard position > end else { return }
        end = position
        var reached = islands.startIndex
        while reached < islands.endIndex, islands[reached].lowerBound <= end {
            end = max(end, islands[reached].upperBound)
            reached += 1
        }
        if reached > 0 { islands.removeFirst(reached) }
    }
}
