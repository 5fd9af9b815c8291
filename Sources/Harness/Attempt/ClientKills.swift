import ProcessGuard
import Synchronization

/// Kills a client's process when a fault says so, in any of the client's runs.
final class ClientKills: Sendable {
    private struct State {
        var process: GuardedProcess?
        /// Kills that are not carried out yet.
        var pending = 0
        /// Whether the running process was killed.
        var wasKilled = false
    }

    private let state = Mutex(State())

    /// Kills the client; one that is just starting is killed once it runs.
    func kill() {
        state.withLock { state in
            state.pending += 1
            Self.strike(&state)
        }
    }

    /// Notes that a client runs, and carries out a kill that waits.
    func began(_ process: GuardedProcess) {
        state.withLock { state in
            (state.process, state.wasKilled) = (process, false)
            Self.strike(&state)
        }
    }

    /// Notes that the client has ended; returns whether it was killed, so that it must start again.
    func ended() -> Bool {
        state.withLock { state in
            state.process = nil
            return state.wasKilled
        }
    }

    /// Carries out one kill; each process is killed at most once.
    private static func strike(_ state: inout State) {
        guard state.pending > 0, !state.wasKilled, let process = state.process else { return }
        state.pending -= 1
        state.wasKilled = true
        process.kill()
    }
}
