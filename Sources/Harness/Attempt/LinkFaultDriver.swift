import LinkModel
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
    private let state: Mutex<State>

    private struct State {
        var pending: [LinkFault]
        /// Faults that hold until some moment of the traffic.
        var open: [(fault: LinkFault, progress: Int)] = []
        var progress: LinkProgress
        var played: [Played] = []
        var tasks: [Task<Void, Never>] = []
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
                    self.state.withLock { self.note(fault, in: &$0) }
                    await self.play(fault)
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
            state.progress.take(event) ? takeDue(&state) : Due()
        }
        guard !due.isEmpty else { return }
        group.addTask { await self.play(due) }
    }

    /// Takes in that the client has reported progress.
    func progressed() {
        state.withLock { state in
            guard !state.isEnded else { return }
            state.progress.reports += 1
            let due = takeDue(&state)
            guard !due.isEmpty else { return }
            state.tasks.append(Task { await self.play(due) })
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
    /// What is to be done now.
    private struct Due {
        var faults: [LinkFault] = []
        var gaveBack = false

        var isEmpty: Bool { faults.isEmpty && !gaveBack }
    }

    private func takeDue(_ state: inout State) -> Due {
        var due = Due()
        let ended = state.open.filter { open in
            open.fault.until.map { state.progress.hasReached($0, since: open.progress) } ?? false
        }
        if !ended.isEmpty {
            due.gaveBack = true
            state.open.removeAll { open in ended.contains { $0.fault == open.fault } }
        }
        due.faults = state.pending.filter { state.progress.hasReached($0.trigger, since: 0) }
        state.pending.removeAll { due.faults.contains($0) }
        for fault in due.faults { note(fault, in: &state) }
        return due
    }

    private func note(_ fault: LinkFault, in state: inout State) {
        state.played.append(Played(at: MonotonicClock.now, fault: fault))
        if fault.until != nil { state.open.append((fault, state.progress.reports)) }
    }

    private func play(_ due: Due) async {
        if due.gaveBack { try? await link.release() }
        await withDiscardingTaskGroup { group in
            for fault in due.faults { group.addTask { await self.play(fault) } }
        }
    }

    private func play(_ fault: LinkFault) async {
        // A link that is gone has no conditions to change; its own error is reported where it was used.
        switch fault.effect {
        case .offline(let kind):
            try? await link.update { $0.offline = kind }
        case .profile(let profile):
            try? await link.follow(profile)
        case .cut:
            try? await link.cut()
        }
        if case .time(let end)? = fault.until {
            let start = state.withLock(\.start)
            guard (try? await Task.sleep(until: start + end, clock: .continuous)) != nil else { return }
            await self.end(at: end)
        } else if let duration = fault.duration {
            guard (try? await Task.sleep(for: duration)) != nil else { return }
            try? await link.release()
        }
    }

    /// Gives the link back, if something holds until this time.
    private func end(at time: Duration) async {
        let isDue = state.withLock { state in
            let before = state.open.count
            state.open.removeAll { $0.fault.until == .time(time) }
            return state.open.count < before
        }
        if isDue { try? await link.release() }
    }
}
