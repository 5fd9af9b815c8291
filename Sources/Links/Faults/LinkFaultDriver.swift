package import LinkModel
import LinuxSupport
import Synchronization

/// Plays the faults of a link: waits for the moment of each, and restores the link afterwards.
///
/// A moment in bytes counts the bytes that have reached the client, so the fault is at the same place at any speed.
/// Moments in time are nanoseconds of CLOCK_MONOTONIC.
package final class LinkFaultDriver: Sendable {
    private let link: any ConditionedLink
    /// Kills the client.
    private let kill: @Sendable () -> Void
    /// Takes all room that is left on the client's device.
    private let fill: @Sendable () -> Void
    private let state: Mutex<State>

    private struct State {
        var pending: [LinkFault]
        /// Faults whose trigger has come, and which wait for their time after it.
        var waiting: [LinkFault] = []
        var held = HeldFaults()
        var progress: LinkProgress
        var played: [PlayedFault] = []
        var tasks: [Task<Void, Never>] = []
        /// The last change of the link; it waits for all earlier ones.
        var change: Task<Int64, Never>?
        var isEnded = false
        /// When the client started.
        var start: Int64 = 0
        /// The faults that began before the client started.
        var first: Due?
        var lateness = Duration.zero

        /// Records that a change that was due at a moment takes effect now.
        mutating func noteEffect(due: Int64) {
            lateness = max(lateness, .nanoseconds(MonotonicClock.now - due))
        }
    }

    /// `packs` returns the packs with a name (default: none), `kill` kills the client, and `fill` takes all room on its
    /// device (default: both do nothing).
    package init(
        _ faults: [LinkFault], link: any ConditionedLink,
        packs: @escaping @Sendable (String) -> [PackBytes] = { _ in [] }, kill: @escaping @Sendable () -> Void = {},
        fill: @escaping @Sendable () -> Void = {}
    ) {
        (self.link, self.kill, self.fill) = (link, kill, fill)
        // Look them up now: each event of the link needs them, and a look-up then would delay the faults.
        let names = Set(faults.flatMap { [$0.trigger.pack, $0.until?.pack] }.compactMap { $0 })
        let known = Dictionary(uniqueKeysWithValues: names.map { ($0, packs($0)) })
        state = Mutex(State(pending: faults, progress: LinkProgress(packs: { known[$0] ?? [] })))
    }

    /// Faults whose moment never came.
    package var unplayed: [LinkFault] { state.withLock { $0.pending + $0.waiting } }

    /// Faults whose moment came, in order.
    package var played: [PlayedFault] { state.withLock { $0.played } }

    /// The longest delay between the moment of a change of the link and its effect.
    ///
    /// If this process did not run in time, the client met another fault than the planned one, and cannot be judged by
    /// it.
    package var lateness: Duration { state.withLock { $0.lateness } }

    /// Plays the faults that begin with the client's `start`, before the client exists; returns when they are in force.
    package func playFirst(at start: Int64) async {
        let due = state.withLock { state in
            let faults = state.pending.filter { $0.time == .zero }
            state.pending.removeAll { faults.contains($0) }
            let due = begin(faults, due: start, in: &state)
            state.first = due
            return due
        }
        _ = await due.change?.value
    }

    /// Plays the faults that wait for a time since the client's `start`; returns when the last of them is over.
    package func playTimed(from start: Int64) async {
        let (timed, first) = state.withLock { state in
            state.start = start
            let timed = state.pending.filter { $0.time != nil }
            state.pending.removeAll { $0.time != nil }
            return (timed, state.first)
        }
        await withDiscardingTaskGroup { group in
            if let first { group.addTask { await self.wait(for: first, from: start) } }
            for fault in timed {
                group.addTask {
                    guard let time = fault.time else { return }
                    await self.begin(fault, at: start + time.nanoseconds)
                }
            }
        }
    }

    /// Records that a pack was requested at a moment, and plays the faults for which enough bytes have arrived since.
    package func requested(_ pack: String, at moment: Int64) {
        state.withLock { state in
            state.progress.requested(pack, at: moment)
            playDue(&state)
        }
    }

    /// Records the bytes that have reached the client, and plays the faults whose moment this is.
    package func observe(_ event: LinkEvent, in group: inout DiscardingTaskGroup) {
        let due = state.withLock { state in
            !state.isEnded && state.progress.take(event) ? takeDue(&state, at: event.at.nanoseconds) : nil
        }
        guard let due else { return }
        group.addTask { await self.wait(for: due) }
    }

    /// Records that the client has reported a moment of this kind, and plays the faults that wait for it.
    package func reported(_ moment: FaultSchedule.ClientMoment) {
        state.withLock { state in
            guard !state.isEnded else { return }
            state.progress.reports[moment, default: 0] += 1
            playDue(&state)
        }
    }

    /// Ends the play: the client has ended, and no further fault begins.
    ///
    /// Faults that requests or the client's reports began are no longer waited for.
    package func end() {
        let tasks = state.withLock { state in
            state.isEnded = true
            return state.tasks
        }
        for task in tasks { task.cancel() }
    }

    /// A change of the link in progress, and faults that end by themselves.
    fileprivate struct Due {
        /// Returns when the link had changed, in nanoseconds of CLOCK_MONOTONIC.
        var change: Task<Int64, Never>?
        var ending: [(id: Int, fault: LinkFault)] = []
        /// Faults that begin later, at a moment in nanoseconds of CLOCK_MONOTONIC.
        var waiting: [(fault: LinkFault, moment: Int64)] = []
    }

    /// Sleeps until a moment; false if the task was cancelled.
    private static func sleep(until moment: Int64) async -> Bool {
        (try? await Task.sleep(for: .nanoseconds(moment - MonotonicClock.now))) != nil
    }

    /// Plays the faults that are due for another reason than an event of the link, while the client runs.
    private func playDue(_ state: inout State) {
        guard !state.isEnded, let due = takeDue(&state, at: MonotonicClock.now) else { return }
        state.tasks.append(Task { await self.wait(for: due) })
    }

    /// Begins and ends the faults whose moment of the traffic has come; nil if there are none.
    ///
    /// `moment` is now, or that of the last event.
    private func takeDue(_ state: inout State, at moment: Int64) -> Due? {
        let (progress, now) = (state.progress, moment)
        var moment = moment
        let hasEnded = state.held.end { held in
            guard let until = held.fault.until, progress.hasReached(until, since: held.reports) else { return false }
            moment = min(moment, max(progress.arrival(until) ?? moment, held.since))
            return true
        }
        let reached = state.pending.filter { progress.hasReached($0.trigger, since: [:]) }
        state.pending.removeAll { reached.contains($0) }
        let waiting = reached.filter { $0.wait > .zero }.map { fault in
            (fault, (progress.arrival(fault.trigger) ?? now) + fault.wait.nanoseconds)
        }
        state.waiting += waiting.map(\.0)
        let faults = reached.filter { $0.wait == .zero }
        // If a request was reported late, its bytes arrived before.
        for fault in faults { moment = min(moment, progress.arrival(fault.trigger) ?? moment) }
        if hasEnded { enqueue(&state, due: moment, to: state.held.application(to: link)) }
        guard hasEnded || !reached.isEmpty else { return nil }
        var due = begin(faults, due: moment, in: &state)
        due.waiting = waiting
        return due
    }

    private func begin(_ faults: [LinkFault], due moment: Int64, in state: inout State) -> Due {
        var due = Due()
        for fault in faults {
            state.played.append(PlayedFault(at: MonotonicClock.now, fault: fault))
            switch fault.effect {
            case .clientKilled:
                kill()
                state.noteEffect(due: moment)
            case .deviceFull: enqueue(&state, due: moment) { [fill] in fill() }
            case .cut: enqueue(&state, due: moment) { [link] in try? await link.cut() }
            case .offline, .profile:
                let id = state.held.begin(fault, reports: state.progress.reports)
                enqueue(&state, due: moment, to: state.held.application(to: link))
                if fault.duration != nil || fault.until?.time != nil { due.ending.append((id, fault)) }
            }
        }
        due.change = state.change
        return due
    }

    /// Changes the link after all earlier changes, so that the last request decides its final state.
    private func enqueue(_ state: inout State, due: Int64, to application: @escaping @Sendable () async -> Void) {
        state.change = Task { [earlier = state.change] in
            _ = await earlier?.value
            await application()
            self.state.withLock { $0.noteEffect(due: due) }
            return MonotonicClock.now
        }
    }

    /// Waits until faults have ended, which last from when they were in force, or from `start` if that is later.
    ///
    /// This task may be late, so its own time would make them longer.
    private func wait(for due: Due, from start: Int64 = 0) async {
        await withDiscardingTaskGroup { group in
            for (fault, moment) in due.waiting { group.addTask { await self.begin(fault, at: moment) } }
            let begun = max(await due.change?.value ?? MonotonicClock.now, start)
            for (id, fault) in due.ending { group.addTask { await self.end(id, fault, begun: begun) } }
        }
    }

    /// Begins a fault at its time, if the client still runs then; returns when it is over.
    private func begin(_ fault: LinkFault, at moment: Int64) async {
        guard await Self.sleep(until: moment) else { return }
        let due = state.withLock { state -> Due? in
            guard !state.isEnded else { return nil }
            state.waiting.removeAll { $0 == fault }
            return begin([fault], due: moment, in: &state)
        }
        if let due { await wait(for: due) }
    }

    /// Ends a fault at its time, if the client still runs then.
    private func end(_ id: Int, _ fault: LinkFault, begun: Int64) async {
        let due: Int64
        if case .time(let end)? = fault.until {
            due = state.withLock(\.start) + end.nanoseconds
        } else {
            due = begun + (fault.duration ?? .zero).nanoseconds
        }
        guard await Self.sleep(until: due) else { return }
        let change = state.withLock { state in
            if state.held.end(where: { $0.id == id }) {
                enqueue(&state, due: due, to: state.held.application(to: link))
            }
            return state.change
        }
        _ = await change?.value
    }
}
