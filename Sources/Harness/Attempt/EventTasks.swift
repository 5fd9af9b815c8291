package import Evidence
package import LinkModel
package import Links
import PackHost
import Synchronization

/// Reads the events of a host until it is closed.
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

    /// Ignores the connections that the harness itself made before the client.
    func ignoreConnections(upTo number: Int) {
        state.withLock { $0.ignored = number }
    }

    /// Sets the driver of link faults, which gets each pack that is requested.
    func tell(_ driver: LinkFaultDriver) {
        state.withLock { $0.driver = driver }
    }

    /// Waits for the host's last event; returns the log.
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

extension LinkLog {
    /// Reads the events of a link until it is closed, and has faults played at their times; the task returns the log.
    ///
    /// `note` also gets each event.
    package static func reading(
        _ events: any AsyncSequence<LinkEvent, Never> & Sendable, driver: LinkFaultDriver,
        note: @escaping @Sendable (LinkEvent) -> Void = { _ in }
    ) -> Task<LinkLog, Never> {
        Task {
            await withDiscardingTaskGroup(returning: LinkLog.self) { group in
                var log = LinkLog()
                for await event in events {
                    log.append(event)
                    note(event)
                    driver.observe(event, in: &group)
                }
                // Faults that are still pending concern a link that is gone.
                group.cancelAll()
                return log
            }
        }
    }
}
