import Results

/// The state of a hunt while it goes on.
struct HuntSearch<Stage: HuntStage> {
    private let hunt: Hunt<Stage>
    private let start: ContinuousClock.Instant
    private var generator: Generator
    private let kept: [Candidate]
    private(set) var result: HuntResult
    private var singlesTried = 0
    private var pairsTried: Set<Set<HuntFault.Kind>> = []
    /// How many faults the last attempt had.
    private var depth = 1
    /// How often failures of a kind were confirmed, and how often they did not come back.
    private var investigations: [HuntFailure: Int] = [:]
    private var flakes: [HuntFailure: Int] = [:]
    /// Failures under investigation, and equal failures that occurred in the meantime.
    private var investigating: [HuntFailure: InvestigationProgress] = [:]
    private var waiting: [(failure: HuntFailure, candidate: Candidate)] = []

    /// Failures of one kind may have several causes: at most this many confirmed ones are investigated.
    private static var mostInvestigations: Int { 3 }
    private static var mostFlakes: Int { 10 }
    /// How long faults may be reduced after the end of a short hunt.
    private static var leastReduction: Duration { .seconds(60) }
    private static var mostUnconfirmed: Int { 100 }
    private static var mostWaiting: Int { 1000 }

    init(_ hunt: Hunt<Stage>, kept: [Candidate]) {
        self.hunt = hunt
        self.kept = kept
        start = hunt.now()
        generator = Generator(
            hunt.stage.packs, layers: hunt.layers, knowsDigest: hunt.stage.knowsDigest, seed: hunt.seed)
        result = HuntResult(
            bugs: [], unconfirmed: [], attempts: 0, seconds: 0, spoilt: 0, corpus: Corpus(), isInterrupted: false)
    }

    mutating func perform() async throws {
        defer {
            result.seconds = start.duration(to: hunt.now()) / .seconds(1)
            result.coverage = HuntCoverage(
                singles: generator.singles, singlesTried: min(singlesTried, generator.singles),
                pairs: hunt.pairs, pairsTried: pairsTried.count)
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
        let nothing = Candidate([])
        guard let cell = try await hunt.stage.playUndisturbed(nothing) else {
            let last = try await hunt.stage.play(nothing)
            if hunt.stage.packs.isEmpty, last.findings.contains(where: { $0.attribution == .linkBypassed }) {
                throw HuntError.nothingCrossed
            }
            throw HuntError.notMeasured(last.findings.first?.description ?? "")
        }
        guard cell.verdict == .pass, let attempt = cell.countedAttempts.first else {
            throw HuntError.failsUndisturbed(Self.reason(of: cell))
        }
        let places = InterestingPlaces(of: attempt, packs: hunt.stage.packs)
        guard !places.requests.isEmpty else { throw HuntError.nothingCrossed }
        result.attempts += 1
        _ = result.corpus.add(Behaviour(of: cell), nothing, places)
        return places
    }

    private var hasEnough: Bool { hunt.untilFound.map { result.bugs.count >= $0 } ?? false }

    /// What failed, the client's exit status, and its last line of output.
    private static func reason(of cell: CellResult) -> String {
        var words = [cell.failures.first?.cause.conclusion].compactMap { $0 }
        let attempt = cell.redacted.countedAttempts.first
        if let status = attempt?.clientEnd?.exitStatus { words.append("It ended with status \(status).") }
        if let line = attempt?.clientOutput?.last(where: { !$0.isEmpty }) { words.append("It said: \(line)") }
        return words.joined(separator: " ")
    }

    private var isOver: Bool {
        if let most = hunt.attempts, result.attempts >= most { return true }
        return hasEnough || start.duration(to: hunt.now()) >= hunt.duration
    }

    /// The end of a task of the search.
    private enum Event: Sendable {
        case played(Candidate, CellResult?)
        case investigated(Investigation<Stage>.Outcome)
        /// Progress is due.
        case tick
    }

    private mutating func search() async throws {
        let stage = hunt.stage
        try await withThrowingTaskGroup(of: Event.self) { group in
            var asked = 0
            func fill() {
                while asked + investigating.count < hunt.width, !isOver,
                    hunt.attempts.map({ result.attempts + asked < $0 }) ?? true,
                    let candidate = generator.next(result.corpus)
                {
                    asked += 1
                    group.addTask { .played(candidate, try await stage.playUndisturbed(candidate)) }
                }
            }
            func tick() {
                group.addTask {
                    try await Task.sleep(for: .seconds(1))
                    return .tick
                }
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
                        // Ignores attempts that end after the time limit.
                        guard !isOver else { break }
                        if let cell { take(cell, of: candidate, in: &group) } else { result.spoilt += 1 }
                    case .investigated(let outcome): take(outcome, in: &group)
                    }
                    if isOver, investigating.isEmpty || hasEnough {
                        group.cancelAll()
                        return
                    }
                    tell()
                    fill()
                }
                group.cancelAll()
            } catch {
                // A confirmed failure is kept, although its faults may not be the fewest.
                group.cancelAll()
                while let event = await group.nextResult() {
                    if case .success(.investigated(let outcome)) = event { keep(outcome) }
                }
                throw error
            }
        }
    }

    private mutating func take(
        _ cell: CellResult, of candidate: Candidate, in group: inout ThrowingTaskGroup<Event, any Error>
    ) {
        result.attempts += 1
        if candidate.faults.count == 1 { singlesTried += 1 }
        let kinds = Set(candidate.faults.map(\.kind))
        for kind in kinds { pairsTried.formUnion(kinds.subtracting([kind]).map { [kind, $0] }) }
        if let attempt = cell.countedAttempts.first {
            let places = InterestingPlaces(of: attempt, packs: hunt.stage.packs)
            if result.corpus.add(Behaviour(of: cell), candidate, places) {
                generator.explore(Corpus.Entry(candidate: candidate, places: places, count: 1))
            }
        }
        guard let failure = failure(of: cell, candidate) else { return }
        consider(failure, candidate, in: &group)
    }

    /// Investigates a new failure; one equal to a failure under investigation waits for that result.
    private mutating func consider(
        _ failure: HuntFailure, _ candidate: Candidate, in group: inout ThrowingTaskGroup<Event, any Error>
    ) {
        // A failure is not new if some of its faults already cause a known bug that is as severe, or if the same
        // failure is known with the same kinds of faults at other places.
        let kinds = Set(candidate.faults.map(\.kind))
        if let index = result.bugs.firstIndex(where: {
            $0.failure.severity.rank <= failure.severity.rank && candidate.covers($0.candidate)
                || $0.failure == failure && kinds.isSuperset(of: $0.candidate.faults.map(\.kind))
        }) {
            result.bugs[index].others += 1
            return
        }
        guard investigating[failure] == nil else {
            if waiting.count < Self.mostWaiting { waiting.append((failure, candidate)) }
            return
        }
        guard investigations[failure, default: 0] < Self.mostInvestigations,
            flakes[failure, default: 0] < Self.mostFlakes
        else {
            if let index = result.bugs.firstIndex(where: { $0.failure == failure }) {
                result.bugs[index].others += 1
            } else {
                leaveOpen(UnconfirmedFailure(failure: failure, candidate: candidate))
            }
            return
        }
        guard !isOver else { return }
        let progress = InvestigationProgress()
        investigating[failure] = progress
        let (hunt, limit) = (hunt, start + hunt.duration + max(hunt.duration, Self.leastReduction))
        let investigation = Investigation(
            stage: hunt.stage, failure: failure, candidate: candidate, foundAt: result.attempts, width: hunt.width,
            progress: progress, isOverdue: { hunt.now() >= limit })
        group.addTask { .investigated(try await investigation.outcome()) }
    }

    private mutating func take(
        _ outcome: Investigation<Stage>.Outcome, in group: inout ThrowingTaskGroup<Event, any Error>
    ) {
        keep(outcome)
        investigating[outcome.failure] = nil
        if outcome.bug != nil {
            investigations[outcome.failure, default: 0] += 1
        } else {
            flakes[outcome.failure, default: 0] += 1
        }
        let others = waiting
        waiting = []
        for (failure, candidate) in others { consider(failure, candidate, in: &group) }
    }

    private mutating func keep(_ outcome: Investigation<Stage>.Outcome) {
        result.attempts += outcome.plays
        guard let bug = outcome.bug else {
            return leaveOpen(
                UnconfirmedFailure(
                    failure: outcome.failure, candidate: outcome.candidate, cameBack: outcome.cameBack,
                    plays: outcome.confirmations))
        }
        // The lines of some kinds of faults include those of another kind.
        let alike = result.bugs.indices.filter { result.bugs[$0].failure == bug.failure }
        let lines = Set(bug.candidate.schedule.lines)
        if let index = alike.first(where: { lines.isSuperset(of: result.bugs[$0].candidate.schedule.lines) }) {
            result.bugs[index].others += 1
        } else if let index = alike.first(where: { lines.isSubset(of: result.bugs[$0].candidate.schedule.lines) }) {
            let others = result.bugs[index].others + 1
            result.bugs[index] = bug
            result.bugs[index].others = others
        } else {
            result.bugs.append(bug)
        }
    }

    private func failure(of cell: CellResult, _ candidate: Candidate) -> HuntFailure? {
        guard let failure = HuntFailure(of: cell) else { return nil }
        return failure.severity == .givesUp && hunt.allowsGivingUp ? nil : failure
    }

    /// Records an unconfirmed failure, up to a limit.
    private mutating func leaveOpen(_ unconfirmed: UnconfirmedFailure) {
        if result.unconfirmed.count < Self.mostUnconfirmed { result.unconfirmed.append(unconfirmed) }
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
