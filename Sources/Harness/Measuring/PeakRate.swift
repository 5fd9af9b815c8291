/// The highest rate at which bytes really arrived, from the moments at which sockets took them.
///
/// It knows nothing of the model that shaped them.
enum PeakRate {
    /// Bits per second over the busiest stretch of at least `width` seconds and `leastBytes`; nil without such a stretch.
    ///
    /// All of it counts as `width` seconds where it took less: so many bytes did arrive within that time.
    static func bitsPerSecond(_ samples: [(at: Int64, total: Int64)], width: Double, leastBytes: Int64) -> Double? {
        var best: Double?
        var start = samples.startIndex
        for end in samples.indices {
            // The widest start that still leaves a stretch long enough.
            while start + 1 < end, seconds(samples[start + 1], samples[end]) >= width { start += 1 }
            let time = max(width, seconds(samples[start], samples[end]))
            let bytes = samples[end].total - samples[start].total
            guard bytes >= leastBytes else { continue }
            best = max(best ?? 0, Double(bytes) * 8 / time)
        }
        return best
    }

    private static func seconds(_ first: (at: Int64, total: Int64), _ last: (at: Int64, total: Int64)) -> Double {
        Double(last.at - first.at) / 1e9
    }
}
