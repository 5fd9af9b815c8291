import Evidence
import LinkModel
import Links
import PackHost
import Synchronization

/// Takes in what a host tells until the host is closed.
final class HostEventTask: Sendable {
    private struct State {
        var log = HostLog()
        var ignored = 0
        var driver: LinkFaultDriver?
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())
    private let signs: SignsOfLife

    init(_ signs: SignsOfLife) { self.signs = signs }

    func start(_ events: AsyncStream<HostEvent>) {
        let task = Task {
            for await event in events { take(event) }
        }
        state.withLock { $0.task = task }
    }

    /// Leaves out the connections that the harness made by itself before the client.
    func ignoreConnections(upTo number: Int) {
        state.withLock { $0.ignored = number }
    }

    /// Tells the driver of link faults which packs are asked for.
    func tell(_ driver: LinkFaultDriver) {
        state.withLock { $0.driver = driver }
    }

    /// The log, when the host has said its last word.
    func finish() async -> HostLog {
        await state.withLock(\.task)?.value
        return state.withLock { state in
            var log = HostLog()
            for event in state.log.events where event.connection > state.ignored || event.connection == 0 {
                log.append(event)
            }
            return log
        }
    }

    private func take(_ event: HostEvent) {
        signs.note(event)
        let driver = state.withLock { state in
            state.log.append(event)
            return state.driver
        }
        if case .request(let request) = event.kind, let pack = request.pack {
            driver?.requested(pack, at: event.nanoseconds)
        }
    }
}

/// Takes in what a link tells until the link is closed, and has faults played at their moments.
final class LinkEventTask: Sendable {
    private let log = Mutex(LinkLog())
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let signs: SignsOfLife

    init(_ signs: SignsOfLife) { self.signs = signs }

    func start(_ events: any AsyncSequence<LinkEvent, Never> & Sendable, driver: LinkFaultDriver) {
        let started = Task {
            await withDiscardingTaskGroup { group in
                for await event in events {
                    log.withLock { $0.append(event) }
                    signs.note(event)
                    driver.observe(event, in: &group)
                }
                // What is still to come is about a link that is gone.
                group.cancelAll()
            }
        }
        task.withLock { $0 = started }
    }

    /// The log, when the link has said its last word.
    func finish() async -> LinkLog {
        await task.withLock { $0 }?.value
        return log.withLock { $0 }
    }
}
