import ProcessGuard
import Synchronization

/// Kills a client's process when a fault says so, whichever of its runs that is.
final class ClientKills: Sendable {
    private struct State {
        var process: GuardedProcess?
        /// Kills that no process has met yet.
        var pending = 0
        /// Whether the process that runs was killed.
        var wasKilled = false
    }

    private let state = Mutex(State())

    /// Kills the client; one that is just being started dies as soon as it has.
    func kill() {
        state.withLock { state in
            state.pending += 1
            Self.strike(&state)
        }
    }

    /// Notes that a client runs.
    func began(_ process: GuardedProcess) {
        state.withLock { state in
            (state.process, state.wasKilled) = (process, false)
            Self.strike(&state)
        }
    }

    /// Notes that it has ended; answers whether it had been killed, and so is to be started again.
    func ended() -> Bool {
        state.withLock { state in
            state.process = nil
            return state.wasKilled
        }
    }

    /// One process dies once.
    private static func strike(_ state: inout State) {
        guard state.pending > 0, !state.wasKilled, let process = state.process else { return }
        state.pending -= 1
        state.wasKilled = true
        process.kill()
    }
}
