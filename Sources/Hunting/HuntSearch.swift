import Results

/// The state of a hunt while it goes on.
struct HuntSearch<Stage: HuntStage> {
    let hunt: Hunt<Stage>
    let start: ContinuousClock.Instant
    private var generator: Generator
    private let kept: [Candidate]
    var result: HuntResult
    private var singlesTried: Set<Candidate> = []
    private var isExhausted = false
    /// Single faults that the machine disturbed once, and that are tried again.
    private var disturbed: Set<Candidate> = []
    private var pairsTried: Set<Set<HuntFault.Kind>> = []
    private var happened = 0
    /// How many faults the last attempt had.
    private var depth = 1
    /// How many bugs showed each failure, and how many of its investigations showed no new bug.
    var found: [HuntFailure: Int] = [:]
    var fruitless: [HuntFailure: Int] = [:]
    /// Failures under investigation, and equal failures that occurred in the meantime.
    var investigating: [HuntFailure: InvestigationProgress] = [:]
    var waiting: [(failure: HuntFailure, candidate: Candidate)] = []

    init(_ hunt: Hunt<Stage>, kept: [Candidate]) {
        self.hunt = hunt
        self.kept = kept
        start = hunt.now()
        generator = Generator(
            hunt.stage.packs, kinds: hunt.kinds, knowsDigest: hunt.stage.knowsDigest, seed: hunt.seed)
        result = HuntResult(
            bugs: [], unconfirmed: [], attempts: 0, seconds: 0, corpus: Corpus(), isInterrupted: false)
    }

    mutating func perform() async throws {
        defer {
            result.seconds = start.duration(to: hunt.now()) / .seconds(1)
            result.coverage = HuntCoverage(
                singles: generator.singles.count, singlesTried: singlesTried.count,
                pairs: generator.fairPairs.count, pairsTried: pairsTried.intersection(generator.fairPairs).count,
                happened: happened, isExhausted: isExhausted)
            result.bugs.sort { ($0.failure.severity.rank, $0.foundAt) < ($1.failure.severity.rank, $1.foundAt) }
        }
        do {
            let places = try await undisturbed()
            generator.begin(places, with: kept)
            try await search()
        } catch is CancellationError {
            result.isInterrupted = true
        }
    }

    /// Plays an attempt without faults, which must pass: otherwise a later failure shows nothing.
    private mutating func undisturbed() async throws -> InterestingPlaces {
        let cell = try await hunt.stage.playWithoutFaults(now: hunt.now)
        guard cell.isUndisturbed else {
            if hunt.stage.packs.isEmpty, cell.findings.contains(where: { $0.attribution == .linkBypassed }) {
                throw HuntError.nothingCrossed
            }
            throw HuntError.notMeasured(cell.findings.first?.description ?? "")
        }
        guard cell.verdict == .pass, let attempt = cell.countedAttempts.first else {
            throw HuntError.failsUndisturbed(Self.reason(of: cell))
        }
        let places = InterestingPlaces(of: attempt, packs: hunt.stage.packs)
        guard !places.requests.isEmpty else { throw HuntError.nothingCrossed }
        result.attempts += 1
        for conduct in cell.countedAttempts.compactMap(\.conduct) {
            result.fetched.formUnion((conduct.packs ?? []).map(\.pack))
            result.fetched.formUnion((conduct.heads ?? []).map(\.pack))
        }
        _ = result.corpus.add(Behaviour(of: cell), Candidate([]), places)
        return places
    }

    var hasEnough: Bool { hunt.untilFound.map { result.bugs.count >= $0 } ?? false }

    /// What failed, the client's exit status, and its last line of output.
    private static func reason(of cell: CellResult) -> String {
        var words = [cell.failures.first?.cause.conclusion].compactMap { $0 }
        let attempt = cell.redacted.countedAttempts.first
        if let status = attempt?.clientEnd?.exitStatus { words.append("It ended with status \(status).") }
        if let line = attempt?.clientOutput?.last(where: { !$0.isEmpty }) { words.append("It said: \(line)") }
        return words.joined(separator: " ")
    }

    /// Whether the hunt has enough bugs if each failure under investigation is one.
    ///
    /// Then no new attempt takes the machine's time from these investigations.
    private var mayHaveEnough: Bool { hunt.untilFound.map { result.bugs.count + investigating.count >= $0 } ?? false }

    private var isOver: Bool {
        if let most = hunt.attempts, result.attempts >= most { return true }
        return isLate
    }

    /// Whether no further failure is investigated.
    var isLate: Bool { hasEnough || start.duration(to: hunt.now()) >= hunt.duration }

    /// The end of a task of the search.
    enum Event: Sendable {
        case played(Candidate, CellResult)
        case investigated(Investigation<Stage>.Outcome)
        /// Progress is due.
        case tick
    }

    /// The most attempts that are chosen and wait to begin.
    private static var mostAhead: Int { 8 }

    private mutating func search() async throws {
        let stage = hunt.stage
        // A disturbed attempt is not repeated when the time for new faults is over.
        let isPast: @Sendable () -> Bool = { [hunt, start] in start.duration(to: hunt.now()) >= hunt.duration }
        try await withThrowingTaskGroup(of: Event.self) { group in
            var asked = 0
            func fill() {
                // Each result may change what is tried next, so few candidates are chosen ahead of it. Investigations
                // may keep many attempts waiting, and the search still goes on beside them.
                var ahead = stage.waiting
                while min(ahead, asked) < Self.mostAhead, asked + investigating.count < hunt.width, !isOver,
                    !mayHaveEnough,
                    hunt.attempts.map({ result.attempts + asked < $0 }) ?? true,
                    let candidate = generator.next(result.corpus)
                {
                    asked += 1
                    ahead += 1
                    group.addTask { .played(candidate, try await stage.playUntilItCounts(candidate, until: isPast)) }
                }
            }
            func tick() {
                group.addTask {
                    try await Task.sleep(for: .milliseconds(100))
                    return .tick
                }
            }
            func end() async {
                group.cancelAll()
                var open: [Investigation<Stage>.Outcome] = []
                while let event = await group.nextResult() {
                    switch event {
                    case .success(.investigated(let outcome)):
                        // A confirmed failure is kept, although its faults may not be the fewest.
                        if outcome.bug == nil { open.append(outcome) } else { _ = keep(outcome) }
                    case .success(.played(let candidate, let cell)):
                        if let failure = HuntFailure(of: cell) { waiting.append((failure, candidate)) }
                    case .success(.tick), .failure: break
                    }
                }
                leaveOpenTheRest(open)
            }
            do {
                fill()
                tick()
                while asked > 0 || !investigating.isEmpty, let event = try await group.next() {
                    switch event {
                    case .tick: tick()
                    case .played(let candidate, let cell):
                        asked -= 1
                        depth = candidate.faults.count
                        // Of attempts that end after the limit only failures are kept.
                        if isOver {
                            if let failure = HuntFailure(of: cell) { consider(failure, candidate, in: &group) }
                        } else if cell.isUndisturbed {
                            take(cell, of: candidate, in: &group)
                        } else {
                            let troubles = cell.findings.map(\.attribution).filter { $0.row.verdict == cell.verdict }
                            result.disturbances[troubles.first ?? .metricMissing, default: 0] += 1
                            if generator.singles.contains(candidate), disturbed.insert(candidate).inserted {
                                generator.retry(candidate)
                            }
                        }
                    case .investigated(let outcome):
                        take(outcome, in: &group)
                        // An investigation that is cancelled ends like any other.
                        try Task.checkCancellation()
                    }
                    if isOver, investigating.isEmpty || hasEnough { return await end() }
                    tell()
                    fill()
                }
                group.cancelAll()
                isExhausted = !isOver
            } catch {
                await end()
                throw error
            }
        }
    }

    private mutating func take(
        _ cell: CellResult, of candidate: Candidate, in group: inout ThrowingTaskGroup<Event, any Error>
    ) {
        result.attempts += 1
        // A fault that did not happen shows nothing.
        if cell.countedAttempts.allSatisfy({ $0.schedule?.unmet ?? 0 == 0 }) {
            happened += 1
            if generator.singles.contains(candidate) { singlesTried.insert(candidate) }
            let kinds = Set(candidate.faults.map(\.kind))
            for kind in kinds { pairsTried.formUnion(kinds.subtracting([kind]).map { [kind, $0] }) }
        }
        if let attempt = cell.countedAttempts.first {
            let places = InterestingPlaces(of: attempt, packs: hunt.stage.packs)
            generator.queueSecondFaults(after: candidate, at: places)
            if result.corpus.add(Behaviour(of: cell), candidate, places) {
                generator.explore(Corpus.Entry(candidate: candidate, places: places, count: 1))
            }
        }
        guard let failure = HuntFailure(of: cell) else { return }
        consider(failure, candidate, in: &group)
    }

    private func tell() {
        let shrinking = investigating.min { $0.key.severity.rank < $1.key.severity.rank }
        let activity =
            shrinking.map { "\($0.key.conclusion): \($0.value.text)" }
            ?? "\(depth) \(depth == 1 ? "fault" : "faults") at a time"
        hunt.report(
            HuntProgress(
                attempts: result.attempts, seconds: start.duration(to: hunt.now()) / .seconds(1),
                behaviours: result.corpus.count, bugs: result.bugs.count, activity: activity,
                worst: result.bugs.min { $0.failure.severity.rank < $1.failure.severity.rank }?.failure.conclusion))
    }
}
