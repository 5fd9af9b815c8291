import ResultFiles
import Results
import Witness

/// Runs the cells of a run: several at once, and alone those that were disturbed by others.
///
/// A slow link is mostly idle, so many cells run at once. So do attempts of one cell, if no cell waits for a place:
/// ``Seats`` are for both.
///
/// If a link is out of tolerance, or the machine too busy, while other cells run, the limit is halved, and the cell
/// runs again after all others. With `retriesTrouble`, so does a cell without a result because of any other trouble
/// that may be temporary. No cell runs a third time.
///
/// An attempt that only waits for a silent client gives its place to the next one.
struct CellScheduler {
    /// How many attempts run at once.
    let pace: Pace
    /// How many attempts may give up their places at once, and still go on.
    var mostIdle = 0
    /// The cells in the order in which they begin.
    let order: [Int]
    /// Measurements of the machine's noise; nil if the pace does not depend on it.
    var noises: AsyncStream<Noise>?
    /// Whether a cell runs again after temporary trouble that others did not cause.
    var retriesTrouble = false
    /// Runs the cell with an index.
    ///
    /// The flag is true if it runs alone because it was disturbed before. The seat is its place.
    let run: @Sendable (Int, Bool, Seat) async throws -> CellOutcome
    /// Called for each cell that has ended, in any order.
    let finish: (Int, CellOutcome) -> Void
    /// Called for each cell that will run again, with the reason.
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
        /// Why the cell has no result, if others contributed to that.
        let disturbance: Finding?
    }

    /// Runs all cells; returns those that must run again, with the reasons.
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
    /// Why the cell has no result, if another try may give one; nil if it has one.
    fileprivate var trouble: Finding? {
        guard verdict == .infrastructure else { return nil }
        // A failure of the client must stay in the results.
        guard !checks.contains(where: { $0.verdict == .fail }) else { return nil }
        return findings.first { $0.attribution.row.isWorthARetry }
    }

    /// Why the cell has no result, if it may have one when it runs alone; nil if it has one.
    fileprivate var disturbance: Finding? {
        guard verdict == .infrastructure else { return nil }
        return findings.first { [.rateOff, .delayOff, .linkUnverified, .machineNoisy].contains($0.attribution) }
    }
}
