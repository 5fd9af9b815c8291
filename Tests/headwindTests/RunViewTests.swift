import Harness
import Results
import Synchronization
import Testing

@testable import headwind

/// The progress that is shown while scenarios run.
struct RunViewTests {
    /// A view whose time passes on demand, and its output.
    final class Screen: Sendable {
        private let start = ContinuousClock.now
        private let state = Mutex((seconds: 0, notes: [String](), rows: [String]()))

        var notes: [String] { state.withLock { $0.notes } }
        var rows: [String] { state.withLock { $0.rows } }

        func view(isInteractive: Bool) -> RunView {
            RunView(
                isInteractive: isInteractive, now: { self.start + .seconds(self.state.withLock { $0.seconds }) },
                note: { line in self.state.withLock { $0.notes.append(line) } },
                redraw: { line in self.state.withLock { $0.rows.append(line) } })
        }

        func wait(seconds: Int) { state.withLock { $0.seconds += seconds } }
    }

    private func judged(_ id: String, profile: String) -> CellResult {
        let plan = CellPlan(expectations: [], budgets: [], attempts: 1, maximumAttempts: 1)
        return CellResult(
            scenario: id, point: [.init(axis: "link.profile", value: profile)],
            link: LinkFacts(profile: profile, backend: "proxy", fidelity: "modelled"), plan: plan, attempts: [],
            startedAt: "2026-01-01T00:00:00Z", durationSeconds: 1)
    }

    @Test func aTerminalShowsEachCellsStepAndDuration() {
        let screen = Screen()
        let view = screen.view(isInteractive: true)
        view.show(.planned(cells: 2))
        view.show(.began(cell: "a-3g"))
        view.show(.calibrating(cell: "a-3g"))
        screen.wait(seconds: 12)
        view.tick()
        view.show(.attempting(cell: "a-3g", number: 1, planned: 3))
        view.show(.began(cell: "b"))
        screen.wait(seconds: 1)
        view.show(.attempting(cell: "a-3g", number: 4, planned: 3))
        view.show(.ended(cell: "a-3g"))
        view.show(.judged(judged("a-3g", profile: "3g"), done: 1, of: 2))
        #expect(
            screen.rows == [
                "", "0/2  a-3g starting", "0/2  a-3g calibrating the link", "0/2  a-3g calibrating the link for 12 s",
                "0/2  a-3g attempt 1 of 3", "0/2  a-3g attempt 1 of 3  ·  b starting",
                "0/2  a-3g attempt 4 (3 planned)  ·  b starting for 1 s",
                "1/2  b starting for 1 s", "1/2  b starting for 1 s",
            ])
        #expect(screen.notes == ["[1/2] infrastructure  a-3g [link.profile=3g]  (0 attempts)"])
    }

    @Test func theTimeLeftFollowsFromEarlierAttempts() {
        let screen = Screen()
        let view = screen.view(isInteractive: true)
        view.show(.planned(cells: 1))
        view.show(.attempting(cell: "a", number: 1, planned: 3))
        screen.wait(seconds: 10)
        view.show(.attempting(cell: "a", number: 2, planned: 3))
        screen.wait(seconds: 5)
        view.tick()
        // An attempt that takes longer than those before shows no time left.
        screen.wait(seconds: 16)
        view.tick()
        #expect(
            screen.rows == [
                "", "0/1  a attempt 1 of 3", "0/1  a attempt 2 of 3, 20 s left", "0/1  a attempt 2 of 3, 15 s left",
                "0/1  a attempt 2 of 3 for 21 s",
            ])
    }

    @Test func aLogHasALineAtTheStartAndAfterEachSilence() {
        let screen = Screen()
        let view = screen.view(isInteractive: false)
        view.show(.planned(cells: 1))
        view.show(.began(cell: "a"))
        view.show(.calibrating(cell: "a"))
        screen.wait(seconds: 29)
        view.tick()
        #expect(screen.notes == ["1 cell to run"])
        screen.wait(seconds: 1)
        view.tick()
        view.tick()
        screen.wait(seconds: 30)
        view.tick()
        view.show(.ended(cell: "a"))
        view.show(.judged(judged("a", profile: "3g"), done: 1, of: 1))
        screen.wait(seconds: 30)
        view.tick()
        #expect(
            screen.notes == [
                "1 cell to run", "0/1  a calibrating the link for 30 s", "0/1  a calibrating the link for 60 s",
                "[1/1] infrastructure  a [link.profile=3g]  (0 attempts)",
            ])
        #expect(screen.rows.isEmpty)
    }
}
