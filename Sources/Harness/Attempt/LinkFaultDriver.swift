import LinkModel
import LinuxSupport
import PackFormat
import Scenarios
import Synchronization

/// Plays a cell's link faults: waits for each one's moment, and gives the link back afterwards.
///
/// Moments in bytes are what has reached the client, so that a fault comes at the same place whatever the time.
final class LinkFaultDriver: Sendable {
    /// A fault whose moment came, and when that was: CLOCK_MONOTONIC nanoseconds.
    struct Played: Sendable, Hashable {
        var at: Int64
        var fault: LinkFault
    }

    private let link: AttemptLink
    /// What kills the client.
    let kills = ClientKills()
    private let state: Mutex<State>

    private struct State {
        var pending: [LinkFault]
        var held = HeldFaults()
        var progress: LinkProgress
        var played: [Played] = []
        var tasks: [Task<Void, Never>] = []
        /// The last change of the link, which those before it precede.
        var change: Task<Void, Never>?
        var isEnded = false
        /// When the client started.
        var start = ContinuousClock.now
    }

    init(_ faults: [LinkFault], link: AttemptLink, content: PreparedContent?) {
        self.link = link
        state = Mutex(State(pending: faults, progress: LinkProgress(content: content)))
    }

    /// Faults whose moment never came.
    var unplayed: [LinkFault] { state.withLock { $0.pending } }

    /// Faults whose moment came, in order.
    var played: [Played] { state.withLock { $0.played } }

    /// Plays the faults that wait for a time since the client started; returns when the last of them is over.
    func playTimed() async {
        let timed = state.withLock { state in
            state.start = ContinuousClock.now
            defer { state.pending.removeAll { $0.trigger.time != nil } }
            return state.pending.filter { $0.trigger.time != nil }
        }
        await withDiscardingTaskGroup { group in
            for fault in timed {
                group.addTask {
                    guard let time = fault.trigger.time, (try? await Task.sleep(for: time)) != nil else { return }
                    await self.wait(for: self.state.withLock { self.begin([fault], in: &$0) })
                }
            }
        }
    }

    /// Notes that a pack was asked for.
    func requested(_ pack: String) {
        state.withLock { $0.progress.requested(pack) }
    }

    /// Takes in what has reached the client, and plays the faults for which that is the moment.
    func observe(_ event: LinkEvent, in group: inout DiscardingTaskGroup) {
        let due = state.withLock { state in
            state.progress.take(event) ? takeDue(&state) : nil
        }
        guard let due else { return }
        group.addTask { await self.wait(for: due) }
    }

    /// Takes in that the client has reported progress.
    func progressed() {
        state.withLock { state in
            guard !state.isEnded else { return }
            state.progress.reports += 1
            guard let due = takeDue(&state) else { return }
            state.tasks.append(Task { await self.wait(for: due) })
        }
    }

    /// Ends what was begun by reports of progress: the client is gone.
    func end() {
        let tasks = state.withLock { state in
            state.isEnded = true
            return state.tasks
        }
        for task in tasks { task.cancel() }
    }
}

extension LinkFaultDriver {
    /// Changes of the link that are under way, and faults that end by themselves.
    private struct Due {
        var change: Task<Void, Never>?
        var ending: [(id: Int, fault: LinkFault)] = []
    }

    /// Begins and ends what waits for a moment of the traffic that has come; nil where there is nothing.
    private func takeDue(_ state: inout State) -> Due? {
        let progress = state.progress
        let hasEnded = state.held.end { held in
            held.fault.until.map { progress.hasReached($0, since: held.reports) } ?? false
        }
        let faults = state.pending.filter { progress.hasReached($0.trigger, since: 0) }
        state.pending.removeAll { faults.contains($0) }
        if hasEnded { enqueue(&state, to: state.held.application(to: link)) }
        guard hasEnded || !faults.isEmpty else { return nil }
        return begin(faults, in: &state)
    }

    private func begin(_ faults: [LinkFault], in state: inout State) -> Due {
        var due = Due()
        for fault in faults {
            state.played.append(Played(at: MonotonicClock.now, fault: fault))
            if fault.effect == .clientKilled {
                kills.kill()
                continue
            }
            guard fault.effect != .cut else {
                enqueue(&state) { [link] in try? await link.cut() }
                continue
            }
            let id = state.held.begin(fault, reports: state.progress.reports)
            enqueue(&state, to: state.held.application(to: link))
            if fault.duration != nil || fault.until?.time != nil { due.ending.append((id, fault)) }
        }
        due.change = state.change
        return due
    }

    /// Has the link changed after all that was begun before, so that what it is in the end is what was said last.
    private func enqueue(_ state: inout State, to application: @escaping @Sendable () async -> Void) {
        state.change = Task { [earlier = state.change] in
            await earlier?.value
            await application()
        }
    }

    private func wait(for due: Due) async {
        await due.change?.value
        await withDiscardingTaskGroup { group in
            for (id, fault) in due.ending { group.addTask { await self.end(id, fault) } }
        }
    }

    /// Ends a fault at its time, if the client lives so long.
    private func end(_ id: Int, _ fault: LinkFault) async {
        if case .time(let end)? = fault.until {
            let start = state.withLock(\.start)
            guard (try? await Task.sleep(until: start + end, clock: .continuous)) != nil else { return }
        } else if let duration = fault.duration {
            guard (try? await Task.sleep(for: duration)) != nil else { return }
        }
        let change = state.withLock { state in
            if state.held.end(where: { $0.id == id }) { enqueue(&state, to: state.held.application(to: link)) }
            return state.change
        }
        await change?.value
    }
}
