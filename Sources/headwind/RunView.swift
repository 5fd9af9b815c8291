import Harness
import Results
import Synchronization
import SystemPackage
import Wording

/// Shows the progress of a run: one line that is redrawn on a terminal, lines in a log, or JSON lines.
///
/// A log gets a line for each cell, and one from time to time.
final class RunView: Sendable {
    private struct State {
        var cells: Int?
        var done = 0
        var running: [String: Activity] = [:]
        /// When the first attempt of each cell began.
        var firstAttempts: [String: ContinuousClock.Instant] = [:]
        var scratch: FilePath?
        var files: [String] = []
        var saidAt: ContinuousClock.Instant
    }

    /// What a cell does, since when, and how long its remaining planned attempts will take; `left` is nil if unknown.
    private struct Activity {
        var text: String
        var since: ContinuousClock.Instant
        var left: Duration?
    }

    /// The time without a line after which a log gets one: a silent run looks like one that hangs.
    static let silence = Duration.seconds(30)

    private let state: Mutex<State>
    private let isInteractive: Bool
    /// Whether a log gets a line for each cell that ends.
    private let tellsCells: Bool
    private let format: OutputFormat
    private let now: @Sendable () -> ContinuousClock.Instant
    private let note: @Sendable (String) -> Void
    private let redraw: @Sendable (String) -> Void

    init(
        isInteractive: Bool = Console.isInteractive, tellsCells: Bool = true, format: OutputFormat = .text,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        note: @escaping @Sendable (String) -> Void = { Console.note("\($0)") },
        redraw: @escaping @Sendable (String) -> Void = { Console.progress("\($0)") }
    ) {
        state = Mutex(State(saidAt: now()))
        self.isInteractive = isInteractive && format == .text
        self.tellsCells = tellsCells
        (self.format, self.now, self.note, self.redraw) = (format, now, note, redraw)
    }

    /// The reports that the run wrote to its folder; known when it has ended.
    var files: [String] { state.withLock(\.files) }

    /// A sentence about what an end without clean-up may leave behind; nil if nothing.
    var remains: String? {
        state.withLock(\.scratch).map { scratch in
            "Its clients have 2 s to end; then '\(scratch)' is removed. If a process remains after that, find it "
                + "with 'ps -ef'. The next run removes a remaining folder."
        }
    }

    /// Runs `body`, and updates the shown times every second.
    func ticking<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        let ticks = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(1))
                if !Task.isCancelled { tick() }
            }
        }
        defer { ticks.cancel() }
        return try await body()
    }

    /// Records a step of the progress, and shows it.
    func show(_ progress: RunProgress) {
        let now = now()
        let line: String? = state.withLock { state in
            func begin(_ text: String, _ cell: String) { state.running[cell] = Activity(text: text, since: now) }
            switch progress {
            case .planned(let cells):
                state.cells = cells
                return isInteractive ? nil : "\(cells.counted("cell")) to run"
            case .takenUp(let finished, let cells):
                return "\(finished) of \(cells) cells are finished already"
            case .made(let scratch): state.scratch = scratch
            case .left(let reason): return reason
            case .filed(let names): state.files = names
            case .proxied(let why):
                return "The proxy models the links, so times are not comparable with those of real packets. \(why)"
            case .began(let cell): begin("starting", cell)
            case .calibrating(let cell): begin("calibrating the link", cell)
            case .attempting(let cell, let number, let planned):
                // Attempts beyond the plan replace noisy ones.
                begin("attempt \(number)" + (number <= planned ? " of \(planned)" : " (\(planned) planned)"), cell)
                let first = state.firstAttempts[cell, default: now]
                state.firstAttempts[cell] = first
                guard number > 1, number <= planned else { break }
                state.running[cell]?.left = first.duration(to: now) / (number - 1) * (planned - number + 1)
            case .postponed(let cell, let why):
                (state.running[cell], state.firstAttempts[cell]) = (nil, nil)
                return "\(cell) runs again, alone, after the other cells: \(why.detail)"
            case .ended(let cell):
                (state.running[cell], state.firstAttempts[cell]) = (nil, nil)
                state.done += 1
            case .judged(let cell, let done, _):
                return Self.line(cell, done: done, of: state.cells ?? 0)
            }
            return nil
        }
        switch format {
        case .text: if let line, tellsCells { say(line, at: now) }
        case .json: if let json = progress.json { note(json.line) }
        }
        showProgress(now)
    }

    /// Updates the shown times.
    func tick() {
        let now = now()
        let isSilent = !isInteractive && format == .text && state.withLock { $0.saidAt + Self.silence <= now }
        if isSilent, let line = progressLine(now) { say(line, at: now) }
        showProgress(now)
    }

    private func say(_ line: String, at now: ContinuousClock.Instant) {
        state.withLock { $0.saidAt = now }
        note(line)
    }

    private func showProgress(_ now: ContinuousClock.Instant) {
        if isInteractive { redraw(progressLine(now) ?? "") }
    }

    /// `2/9  tunnel-3g attempt 3 of 7, 26 s left  ·  tunnel-lte calibrating the link for 4 s`.
    ///
    /// Only the numbers of cells if cells are not shown; nil if nothing runs.
    private func progressLine(_ now: ContinuousClock.Instant) -> String? {
        state.withLock { state in
            guard let cells = state.cells, state.done < cells, !state.running.isEmpty else { return nil }
            guard tellsCells || isInteractive else { return "\(state.done) of \(cells) checks are done" }
            let running = state.running.sorted { $0.key < $1.key }.map { cell, activity in
                let seconds = activity.since.duration(to: now).components.seconds
                let left = (activity.left?.components.seconds ?? 0) - seconds
                guard left <= 0 else { return "\(cell) \(activity.text), \(left) s left" }
                return "\(cell) \(activity.text)" + (seconds > 0 ? " for \(seconds) s" : "")
            }
            return "\(state.done)/\(cells)  \(running.joined(separator: "  ·  "))"
        }
    }

    private static func line(_ cell: CellResult, done: Int, of cells: Int) -> String {
        let number = String(repeating: " ", count: max(0, "\(cells)".count - "\(done)".count)) + "\(done)"
        let verdict = cell.verdict.rawValue + (cell.decides ? "" : " (in quarantine)")
        return "[\(number)/\(cells)] \(verdict)  \(cell.name)  (\(cell.attempts.count.counted("attempt")))"
    }
}
