import LinkModel
import PackFormat
import Scenarios
import Synchronization

/// Plays a cell's link faults: waits for each one's moment, and gives the link back afterwards.
///
/// Moments in bytes are what has reached the client, so that a fault comes at the same place whatever the time.
final class LinkFaultDriver: Sendable {
    private let link: AttemptLink
    private let content: PreparedContent?
    private let state: Mutex<State>

    private struct State {
        var pending: [LinkFault]
        /// Bytes that reached the client, by connection.
        var delivered: [Int: Int64] = [:]
        /// What had reached the client when a pack was first asked for.
        var baseline: [String: Int64] = [:]
        var played: [String] = []

        var total: Int64 { delivered.values.reduce(0, +) }
    }

    init(_ faults: [LinkFault], link: AttemptLink, content: PreparedContent?) {
        self.link = link
        self.content = content
        state = Mutex(State(pending: faults))
    }

    /// Faults whose moment never came.
    var unplayed: [LinkFault] { state.withLock { $0.pending } }

    /// Plays the faults that wait for a time since the client started; returns when the last of them is over.
    func playTimed() async {
        let timed = state.withLock { state in
            defer { state.pending.removeAll { $0.time != nil } }
            return state.pending.filter { $0.time != nil }
        }
        await withDiscardingTaskGroup { group in
            for fault in timed {
                group.addTask {
                    guard let time = fault.time, (try? await Task.sleep(for: time)) != nil else { return }
                    await self.play(fault)
                }
            }
        }
    }

    /// Notes that a pack was asked for.
    func requested(_ pack: String) {
        state.withLock { state in
            if state.baseline[pack] == nil { state.baseline[pack] = state.total }
        }
    }

    /// Takes in what has reached the client, and plays the faults for which that is the moment.
    func observe(_ event: LinkEvent, in group: inout DiscardingTaskGroup) {
        guard case .delivered(.downlink, let total) = event.kind else { return }
        let due = state.withLock { state in
            state.delivered[event.connection] = total
            let due = state.pending.filter { isDue($0, state) }
            state.pending.removeAll { due.contains($0) }
            return due
        }
        for fault in due { group.addTask { await self.play(fault) } }
    }

    private func isDue(_ fault: LinkFault, _ state: State) -> Bool {
        switch fault.trigger {
        case .time: false
        case .bytes(let count): state.total >= count.bytes
        case .packBytes(let count, let pack): received(pack, state).map { $0 >= count.bytes } ?? false
        case .share(let share, let pack):
            received(pack, state).map { Double($0) >= share.fraction * Double(size(pack)) } ?? false
        }
    }

    /// Bytes that have come since the first of these packs was asked for; nil before.
    private func received(_ name: String, _ state: State) -> Int64? {
        let identifiers = content?.packs(named: name).map(\.identifier) ?? []
        let first = identifiers.compactMap { state.baseline[$0] }.min()
        return first.map { state.total - $0 }
    }

    private func size(_ name: String) -> Int64 {
        content?.packs(named: name).map(\.size).reduce(0, +) ?? .max
    }

    private func play(_ fault: LinkFault) async {
        // A link that is gone has no conditions to change; its own error is reported where it was used.
        switch fault.effect {
        case .offline(let kind):
            try? await link.update { $0.offline = kind }
        case .profile(let profile):
            try? await link.follow(profile)
        }
        guard let duration = fault.duration, (try? await Task.sleep(for: duration)) != nil else { return }
        try? await link.release()
    }
}

extension LinkFault {
    fileprivate var time: Duration? {
        if case .time(let duration) = trigger { duration } else { nil }
    }
}
