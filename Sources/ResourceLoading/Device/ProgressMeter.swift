/// The progress of one request, in bytes of the packs that it has to fetch.
///
/// It never goes back, and is complete only when the request is available.
struct ProgressMeter: Hashable, Sendable {
    /// One pack's part.
    struct Part: Hashable, Sendable {
        /// Bytes that have arrived.
        var completed: Int64
        /// Bytes of the whole, as far as known.
        var total: Int64
    }

    /// The progress that is reported.
    struct Reading: Hashable, Sendable {
        /// 0 to 1; below 1 until the request is available.
        var fraction: Double
        /// Bytes that have arrived.
        var completed: Int64
        /// Bytes of all packs that had to be fetched.
        var total: Int64
    }

    /// The highest fraction before the request is available: all bytes may be there, and the pack may still be wrong.
    static let ceiling = 0.999

    private(set) var parts: [String: Part]
    private(set) var reading: Reading

    /// A meter over these packs.
    init(parts: [String: Part]) {
        self.parts = parts
        reading = Reading(fraction: 0, completed: 0, total: 0)
        reading = next()
    }

    /// Updates one pack; packs of other requests are ignored.
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

    /// The last reading: everything is there.
    mutating func finish() -> Reading {
        let total = parts.values.map(\.total).clampedSum
        reading = Reading(fraction: 1, completed: total, total: total)
        return reading
    }

    private func next() -> Reading {
        let total = parts.values.map(\.total).clampedSum
        let sum = parts.values.map { min($0.completed, $0.total) }.clampedSum
        // A file that is fetched again from zero must not move the progress back.
        let completed = max(reading.completed, min(sum, total))
        let fraction = total > 0 ? min(Self.ceiling, Double(completed) / Double(total)) : 0
        return Reading(fraction: max(reading.fraction, fraction), completed: completed, total: total)
    }
}
