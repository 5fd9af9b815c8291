import Foundation

/// Writes event lines, as in docs/reference/events.md: one line per event, each with one write.
final class Events: Sendable {
    private let descriptor: Int32?
    private let lock = NSLock()
    nonisolated(unsafe) private var count = 0

    /// Writes to a descriptor; nil writes nothing.
    init(_ descriptor: Int32?) { self.descriptor = descriptor }

    func tell(_ event: String, _ members: [String: Any?] = [:]) {
        guard let descriptor else { return }
        lock.withLock {
            count += 1
            var line: [String: Any] = members.compactMapValues { $0 }
            line["v"] = 1
            line["t"] = Clock.nanoseconds
            line["event"] = event
            line["n"] = count
            guard var data = try? JSONSerialization.data(withJSONObject: line, options: [.withoutEscapingSlashes])
            else { return }
            data.append(0x0A)
            _ = data.withUnsafeBytes { bytes in bytes.baseAddress.map { write(descriptor, $0, bytes.count) } }
        }
    }
}

/// The progress of one request: at most twenty reports a second, never falling, and 1 at the end.
final class Bar {
    private let id: String
    private let events: Events
    private let bugs: Bugs
    private var told = 0.0
    private var last = -1.0
    /// The share that was reported before the bar fell.
    private var peak: Double?
    /// The share that was really received.
    private(set) var share = 0.0

    init(_ id: String, _ events: Events, _ bugs: Bugs) { (self.id, self.events, self.bugs) = (id, events, bugs) }

    func progress(_ completed: Int64, of total: Int64) {
        share = max(share, total > 0 ? min(Double(completed) / Double(total), 0.999) : 0)
        let now = Clock.seconds
        guard now - last >= 0.05 else { return }
        last = now
        tell(drawn, completed, total)
    }

    /// Reports the end of the download.
    func finish(_ total: Int64) { tell(1, total, total) }

    /// The share that is reported.
    private var drawn: Double {
        var drawn = share
        // BUG: as if it were complete.
        if bugs.has(.progressJumpsEarly), share >= bugs.jump { return 1 }
        // BUG: less than before.
        if bugs.has(.progressGoesBack), share >= bugs.jump {
            guard let peak else {
                peak = share
                return share
            }
            return min(share - bugs.fall, peak - 0.1)
        }
        // BUG: no further.
        if bugs.has(.progressStandsStill) { drawn = min(share, bugs.stop) }
        // BUG: two counters add the same bytes.
        if bugs.has(.progressCountsTwice) { drawn = min(1, share + max(0, share - bugs.doubleFrom)) }
        told = max(told, drawn)
        return told
    }

    private func tell(_ fraction: Double, _ completed: Int64, _ total: Int64) {
        events.tell("progress", ["id": id, "fraction": fraction, "completed": completed, "total": total])
    }
}
