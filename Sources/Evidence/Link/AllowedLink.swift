import LinkModel

/// The most that a link may have let through in an attempt: by its profile, or by a fault's profile if that is better.
///
/// The end of a fault need not be known. A fault without a duration counts to the end, and one with a duration slightly
/// longer than it lasts.
struct AllowedLink {
    /// The profile of a fault, and when it may have been active, in time since the link came up.
    private struct Stretch {
        var profile: Profile
        var start: Duration
        var end: Duration?
    }

    /// The most by which the end of a fault, or a change of the profile, may be late.
    static let lateness = Duration.milliseconds(250)
    /// With faults, a profile with more changes than this has no ideal.
    private static let mostChanges = 10_000

    private let own: Profile
    private let stretches: [Stretch]

    init(_ own: Profile, played: [PlayedFault], linkStart: Int64) {
        self.own = own
        stretches = played.compactMap { played in
            guard case .profile(let profile) = played.fault.effect else { return nil }
            let start = Duration.nanoseconds(max(0, played.at - linkStart))
            return Stretch(
                profile: profile, start: start, end: played.fault.duration.map { start + $0 + Self.lateness })
        }
    }

    /// Whether a fault set another profile.
    var hasOthers: Bool { !stretches.isEmpty }

    /// Whether its limits may change over time.
    var varies: Bool { hasOthers || !own.changes.isEmpty || own.stall != nil }

    /// The best conditions that may have been active at a time since the link came up; a trace counts as unlimited.
    private func conditions(at time: Duration) -> LinkConditions {
        stretches.reduce(own.untraced(at: time)) { best, stretch in
            guard time >= stretch.start, stretch.end.map({ time < $0 }) ?? true else { return best }
            return best.better(stretch.profile.untraced(at: time - stretch.start))
        }
    }

    private func nextChange(after time: Duration) -> Duration? {
        let others = stretches.flatMap { stretch -> [Duration?] in
            guard time >= stretch.start else { return [stretch.start] }
            guard stretch.end.map({ time < $0 }) ?? true else { return [] }
            return [stretch.end, stretch.profile.nextChange(after: time - stretch.start).map { stretch.start + $0 }]
        }
        return (others + [own.nextChange(after: time)]).compactMap { $0 }.min()
    }

    /// One profile that allows everything that was allowed until `end`; nil if there is none.
    func profile(until end: Duration) -> Profile? {
        guard hasOthers else { return own }
        if own.hasTrace { return stretches.allSatisfy { $0.profile.isSlower(than: own) } ? own : nil }
        var profile = Profile(name: own.name, conditions: conditions(at: .zero))
        var time = Duration.zero
        while let next = nextChange(after: time), next <= end {
            guard profile.changes.count < Self.mostChanges else { return nil }
            profile.changes.append(.init(at: next, conditions: conditions(at: next)))
            time = next
        }
        return profile
    }

    /// The bits that may have crossed between two times; infinite if a rate was unlimited.
    func bits(_ direction: Direction, from start: Duration, to end: Duration) -> Double {
        var (sum, time) = (0.0, start)
        while time < end {
            guard let rate = conditions(at: time)[direction].rate else { return .infinity }
            let next = min(end, nextChange(after: time) ?? end)
            sum += Double(rate.bitsPerSecond) * (next - time).seconds
            time = next
        }
        return sum
    }

    /// The lowest and the highest mean loss that was set up to a time, from 0 to 1.
    func losses(_ direction: Direction, until end: Duration) -> ClosedRange<Double> {
        let reached = own.changes.filter { $0.at <= end }.map(\.conditions) + [own.conditions]
        let others = stretches.flatMap(\.profile.allConditions)
        let means = (reached + others).map { $0[direction].loss?.mean ?? 0 }
        return (means.min() ?? 0)...(means.max() ?? 0)
    }

    /// Whether bursty loss was set.
    func hasBursts(_ direction: Direction) -> Bool {
        ([own] + stretches.map(\.profile)).flatMap(\.allConditions).contains {
            if case .gilbertElliott? = $0[direction].loss { true } else { false }
        }
    }
}

extension Profile {
    fileprivate var hasTrace: Bool { downlinkTrace != nil || uplinkTrace != nil }

    fileprivate func untraced(at time: Duration) -> LinkConditions {
        var conditions = conditions(at: time)
        for direction in Direction.allCases where trace(direction) != nil { conditions[direction].rate = nil }
        return conditions
    }

    /// Whether it is never faster than another profile.
    fileprivate func isSlower(than other: Profile) -> Bool {
        Direction.allCases.allSatisfy { direction in
            let most =
                other.trace(direction)?.meanRate ?? other.conditions[direction].rate.map { Double($0.bitsPerSecond) }
            return trace(direction) == nil
                && allConditions.allSatisfy { conditions in
                    let rate = conditions[direction].rate.map { Double($0.bitsPerSecond) } ?? .infinity
                    return rate <= most ?? .infinity && conditions[direction].delay >= other.conditions[direction].delay
                }
        }
    }
}

extension LinkConditions {
    /// The better of both in each property that makes a transfer faster.
    fileprivate func better(_ other: Self) -> Self {
        var best = self
        for direction in Direction.allCases {
            let rates = [self[direction].rate, other[direction].rate].compactMap { $0?.bitsPerSecond }
            best[direction].rate = rates.count == 2 ? rates.max().map { BitRate(bitsPerSecond: $0) } : nil
            best[direction].delay = min(self[direction].delay, other[direction].delay)
        }
        best.dnsDelay = min(dnsDelay, other.dnsDelay)
        if other.offline == nil { best.offline = nil }
        best.isHeld = isHeld && other.isHeld
        return best
    }
}
