import LinkModel
import LinuxSupport

/// The faults of a link that are active at the same time, in the order in which they began; the last one takes effect.
struct HeldFaults {
    struct Held {
        let id: Int
        let fault: LinkFault
        /// When it began, in nanoseconds of CLOCK_MONOTONIC.
        let since: Int64
        /// How often the client had reported each kind of moment before it began.
        let reports: [FaultSchedule.ClientMoment: Int]
    }

    private var stack: [Held] = []
    private var begun = 0

    /// Begins a fault, which takes precedence over all others; returns its identifier, `Held.id`.
    mutating func begin(_ fault: LinkFault, reports: [FaultSchedule.ClientMoment: Int]) -> Int {
        begun += 1
        stack.append(Held(id: begun, fault: fault, since: MonotonicClock.now, reports: reports))
        return begun
    }

    /// Ends the faults for which `isOver` is true, and returns whether the link must change.
    mutating func end(where isOver: (Held) -> Bool) -> Bool {
        let before = stack.last?.id
        stack.removeAll(where: isOver)
        return stack.last?.id != before
    }

    /// The change that puts the link into its state: that of the last fault, or its own profile if none is active.
    func application(to link: any ConditionedLink) -> @Sendable () async -> Void {
        let (effect, since) = (stack.last?.fault.effect, stack.last?.since ?? MonotonicClock.now)
        // Ignore errors: a link that is gone cannot change, and a link that refuses reports why in its verification at
        // the end.
        return switch effect {
        case .offline(let kind): { _ = try? await link.update { $0.offline = kind } }
        case .profile(let profile):
            { _ = try? await link.follow(profile, age: .nanoseconds(MonotonicClock.now - since)) }
        case .cut, .clientKilled, .deviceFull, nil: { _ = try? await link.release() }
        }
    }
}
