import KernelLink
package import LinkModel
import LinuxSupport
package import PacketLink

/// The queues of a sandbox's router while they are a link: they follow its profile, and what leaves them is watched.
package actor KernelSession {
    private let link: KernelLink
    /// Keeps account of the packets that leave the router; moves none.
    private let packets: PacketLink
    private let setup: KernelSetup
    private let start: Instant
    private var account = KernelAccount()
    /// What the link follows, and since when; nil: what was set by hand.
    private var followed: (profile: Profile, start: Instant)?
    private var following: Task<Void, Never>?
    /// What the kernel has refused while nobody waited for it.
    private var failure: (any Error)?

    /// What happens, in order, for one reader; ends when the link is taken down.
    nonisolated let events: AsyncStream<LinkEvent>
    private let continuation: AsyncStream<LinkEvent>.Continuation

    init(_ link: KernelLink, _ packets: PacketLink, _ setup: KernelSetup) {
        (self.link, self.packets, self.setup) = (link, packets, setup)
        start = Instant(nanoseconds: MonotonicClock.now)
        (events, continuation) = AsyncStream.makeStream()
        continuation.yield(LinkEvent(at: start, connection: 0, kind: .conditions(link.conditions, generation: 0)))
    }

    /// Begins to follow the profile, and to tell of packets.
    func begin() {
        let (seen, continuation) = (self.packets.events, self.continuation)
        Task {
            for await event in seen {
                guard let event = LinkEvent(event) else { continue }
                // The watched link is an open one.
                if case .conditions = event.kind { continue }
                continuation.yield(event)
            }
            continuation.finish()
        }
        keepFollowing(setup.profile, since: start)
    }

    /// What holds now.
    package var conditions: LinkConditions { link.conditions }

    /// Lets `conditions` hold from now on, whatever the profile says, and returns the new generation.
    @discardableResult
    package func set(_ conditions: LinkConditions) throws -> Int {
        stopFollowing()
        return try apply(conditions)
    }

    /// Changes some of what holds now, in one step, and returns the new generation.
    @discardableResult
    package func update(_ change: @Sendable (inout LinkConditions) -> Void) throws -> Int {
        var conditions = link.conditions
        change(&conditions)
        return try set(conditions)
    }

    /// Follows `profile` from now on, as if the link had come up with it `age` ago, and returns the new generation.
    @discardableResult
    package func set(_ profile: Profile, age: Duration = .zero) throws -> Int {
        stopFollowing()
        return try follow(profile, since: now + (.zero - age))
    }

    /// Gives the link back to the profile that it came up with, which has gone on meanwhile; returns the new generation.
    @discardableResult
    package func release() throws -> Int {
        stopFollowing()
        return try follow(setup.profile, since: start)
    }

    /// Throws where a change was refused, or a queue is not as it was set.
    func check() throws {
        if let failure { throw failure }
        try link.verify()
    }

    /// Ends following the profile, and answers what has crossed the link; its queues stay until its scope ends.
    func close() async throws -> LinkUse {
        stopFollowing()
        await packets.close()
        let seen = try await packets.counters()
        let counters = try counters(seen: seen.link)
        let record = setup.isCertain ? FaultRecord(seed: setup.seed, profile: setup.profile.fingerprint) : nil
        return LinkUse(
            payload: .init(downlink: counters.downlinkPayload, uplink: counters.uplinkPayload), model: counters,
            delivered: Dictionary(seen.known.map { ($0.ordinal, $0.downlink) }) { $1 },
            droppedEvents: seen.droppedEvents, meter: try await packets.samples(), record: record,
            unseenPackets: seen.missedPackets, isLossKnown: !setup.doublesPackets)
    }

    /// What has crossed the link so far, and when; still to be had when it is closed, as long as its scope lasts.
    package func summary() async throws -> (
        counters: PacketLinkCounters, samples: [MeterSample<PerDirection<Int64>>]
    ) {
        var summary = try await packets.counters()
        summary.link = try counters(seen: summary.link)
        return (summary, try await packets.samples())
    }

    private func counters(seen: LinkCounters) throws -> LinkCounters {
        account.note(try link.counters(), under: link.conditions)
        return account.counters(seen: seen)
    }

    private var now: Instant { Instant(nanoseconds: MonotonicClock.now) }

    private func apply(_ conditions: LinkConditions) throws -> Int {
        account.note(try link.counters(), under: link.conditions)
        let generation: Int
        do {
            generation = try link.set(conditions)
        } catch {
            // Whoever asked may not tell anybody.
            failure = failure ?? error
            throw error
        }
        continuation.yield(
            LinkEvent(at: now, connection: 0, kind: .conditions(conditions, generation: generation)))
        return generation
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
                // A clock of another kind may have counted less.
                age = max(next, start.duration(to: Instant(nanoseconds: MonotonicClock.now)))
                guard await self?.reach(age) == true else { return }
            }
        }
    }

    /// Lets what holds at an age of the profile hold; false where that is followed no more.
    private func reach(_ age: Duration) -> Bool {
        guard let followed, !Task.isCancelled else { return false }
        return (try? apply(followed.profile.conditions(at: age))) != nil
    }
}
