import Results

/// The state of a hunt while it goes on.
struct HuntSearch<Stage: HuntStage> {
    private let hunt: Hunt<Stage>
    private let start: ContinuousClock.Instant
    private var generator: Generator
    private let kept: [Candidate]
    private(set) var result: HuntResult
    /// How often failures of one kind were made smaller, and how often they did not come back.
    private var investigations: [HuntFailure: Int] = [:]
    private var flakes: [HuntFailure: Int] = [:]

    /// Failures of one kind may have several causes; so many are looked into.
    private static var mostInvestigations: Int { 3 }
    private static var mostFlakes: Int { 10 }
    private static var mostUnconfirmed: Int { 100 }
    /// So many plays that all fail are enough to begin with.
    private static var confirmations: Int { 4 }
    private static var mostConfirmations: Int { 12 }

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

    /// Where nothing goes wrong the client has to download: only then a failure says something.
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

    /// What failed, how the client ended, and the last line that it wrote.
    private static func reason(of cell: CellResult) -> String {
        var words = [cell.failures.first?.cause.conclusion].compactMap { $0 }
        let attempt = cell.redacted.countedAttempts.first
        if let status = attempt?.clientEnd?.exitStatus { words.append("It ended with status \(status).") }
        if let line = attempt?.clientOutput?.last(where: { !$0.isEmpty }) { words.append("It said: \(line)") }
        return words.joined(separator: " ")
    }

    private var isOver: Bool {
        if let most = hunt.attempts, result.attempts >= most { return true }
        if let enough = hunt.untilFound, result.bugs.count >= enough { return true }
        return start.duration(to: hunt.now()) >= hunt.duration
    }

    private mutating func search() async throws {
        let stage = hunt.stage
        typealias Played = (candidate: Candidate, cell: CellResult?)
        try await withThrowingTaskGroup(of: Played.self) { group in
            var asked = 0
            func fill() {
                while asked < hunt.width, !isOver, hunt.attempts.map({ result.attempts + asked < $0 }) ?? true,
                    let candidate = generator.next(result.corpus)
                {
                    asked += 1
                    group.addTask { (candidate, try await stage.playUndisturbed(candidate)) }
                }
            }
            fill()
            while let (candidate, cell) = try await group.next() {
                asked -= 1
                if let cell { try await take(cell, of: candidate) } else { result.spoilt += 1 }
                if isOver {
                    group.cancelAll()
                    return
                }
                tell("\(candidate.faults.count) \(candidate.faults.count == 1 ? "fault" : "faults") at a time")
                fill()
            }
        }
    }

    private mutating func take(_ cell: CellResult, of candidate: Candidate) async throws {
        result.attempts += 1
        if let attempt = cell.countedAttempts.first {
            let places = InterestingPlaces(of: attempt, packs: hunt.stage.packs)
            if result.corpus.add(Behaviour(of: cell), candidate, places) {
                generator.explore(Corpus.Entry(candidate: candidate, places: places, count: 1))
            }
        }
        guard let failure = failure(of: cell, candidate) else { return }
        // What a part of the faults does is no other bug, whatever it is called; nor is the same at another place.
        let kinds = Set(candidate.faults.map(\.kind))
        if let index = result.bugs.firstIndex(where: {
            $0.failure.severity.rank <= failure.severity.rank && candidate.covers($0.candidate)
                || $0.failure == failure && kinds.isSuperset(of: $0.candidate.faults.map(\.kind))
        }) {
            result.bugs[index].others += 1
            return
        }
        guard investigations[failure, default: 0] < Self.mostInvestigations,
            flakes[failure, default: 0] < Self.mostFlakes
        else {
            if let index = result.bugs.firstIndex(where: { $0.failure == failure }) {
                result.bugs[index].others += 1
            } else {
                leaveOpen(failure, candidate)
            }
            return
        }
        if try await investigate(failure, candidate) {
            investigations[failure, default: 0] += 1
        } else {
            flakes[failure, default: 0] += 1
        }
    }

    private func failure(of cell: CellResult, _ candidate: Candidate) -> HuntFailure? {
        guard let failure = HuntFailure(of: cell) else { return nil }
        return failure.severity == .givesUp && hunt.allowsGivingUp ? nil : failure
    }

    /// Keeps a failure that was not confirmed, as far as there are few.
    private mutating func leaveOpen(_ failure: HuntFailure, _ candidate: Candidate) {
        if result.unconfirmed.count < Self.mostUnconfirmed { result.unconfirmed.append((failure, candidate)) }
    }

    private func tell(_ activity: String) {
        hunt.report(
            HuntProgress(
                attempts: result.attempts, seconds: start.duration(to: hunt.now()) / .seconds(1),
                behaviours: result.corpus.count, bugs: result.bugs.count, activity: activity,
                worst: result.bugs.min { $0.failure.severity.rank < $1.failure.severity.rank }?.failure.conclusion))
    }
}

extension HuntSearch {
    /// Plays a failure until it is known how often it comes back, makes its faults fewer and simpler, and keeps it.
    ///
    /// False where it does not come back, or comes back without any fault.
    private mutating func investigate(
        _ failure: HuntFailure, _ candidate: Candidate
    ) async throws -> Bool {
        let foundAt = result.attempts
        tell("confirming: \(failure.conclusion)")
        var (cameBack, plays) = (0, 0)
        while plays < Self.mostConfirmations, !(plays == Self.confirmations && cameBack == plays) {
            let cells = try await hunt.stage.playUndisturbed(candidate, times: Self.confirmations)
            if cells.isEmpty { break }
            plays += cells.count
            cameBack += cells.count { HuntFailure(of: $0) == failure }
        }
        result.attempts += plays
        guard cameBack >= 2 else {
            leaveOpen(failure, candidate)
            return false
        }
        tell("shrinking: \(failure.conclusion)")
        let trial = FailureTrial(stage: hunt.stage, failure: failure, rate: Double(cameBack) / Double(plays))
        var bug = HuntedBug(
            failure: failure, candidate: candidate, cameBack: cameBack, plays: plays, foundAt: foundAt,
            foundWith: candidate.faults.count, shrinkingPlays: 0)
        do {
            let smallest = try await trial.smallest(candidate)
            (bug.shrinkingPlays, result.attempts) = (trial.plays, result.attempts + trial.plays)
            guard !smallest.faults.isEmpty else {
                leaveOpen(failure, smallest)
                return false
            }
            if smallest != candidate {
                let cells = try await hunt.stage.playUndisturbed(smallest, times: Self.confirmations + 1)
                result.attempts += cells.count
                let failed = cells.count { HuntFailure(of: $0) == failure }
                // What does not come back when it is looked at again was not made smaller.
                if failed >= 2 {
                    bug.candidate = smallest
                    (bug.cameBack, bug.plays) = (failed, cells.count)
                }
            }
        } catch is CancellationError {
            result.bugs.append(bug)
            throw CancellationError()
        }
        if let index = result.bugs.firstIndex(where: { $0.failure == failure && $0.candidate == bug.candidate }) {
            result.bugs[index].others += 1
        } else {
            result.bugs.append(bug)
        }
        return true
    }
}
