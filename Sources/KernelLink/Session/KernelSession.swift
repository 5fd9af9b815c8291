package import LinkModel
import LinuxSupport
import Synchronization

/// A link of a router's queues: it follows its profile, and observes the packets that leave.
package actor KernelSession: ConditionedLink {
    private let link: KernelLink
    /// Counts the packets that leave the router; moves none.
    private let packets: any ConditionedLink
    private let setup: LinkSetup
    private let start: Instant
    private var account = KernelAccount()
    /// The profile that the link follows, and since when; nil: conditions were set by hand.
    private var followed: (profile: Profile, start: Instant)?
    private var following: Task<Void, Never>?
    private var isUp = true
    /// The first change that the kernel has refused; ``verify()`` throws it too, because the caller may not report it.
    private var failure: (any Error)?

    /// The most events that wait for a reader; further ones are dropped, and counted.
    private static let mostEvents = 65_536
    private let dropped = Mutex(0)
    package nonisolated let events: any AsyncSequence<LinkEvent, Never> & Sendable
    private let continuation: AsyncStream<LinkEvent>.Continuation

    /// Takes over a link that has come up with all that `setup` foresees.
    ///
    /// `packets` is a link that lets all packets pass, and sees what has left the queues.
    package init(_ link: KernelLink, watchedBy packets: any ConditionedLink, _ setup: LinkSetup) {
        (self.link, self.packets, self.setup) = (link, packets, setup)
        start = Instant(nanoseconds: MonotonicClock.now)
        let (events, continuation) = AsyncStream<LinkEvent>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.mostEvents))
        (self.events, self.continuation) = (events, continuation)
        continuation.yield(
            LinkEvent(at: start, connection: 0, kind: .conditions(conditions: link.conditions, generation: 0)))
    }

    /// Starts to follow the profile, and to report packets.
    package func begin() {
        let seen = self.packets.events
        Task {
            for await event in seen {
                // The observed link is unshaped; its conditions are not those of this link.
                if case .conditions = event.kind { continue }
                tell(event)
            }
            continuation.finish()
        }
        keepFollowing(setup.profile, since: start)
    }

    package var conditions: LinkConditions {
        get throws {
            guard isUp else { throw KernelLinkError.closed }
            return link.conditions
        }
    }

    @discardableResult
    package func update(_ change: @escaping @Sendable (inout LinkConditions) -> Void) throws -> Int {
        var conditions = try conditions
        change(&conditions)
        stopFollowing()
        return try apply(conditions)
    }

    @discardableResult
    package func follow(_ profile: Profile, age: Duration) throws -> Int {
        stopFollowing()
        return try follow(profile, since: now + (.zero - age))
    }

    @discardableResult
    package func release() throws -> Int {
        stopFollowing()
        return try follow(setup.profile, since: start)
    }

    /// Always throws, because queues do not know connections.
    package func cut() throws { throw KernelLinkError.inexpressible([KernelObstacles.cut]) }

    /// Throws if a change was refused, or a queue is not as it was set.
    package func verify() throws {
        guard isUp else { throw KernelLinkError.closed }
        if let failure { throw failure }
        try link.verify()
    }

    /// What has crossed the link so far; also available after ``close()``, as long as the link's scope lasts.
    package func use() async throws -> LinkUse {
        var use = try await packets.use()
        use.model = try counters(seen: use.model)
        use.record = setup.isCertain ? FaultRecord(seed: setup.seed, profile: setup.profile.fingerprint) : nil
        use.isLossKnown = !setup.doublesPackets
        use.droppedEvents += dropped.withLock { $0 }
        return use
    }

    /// Stops following the profile, and reporting; the queues stay until the link's scope ends.
    package func close() async throws {
        stopFollowing()
        isUp = false
        try await packets.close()
    }

    private func counters(seen: LinkCounters) throws -> LinkCounters {
        account.note(try link.counters(), under: link.conditions)
        return account.counters(seen: seen)
    }

    private var now: Instant { Instant(nanoseconds: MonotonicClock.now) }

    private func apply(_ conditions: LinkConditions) throws -> Int {
        guard isUp else { throw KernelLinkError.closed }
        account.note(try link.counters(), under: link.conditions)
        let generation: Int
        do {
            generation = try link.set(conditions)
        } catch {
            // The caller may not report the error.
            failure = failure ?? error
            throw error
        }
        tell(LinkEvent(at: now, connection: 0, kind: .conditions(conditions: conditions, generation: generation)))
        return generation
    }

    private nonisolated func tell(_ event: LinkEvent) {
        if case .dropped = continuation.yield(event) { dropped.withLock { $0 += 1 } }
    }

    private func stopFollowing() {
        following?.cancel()
        (following, followed) = (nil, nil)
    }

    private func follow(_ profile: Profile, since start: Instant) throws -> Int {
        let generation = try apply(profile.conditions(at: start.duration(to: now)))
        keepFollowing(profile, since: start)
        return generation
    }

    private func keepFollowing(_ profile: Profile, since start: Instant) {
        followed = (profile, start)
        following = Task { [weak self] in
            var age = start.duration(to: Instant(nanoseconds: MonotonicClock.now))
            while let next = profile.nextChange(after: age) {
                let left = Instant(nanoseconds: MonotonicClock.now).duration(to: start + next)
                guard (try? await Task.sleep(for: max(.zero, left))) != nil else { return }
                // The clock of the sleep is another one, and may have counted less.
                age = max(next, start.duration(to: Instant(nanoseconds: MonotonicClock.now)))
                guard await self?.reach(age) == true else { return }
            }
        }
    }

    /// Applies the conditions of the profile at an age; returns false if it is no longer followed.
    private func reach(_ age: Duration) -> Bool {
        guard let followed, !Task.isCancelled else { return false }
        return (try? apply(followed.profile.conditions(at: age))) != nil
    }
}
