/// How far one request is, in bytes of the packs that it has to fetch.
///
/// It never goes back, and is complete only when the request is told that it is.
struct ProgressMeter: Hashable, Sendable {
    /// One pack's part.
    struct Part: Hashable, Sendable {
        /// Bytes that have arrived.
        var completed: Int64
        /// Bytes of the whole; the best that is known so far.
        var total: Int64
    }

    /// What is shown.
    struct Reading: Hashable, Sendable {
        /// 0 to 1; below 1 until the request is available.
        var fraction: Double
        /// Bytes that have arrived.
        var completed: Int64
        /// Bytes of all packs that had to be fetched.
        var total: Int64
    }

    /// The most that is shown of a request that is not available: all bytes may be there, and the pack still be wrong.
    static let ceiling = 0.999

    private(set) var parts: [String: Part]
    private(set) var reading: Reading

    /// A meter over these packs.
    init(parts: [String: Part]) {
        self.parts = parts
        reading = Reading(fraction: 0, completed: 0, total: 0)
        reading = next()
    }

    /// Takes what is known now of one pack; packs of other requests are passed over.
    mutating func update(_ pack: String, _ part: Part) {
        if parts[pack] != nil { parts[pack] = part }
    }

    /// The new reading, if it differs from the last one.
    mutating func advance() -> Reading? {
        let next = next()
        guard next != reading else { return nil }
        reading = next
        return next
    }

    /// The last reading of all: everything is there.
    mutating func finish() -> Reading {
        let total = parts.values.map(\.total).clampedSum
        reading = Reading(fraction: 1, completed: total, total: total)
        return reading
    }

    private func next() -> Reading {
        let total = parts.values.map(\.total).clampedSum
        let sum = parts.values.map { min($0.completed, $0.total) }.clampedSum
        // A file that is fetched once more from zero must not take the bar back.
        let completed = max(reading.completed, min(sum, total))
        let fraction = total > 0 ? min(Self.ceiling, Double(completed) / Double(total)) : 0
        return Reading(fraction: max(reading.fraction, fraction), completed: completed, total: total)
    }
}
