/// Counts durations in buckets that are a sixteenth of their value wide, so its size does not grow with the values.
struct LatenessHistogram: Sendable, Equatable {
    private static let bitsOfPrecision = 4

    private var counts = [Int](repeating: 0, count: 64 << bitsOfPrecision)
    private var greatest: Int64 = 0
    private(set) var count = 0

    /// The largest duration, exactly; `nil` if there is none.
    var largest: Duration? { count == 0 ? nil : .nanoseconds(greatest) }

    /// Counts a duration in nanoseconds; a negative one counts as 0.
    mutating func record(_ nanoseconds: Int64) {
        let value = max(0, nanoseconds)
        counts[Self.bucket(value)] += 1
        count += 1
        greatest = max(greatest, value)
    }

    /// The duration that a `share` (0 to 1) of all do not exceed, rounded up to the end of a bucket; `nil` if there is
    /// none.
    func quantile(_ share: Double) -> Duration? {
        guard count > 0 else { return nil }
        var left = min(count, max(1, Int((Double(count) * share).rounded(.up))))
        for (bucket, number) in counts.enumerated() {
            left -= number
            if left <= 0 { return .nanoseconds(min(Self.end(of: bucket), greatest)) }
        }
        return largest
    }

    private static func bucket(_ value: Int64) -> Int {
        // Below 16 every value has its own bucket. Above, the highest bit and the four after it select the bucket.
        let shift = max(0, Int64.bitWidth - value.leadingZeroBitCount - bitsOfPrecision - 1)
        return shift << bitsOfPrecision + Int(value >> shift)
    }

    private static func end(of bucket: Int) -> Int64 {
        let step = 1 << bitsOfPrecision
        guard bucket >= 2 * step else { return Int64(bucket) }
        let shift = bucket / step - 1
        return Int64(bucket - shift * step + 1) << shift - 1
    }
}
