import Harness
import Results
import Synchronization
import SystemPackage

/// Shows how a run goes on: one line that is redrawn for people, a line a cell for logs.
final class RunView: Sendable {
    private struct State {
        var cells = 0
        var done = 0
        var running: [String: String] = [:]
        var scratch: FilePath?
    }

    private let state = Mutex(State())

    /// What an end without clean-up may leave behind.
    var remains: String? {
        state.withLock(\.scratch).map { scratch in
            "Its clients are given 2 s to end, and then '\(scratch)' is removed; should anything of it be left after that, "
                + "look with 'ps -ef', and the next run removes the folder."
        }
    }

    func show(_ progress: RunProgress) {
        let line: String? = state.withLock { state in
            switch progress {
            case .planned(let cells): state.cells = cells
            case .made(let scratch): state.scratch = scratch
            case .left(let reason): return reason
            case .began(let cell): state.running[cell] = "starting"
            case .attempted(let cell, let number, let planned): state.running[cell] = "\(number)/\(planned)"
            case .judged(let cell, let done, _):
                state.running[cell.name] = nil
                state.done = done
                return Self.line(cell, done: done, of: state.cells)
            }
            return nil
        }
        if let line { Console.note(line) }
        Console.progress(progressLine)
    }

    private var progressLine: String {
        state.withLock { state in
            guard state.done < state.cells else { return "" }
            let running = state.running.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            return "\(state.done)/\(state.cells)  \(running.joined(separator: "  ·  "))"
        }
    }

    private static func line(_ cell: CellResult, done: Int, of cells: Int) -> String {
        let number = String(repeating: " ", count: max(0, "\(cells)".count - "\(done)".count)) + "\(done)"
        let attempts = cell.attempts.count
        return
            "[\(number)/\(cells)] \(cell.verdict.rawValue)  \(cell.name)  (\(attempts) attempt\(attempts == 1 ? "" : "s"))"
    }
}
