/// How long a download that is not urgent lets bytes gather before it reads again.
///
/// One read for many packets costs the processor less than one read for each. It rests for as long as `enough` bytes
/// take at the fastest recent rate. So the kernel's buffer never fills, nor does the window that the host may fill.
/// Towards the end it rests less and less, so that the last bytes do not wait. While a download still speeds up, it
/// does not rest at all: until the window is as large as the link needs, the host waits for each read. Times are
/// nanoseconds of CLOCK_MONOTONIC; it reads no clock itself.
package struct ReceiveCoalescer: Sendable {
    /// Bytes that may gather; 32 KiB unless set, half of the smallest window that Linux begins with (tcp(7), tcp_rmem).
    var enough: Int64
    /// The longest rest, in nanoseconds; 50 ms unless set, the interval of progress reports.
    var longest: Int64
    /// The first bytes of each body, which do not wait; 64 KiB unless set.
    var beginning: Int64
    /// The time over which bytes are counted to see whether a download speeds up, in nanoseconds; 200 ms unless set.
    var spell: Int64

    /// The shortest time between two reads that gives a rate, in nanoseconds: a burst counts as one.
    private static let shortestSample: Int64 = 1_000_000
    /// The time over which the weight of a fast rate falls to nothing, in nanoseconds.
    private static let memory = 1_000_000_000.0

    /// When the sample began; nil before the first bytes.
    private var since: Int64?
    private var bytes: Int64 = 0
    /// The fastest recent rate, in bytes for each nanosecond.
    private var fastest = 0.0
    /// When the spell began, and its bytes so far.
    private var spellStart: Int64?
    private var spellBytes: Int64 = 0
    /// The rates of the last spell and of the one before it, in bytes for each nanosecond.
    private var (last, before): (Double?, Double?) = (nil, nil)

    package init(
        enough: Int64 = 32 << 10, longest: Duration = .milliseconds(50), beginning: Int64 = 64 << 10,
        spell: Duration = .milliseconds(200)
    ) {
        self.beginning = beginning
        self.spell = spell.nanoseconds
        self.enough = enough
        self.longest = longest.nanoseconds
    }

    /// Counts the bytes that a read brought.
    mutating func took(_ count: Int64, at now: Int64) {
        notice(count, at: now)
        guard let start = since else {
            since = now
            return
        }
        bytes += count
        let passed = now - start
        guard passed >= Self.shortestSample else { return }
        let rate = Double(bytes) / Double(passed)
        fastest = max(rate, fastest * max(0, 1 - Double(passed) / Self.memory))
        (since, bytes) = (now, 0)
    }

    /// Drops the current samples, because nothing is being received: idle time says nothing about a rate.
    mutating func stand() { (since, bytes, spellStart, spellBytes, last, before) = (nil, 0, nil, 0, nil, nil) }

    /// Counts bytes by spells.
    private mutating func notice(_ count: Int64, at now: Int64) {
        guard let start = spellStart else {
            spellStart = now
            return
        }
        spellBytes += count
        guard now - start >= spell else { return }
        (before, last) = (last, Double(spellBytes) / Double(max(1, now - start)))
        (spellStart, spellBytes) = (now, 0)
    }

    /// Whether the last spell was at most a quarter faster than the one before it.
    private var isSteady: Bool {
        guard let last, let before else { return false }
        return last <= before * 1.25
    }

    /// How long to rest now, in nanoseconds; 0 for not at all.
    ///
    /// `left` are the bytes that are still to come; nil if that is not known.
    func rest(left: Int64?) -> Int64 {
        guard fastest > 0, isSteady else { return 0 }
        var rest = min(Double(longest), Double(enough) / fastest)
        if let left { rest = min(rest, Double(left) / fastest / 2) }
        // A shorter rest costs more than it saves.
        return rest < 1_000_000 ? 0 : Int64(rest)
    }
}
