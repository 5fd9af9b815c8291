import ResultFiles
import Results

/// Runs the cells of a run: several at once, and alone what several at once was too much for.
///
/// A slow link is mostly waiting, so many go beside one another. Where a link was out of tolerance, or the machine too busy, while
/// others ran beside it, half as many run at once from there on, and that cell runs again when all others are done. So does, where
/// that is wanted, one that came to nothing by any other trouble that may be gone the next time. None runs a third time.
///
/// A cell that says that it only waits for a silent client gives its place to the next one, so that nobody waits for that.
struct CellScheduler {
    /// How many cells run at once at first.
    let jobs: Int
    /// How many cells may give their places away at once, and still run.
    var mostIdle = 0
    let count: Int
    /// The cells that are begun before the others: the longest ones, for those that begin last decide how long all take, or
    /// those that end first.
    var early: Set<Int> = []
    /// Whether trouble that others had no part in is worth another try.
    var retriesTrouble = false
    /// Runs the cell of an index; the second is whether it runs alone because it was disturbed before, and the third is to be
    /// told when the cell only waits.
    let run: @Sendable (Int, Bool, @escaping @Sendable () -> Void) async throws -> CellOutcome
    /// Told of each cell that has come to its end, in any order.
    let finish: (Int, CellOutcome) -> Void
    /// Told of each cell that is to run again, and why.
    let postpone: (Int, Finding) -> Void

    func perform() async throws {
        let again = try await performTogether()
        for (index, why) in again.sorted(by: { $0.key < $1.key }) {
            var outcome = try await run(index, true) {}
            outcome.result.retriedInfrastructure = why.description
            finish(index, outcome)
        }
    }

    private enum Event: Sendable {
        case idle(Int)
        case ended(Int, CellOutcome)
    }

    /// Answers which cells are to run again, and why.
    private func performTogether() async throws -> [Int: Finding] {
        var again: [Int: Finding] = [:]
        try await withThrowingTaskGroup(of: Event?.self) { group in
            let run = run
            var waiting = ((0..<count).filter(early.contains) + (0..<count).filter { !early.contains($0) })[...]
            var limit = max(1, jobs)
            var running: Set<Int> = []
            var idle: Set<Int> = []
            var accompanied: Set<Int> = []
            func fill() {
                while running.count - idle.count < limit, let index = waiting.popFirst() {
                    running.insert(index)
                    if running.count > 1 { accompanied.formUnion(running) }
                    let (signal, continuation) = AsyncStream.makeStream(
                        of: Void.self, bufferingPolicy: .bufferingNewest(1))
                    group.addTask {
                        defer { continuation.finish() }
                        return .ended(index, try await run(index, false) { continuation.yield() })
                    }
                    if mostIdle > 0 { group.addTask { await signal.first { true }.map { .idle(index) } } }
                }
            }
            fill()
            while let event = try await group.next() {
                guard case .ended(let index, let outcome)? = event else {
                    if case .idle(let index)? = event, running.contains(index), idle.count < mostIdle {
                        idle.insert(index)
                        fill()
                    }
                    continue
                }
                running.remove(index)
                idle.remove(index)
                let disturbance = accompanied.contains(index) ? outcome.result.disturbance : nil
                if disturbance != nil { limit = max(1, limit / 2) }
                if let why = disturbance ?? (retriesTrouble ? outcome.result.trouble : nil) {
                    again[index] = why
                    postpone(index, why)
                } else {
                    finish(index, outcome)
                }
                fill()
            }
        }
        return again
    }
}

extension CellResult {
    /// What the cell came to nothing for, and what another try may not meet again; nil where there is none.
    fileprivate var trouble: Finding? {
        guard verdict == .infrastructure else { return nil }
        // What the client did wrong before is not to be forgotten.
        guard !checks.contains(where: { $0.verdict == .fail }) else { return nil }
        return findings.first { $0.attribution.row.isWorthARetry }
    }

    /// What the cell came to nothing for, and what may be otherwise where nothing runs beside it; nil where there is none.
    fileprivate var disturbance: Finding? {
        guard verdict == .infrastructure else { return nil }
        return findings.first { [.rateOff, .delayOff, .linkUnverified, .machineNoisy].contains($0.attribution) }
    }
}
