import ResultFiles
import Results
import Witness

/// Runs the cells of a run: several at once, and alone what several at once was too much for.
///
/// A slow link is mostly waiting, so many go beside one another, and so do attempts of one cell where no cell waits for a place:
/// ``Seats`` are for both. Where a link was out of tolerance, or the machine too busy, while others ran beside it, half as many
/// run at once from there on, and that cell runs again when all others are done. So does, where that is wanted, one that came to
/// nothing by any other trouble that may be gone the next time. None runs a third time.
///
/// An attempt that only waits for a silent client gives its place to the next one.
struct CellScheduler {
    /// How many attempts go on at once.
    let pace: Pace
    /// How many attempts may give their places away at once, and still go on.
    var mostIdle = 0
    /// The cells in the order in which they begin.
    let order: [Int]
    /// How noisy the machine is, from time to time; nil where the pace does not follow it.
    var noises: AsyncStream<Noise>?
    /// Whether trouble that others had no part in is worth another try.
    var retriesTrouble = false
    /// Runs the cell of an index; the second is whether it runs alone because it was disturbed before, and the third is its
    /// place.
    let run: @Sendable (Int, Bool, Seat) async throws -> CellOutcome
    /// Told of each cell that has ended, in any order.
    let finish: (Int, CellOutcome) -> Void
    /// Told of each cell that is to run again, and why.
    let postpone: (Int, Finding) -> Void

    func perform() async throws {
        let again = try await performTogether()
        for (index, why) in again.sorted(by: { $0.key < $1.key }) {
            let seat = Seats(.fixed(1)).queue(cell: index, rank: 0)
            try await seat.wait()
            var outcome = try await run(index, true, seat)
            outcome.result.retriedInfrastructure = why.description
            finish(index, outcome)
        }
    }

    private struct Ended: Sendable {
        let index: Int
        let outcome: CellOutcome
        /// Why it has no result, where others had a part in that.
        let disturbance: Finding?
    }

    /// Answers which cells are to run again, and why.
    private func performTogether() async throws -> [Int: Finding] {
        var again: [Int: Finding] = [:]
        let places = Seats(pace, mostIdle: mostIdle)
        try await withThrowingTaskGroup(of: Ended?.self) { group in
            let (run, noises) = (run, noises)
            for (rank, index) in order.enumerated() {
                let seat = places.queue(cell: index, rank: rank)
                group.addTask {
                    defer { seat.end() }
                    try await seat.wait()
                    let outcome = try await run(index, false, seat)
                    let disturbance = outcome.result.disturbance
                    let isTooMuch = places.end(seat, isDisturbed: disturbance != nil)
                    return Ended(index: index, outcome: outcome, disturbance: isTooMuch ? disturbance : nil)
                }
            }
            if let noises {
                group.addTask {
                    for await noise in noises { places.hear(noise) }
                    return nil
                }
            }
            var left = order.count
            while left > 0, let event = try await group.next() {
                guard let ended = event else { continue }
                left -= 1
                let trouble = retriesTrouble ? ended.outcome.result.trouble : nil
                if let why = ended.disturbance ?? trouble {
                    again[ended.index] = why
                    postpone(ended.index, why)
                } else {
                    finish(ended.index, ended.outcome)
                }
            }
            group.cancelAll()
        }
        return again
    }
}

extension CellResult {
    /// Why the cell has no result, if another try may have one; nil where it has one.
    fileprivate var trouble: Finding? {
        guard verdict == .infrastructure else { return nil }
        // What the client did wrong before is not to be forgotten.
        guard !checks.contains(where: { $0.verdict == .fail }) else { return nil }
        return findings.first { $0.attribution.row.isWorthARetry }
    }

    /// Why the cell has no result, if it may have one where nothing runs beside it; nil where it has one.
    fileprivate var disturbance: Finding? {
        guard verdict == .infrastructure else { return nil }
        return findings.first { [.rateOff, .delayOff, .linkUnverified, .machineNoisy].contains($0.attribution) }
    }
}
