/// The bytes of a byte line that have arrived: those before the first gap, and ranges behind gaps.
///
/// It keeps at most ``most`` ranges behind gaps. Beyond that it forgets the last one, whose bytes count again once they
/// are acknowledged.
struct ReceivedRanges {
    /// The start of the first gap.
    private(set) var end: Int64 = 0
    /// The ranges behind `end`, in order, with gaps between them.
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
