/// A named link: its conditions in each direction, and how they change over time.
package struct Profile: Hashable, Sendable {
    /// Conditions that hold from a moment on.
    package struct Change: Hashable, Sendable {
        /// Time since the link came up.
        package var at: Duration
        package var conditions: LinkConditions

        package init(at: Duration, conditions: LinkConditions) {
            self.at = at
            self.conditions = conditions
        }
    }

    /// A stall that repeats: packets wait for `length` at the end of every `period`.
    package struct PeriodicStall: Hashable, Sendable {
        package var period: Duration
        package var length: Duration

        package init(period: Duration, length: Duration) {
            precondition(length > .zero && length < period, "a stall is shorter than its period")
            self.period = period
            self.length = length
        }
    }

    /// The name by which scenarios call it: lowercase letters, digits and hyphens.
    package var name: String
    /// The name that its source gives it.
    package var title: String
    /// One sentence on what it stands for.
    package var summary: String
    /// Where its numbers come from.
    package var source: String
    /// The conditions at the start.
    package var conditions: LinkConditions
    /// The conditions later, in order of time.
    package var changes: [Change]
    /// The period after which `changes` start again; nil: they happen once.
    package var repeatsEvery: Duration?
    package var stall: PeriodicStall?
    /// Replaces the rate of the downlink.
    package var downlinkTrace: DeliveryTrace?
    /// Replaces the rate of the uplink.
    package var uplinkTrace: DeliveryTrace?

    package init(
        name: String,
        title: String = "",
        summary: String = "",
        source: String = "",
        conditions: LinkConditions = LinkConditions(),
        changes: [Change] = [],
        repeatsEvery: Duration? = nil,
        stall: PeriodicStall? = nil,
        downlinkTrace: DeliveryTrace? = nil
    ) {
        self.name = name
        self.title = title
        self.summary = summary
        self.source = source
        self.conditions = conditions
        self.changes = changes
        self.repeatsEvery = repeatsEvery
        self.stall = stall
        self.downlinkTrace = downlinkTrace
    }

    /// The conditions at the start, and all later ones in order of time.
    package var allConditions: [LinkConditions] { [conditions] + changes.map(\.conditions) }

    package func trace(_ direction: Direction) -> DeliveryTrace? {
        direction == .downlink ? downlinkTrace : uplinkTrace
    }

    /// Whether the link lets everything pass at once, at all times.
    package var isUnshaped: Bool {
        allConditions.allSatisfy(\.isUnshaped) && stall == nil && downlinkTrace == nil && uplinkTrace == nil
    }

    /// The conditions at `time` after the link came up.
    package func conditions(at time: Duration) -> LinkConditions {
        let elapsed = time.nanoseconds
        let phase = repeatsEvery.map { elapsed % $0.nanoseconds } ?? elapsed
        var current = changes.last { $0.at.nanoseconds <= phase }?.conditions ?? conditions
        if let stall, elapsed % stall.period.nanoseconds >= stall.startNanoseconds { current.isHeld = true }
        return current
    }

    /// The first moment after `time` at which something changes; nil if nothing does any more.
    package func nextChange(after time: Duration) -> Duration? {
        let elapsed = time.nanoseconds
        var candidates: [Int64] = []
        if let period = repeatsEvery?.nanoseconds {
            let phase = elapsed % period
            let next = changes.first { $0.at.nanoseconds > phase }?.at.nanoseconds ?? period
            candidates.append(elapsed - phase + next)
        } else if let next = changes.first(where: { $0.at.nanoseconds > elapsed }) {
            candidates.append(next.at.nanoseconds)
        }
        if let stall {
            let phase = elapsed % stall.period.nanoseconds
            let edge = phase < stall.startNanoseconds ? stall.startNanoseconds : stall.period.nanoseconds
            candidates.append(elapsed - phase + edge)
        }
        return candidates.min().map(Duration.nanoseconds)
    }

    /// Whether a stream has to retransmit packets, in either direction, under the first conditions.
    package var mayLose: Bool {
        let conditions = conditions(at: .zero)
        return Direction.allCases.contains {
            (conditions[$0].loss?.mean ?? 0) > 0 || conditions[$0].corrupt != .zero
        }
    }

    /// A hash of what the link does, the same on every machine; names, titles and sources are not in it.
    package var fingerprint: UInt64 {
        var hash = SipHash(key0: 0, key1: 3)
        conditions.combine(into: &hash)
        hash.combine(UInt64(changes.count))
        for change in changes {
            hash.combine(change.at)
            change.conditions.combine(into: &hash)
        }
        hash.combine(repeatsEvery ?? .zero)
        hash.combine(stall?.period ?? .zero)
        hash.combine(stall?.length ?? .zero)
        for direction in Direction.allCases {
            let milliseconds = trace(direction)?.milliseconds ?? []
            hash.combine(UInt64(milliseconds.count))
            for moment in milliseconds { hash.combine(UInt64(moment)) }
        }
        return hash.finish()
    }
}

extension Profile.PeriodicStall {
    fileprivate var startNanoseconds: Int64 { period.nanoseconds - length.nanoseconds }
}

extension LinkConditions {
    fileprivate func combine(into hash: inout SipHash) {
        for direction in Direction.allCases { self[direction].combine(into: &hash) }
        hash.combine(offline.flatMap { OfflineKind.allCases.firstIndex(of: $0) }.map { UInt64($0) + 1 } ?? 0)
        hash.combine(isHeld ? 1 : 0)
        hash.combine(dnsDelay)
        hash.combine(UInt64(mtu))
    }
}

extension Conditions {
    fileprivate func combine(into hash: inout SipHash) {
        hash.combine(UInt64(bitPattern: rate?.bitsPerSecond ?? 0))
        hash.combine(delay)
        hash.combine(jitter?.amount ?? .zero)
        hash.combine(jitter?.distribution == .normal ? 1 : 0)
        switch loss {
        case nil: hash.combine(0)
        case .random(let ratio):
            hash.combine(1)
            hash.combine(ratio)
        case .gilbertElliott(let model):
            hash.combine(2)
            for ratio in [model.goodToBad, model.badToGood, model.lossInBad, model.lossInGood] { hash.combine(ratio) }
        }
        for ratio in [duplicate, reorder, corrupt] { hash.combine(ratio) }
        switch queue {
        case nil: hash.combine(0)
        case .bytes(let count):
            hash.combine(1)
            hash.combine(UInt64(bitPattern: count.bytes))
        case .packets(let count):
            hash.combine(2)
            hash.combine(UInt64(count))
        }
    }
}

extension SipHash {
    fileprivate mutating func combine(_ duration: Duration) { combine(UInt64(bitPattern: duration.nanoseconds)) }
    fileprivate mutating func combine(_ ratio: Ratio) { combine(UInt64(bitPattern: ratio.partsPerBillion)) }
}
