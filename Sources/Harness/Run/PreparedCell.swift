import Evidence
import FoundationEssentials
package import Hunting
import Links
import LinuxSupport
import PackFormat
import ProcessGuard
import ResultFiles
package import Results
package import Scenarios
import Synchronization
import SystemPackage
import Witness

/// A cell that is prepared once, and whose attempts play different faults.
///
/// Packs, plan and calibration are shared. Each attempt has its own host, link, sandbox and client, so that attempts do
/// not affect each other.
package struct PreparedCell: HuntStage {
    /// How many attempts may be requested at once.
    package let width: Int
    package fileprivate(set) var packs: [HuntPack]
    package let knowsDigest: Bool
    package let metNeeds: Set<HuntFault.Need>
    package var waiting: Int { seats.waiting }
    /// The cell for faults that a good client survives, and the one for any others.
    fileprivate let recoverable: Cell
    fileprivate let either: Cell
    fileprivate let seats: Seats
    /// Runs the cell without faults.
    fileprivate let runner: CellRunner
    private let numbers = Counter()

    /// The cell of an attempt with these faults, as a file can express it.
    package func cell(playing candidate: Candidate) -> Cell {
        let judged = candidate.faults.isEmpty ? runner.context.cell : candidate.isRecoverable ? recoverable : either
        return judged.playing(candidate.schedule)
    }

    package func play(_ candidate: Candidate) async throws -> CellResult { try await play(cell(playing: candidate)) }

    /// Replaces packs, which only Headwind's own host has, by the connections that the client makes without faults.
    fileprivate mutating func learnConnections() async throws {
        let quiet = try await playWithoutFaults()
        packs = HuntPack.connections(of: quiet.countedAttempts.first?.conduct)
    }

    /// Makes one attempt of a cell that differs from the prepared one only in its faults.
    func play(_ cell: Cell) async throws -> CellResult {
        let number = numbers.next()
        // A hunt makes 100,000 attempts in an hour, and would grow all the time.
        if number % 500 == 499 { ResourceNeeds.returnFreeMemory() }
        let seat = seats.queue(cell: number, rank: number)
        defer { seat.end() }
        try await seat.wait()
        var runner = runner
        runner.context.cell = cell
        runner.context.scratch.append("cell-\(number)")
        // A hunt makes far more of these folders than one folder can hold well.
        defer { try? FileManager.default.removeItem(atPath: runner.context.scratch.string) }
        return try await runner.perform(on: seat).result
    }
}

/// Counts up from 0.
private final class Counter: Sendable {
    private let value = Atomic(0)

    func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}

extension Run {
    /// Prepares a cell, which `body` then plays as often as it likes.
    ///
    /// At most ``jobs`` attempts run at once, or as many as the machine can take. The cell is one of the run's
    /// scenarios, or differs from one only in how it is judged. Up to ``mostIdle`` attempts whose client only waits do
    /// not count. The link is measured once. With `allowsGivingUp` (default: false) a client may report an error with
    /// any faults. Throws the errors of ``perform()``, and those of `body`.
    package func withPreparedCell<Value: Sendable>(
        of cell: Cell, knowsDigest: Bool, allowsGivingUp: Bool = false, _ body: (PreparedCell) async throws -> Value
    ) async throws -> Value {
        secrets(of: [cell]).hold()
        // How many attempts may be requested at once, reduced if this machine lacks resources for them.
        let width = try atOnce([cell], least: jobs ?? 1, most: mostAttempts + mostIdle)
        let seats = Seats(pace(most: min(width, mostAttempts), areShort: true), mostIdle: max(0, width - mostAttempts))
        let jobsFact = jobs.map { Fingerprint.Jobs.atMost($0) } ?? .auto
        _ = try? sweepScratchDirectories(in: Self.temporary)
        return try await withScratchDirectory(in: Self.temporary, guardProgram: programs.guardProgram) { scratch in
            report(.made(scratch: scratch))
            let contents = ContentStore(scratch: scratch)
            try prepare(contents)
            let content = try contents.prepare(cell)
            let plan = try await backendPlans(for: [cell], contents)[0]
            var silent = self
            (silent.report, silent.output, silent.attemptShare) = ({ _ in }, nil, nil)
            silent.dependencies.idleTime = Self.idleTime
            let context = CellContext(
                settings: silent.settings, cell: cell, content: content, plan: plan, runScratch: scratch,
                scratch: scratch)
            let packs = (content?.site.packs ?? []).filter { cell.fetches($0) }.map {
                HuntPack(identifier: $0.identifier, path: $0.path, size: $0.size)
            }
            var metNeeds: Set<HuntFault.Need> = []
            if plan.backend.isInSandbox, cell.canBeFilled(packs.map(\.size)) { metNeeds.insert(.device) }
            if plan.backend.isInSandbox || !cell.workload.getsAddressBehindProxy { metNeeds.insert(.names) }
            var prepared = PreparedCell(
                width: width, packs: packs, knowsDigest: knowsDigest, metNeeds: metNeeds,
                recoverable: allowsGivingUp ? cell.acceptingErrors : cell, either: cell.expectingEither, seats: seats,
                runner: CellRunner(
                    run: silent, context: context, contentDigest: content?.digest, calibrations: CalibrationStore(),
                    jobs: jobsFact, comparison: CellComparison(comparison: nil, cells: 0)))
            return try await withThrowingTaskGroup(of: Void.self) { group in
                if jobs == nil {
                    group.addTask { for await noise in Witness.stretches(of: Pace.stretch) { seats.hear(noise) } }
                }
                defer { group.cancelAll() }
                if !cell.content.isOurs { try await prepared.learnConnections() }
                return try await body(prepared)
            }
        }
    }

    /// Retransmissions and a client's own pauses take longer, and then nothing is measured in seconds.
    private static let idleTime = Duration.milliseconds(100)
}

extension Cell {
    /// The cell whose client may deliver the pack or report an error, within its limits.
    fileprivate var acceptingErrors: Cell {
        var cell = expectingEither
        // A client that reports an error need not do as much as another.
        cell.budgets = budgets.filter(\.budget.comparator.isUpperLimit)
        // This writes the budgets into the cell's text.
        return cell.countingOnly
    }

    /// Whether a client of the cell may request the pack; a command requests only its own pack, as far as is known.
    fileprivate func fetches(_ pack: ServedPack) -> Bool {
        guard let name = workload.command?.pack else { return true }
        return pack.identifier == name || pack.tags.contains(name) || pack.path.hasSuffix("/\(name)")
    }
}
