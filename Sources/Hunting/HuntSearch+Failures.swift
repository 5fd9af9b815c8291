import Results

extension HuntSearch {
    /// A failure may have several causes, and is investigated until it has shown this many bugs.
    private static var mostBugs: Int { 3 }
    private static var mostFruitless: Int { 10 }
    /// How long faults may be reduced after the end of a short hunt.
    private static var leastReduction: Duration { .seconds(60) }
    private static var mostUnconfirmed: Int { 100 }
    private static var mostWaiting: Int { 1000 }

    /// Whether a bug explains the failure, which then counts among that bug's.
    ///
    /// A failure is not new if some of its faults already cause a known bug that is as severe, or if the same failure
    /// is known with the same kinds of faults at other places.
    private mutating func isKnown(_ failure: HuntFailure, _ candidate: Candidate) -> Bool {
        let kinds = Set(candidate.faults.map(\.kind))
        let known = result.bugs.firstIndex {
            $0.explains(failure, of: candidate)
                || $0.failure == failure && kinds.isSuperset(of: $0.candidate.faults.map(\.kind))
        }
        if let known { result.bugs[known].others += 1 }
        return known != nil
    }

    /// Investigates a new failure; one equal to a failure under investigation waits for that result.
    mutating func consider(
        _ failure: HuntFailure, _ candidate: Candidate, in group: inout ThrowingTaskGroup<Event, any Error>
    ) {
        if isKnown(failure, candidate) { return }
        guard investigating[failure] == nil else {
            if waiting.count < Self.mostWaiting { waiting.append((failure, candidate)) }
            return
        }
        guard found[failure, default: 0] < Self.mostBugs, fruitless[failure, default: 0] < Self.mostFruitless else {
            if let index = result.bugs.firstIndex(where: { $0.failure == failure }) {
                result.bugs[index].others += 1
            } else {
                leaveOpen(UnconfirmedFailure(failure: failure, candidate: candidate))
            }
            return
        }
        guard !isLate else { return leaveOpen(UnconfirmedFailure(failure: failure, candidate: candidate)) }
        let progress = InvestigationProgress()
        investigating[failure] = progress
        let (hunt, limit) = (hunt, start + hunt.duration + max(hunt.duration, Self.leastReduction))
        let investigation = Investigation(
            stage: hunt.stage, failure: failure, candidate: candidate, foundAt: result.attempts, width: hunt.width,
            kinds: Set(hunt.kinds), progress: progress, isOverdue: { hunt.now() >= limit })
        group.addTask { .investigated(try await investigation.outcome()) }
    }

    mutating func take(
        _ outcome: Investigation<Stage>.Outcome, in group: inout ThrowingTaskGroup<Event, any Error>
    ) {
        let failure = outcome.shown.failure
        investigating[failure] = nil
        if keep(outcome) {
            found[failure, default: 0] += 1
        } else {
            fruitless[failure, default: 0] += 1
        }
        let others = waiting
        waiting = []
        for (failure, candidate) in others { consider(failure, candidate, in: &group) }
    }

    /// Records an investigation; returns whether it shows a new bug.
    mutating func keep(_ outcome: Investigation<Stage>.Outcome) -> Bool {
        result.attempts += outcome.plays
        guard var bug = outcome.bug else {
            leaveOpen(outcome.shown)
            return false
        }
        if let index = result.bugs.firstIndex(where: { $0.explains(bug) }) {
            result.bugs[index].others += 1
            return false
        }
        let start = result.bugs.partition { bug.explains($0) }
        bug.others += result.bugs[start...].map { $0.others + 1 }.reduce(0, +)
        result.bugs.replaceSubrange(start..., with: [bug])
        return true
    }

    /// Records an unconfirmed failure, up to a limit.
    mutating func leaveOpen(_ unconfirmed: UnconfirmedFailure) {
        if result.unconfirmed.count < Self.mostUnconfirmed { result.unconfirmed.append(unconfirmed) }
    }

    /// Records the failures that are not confirmed when the hunt ends: those of investigations that were cancelled, and
    /// those that wait.
    mutating func leaveOpenTheRest(_ cancelled: [Investigation<Stage>.Outcome]) {
        result.attempts += cancelled.map(\.plays).reduce(0, +)
        let open = cancelled.map(\.shown).sorted { $0.failure.severity.rank < $1.failure.severity.rank }
        let others = waiting.map { UnconfirmedFailure(failure: $0.failure, candidate: $0.candidate) }
        for unconfirmed in open + others where !isKnown(unconfirmed.failure, unconfirmed.candidate) {
            leaveOpen(unconfirmed)
        }
    }
}

extension HuntedBug {
    /// Whether its faults are among those of a failure that is no more severe.
    ///
    /// A failure that is as severe may lose connections in another way: then it often has another name. A client that
    /// does not check its writes to a full device fails at whatever makes it try again.
    fileprivate func explains(_ other: HuntFailure, of faults: Candidate) -> Bool {
        guard failure.severity == other.severity else {
            return failure.severity.rank < other.severity.rank && faults.covers(candidate)
        }
        return faults.covers(candidate, losesAlike: true)
            || faults.contains(.deviceFull) && candidate.contains(.deviceFull)
                && candidate.faults.count <= faults.faults.count
    }

    /// Whether another bug shows nothing new.
    func explains(_ other: HuntedBug) -> Bool {
        // The lines of some kinds of faults include those of another kind.
        let lines = Set(other.candidate.schedule.lines)
        return explains(other.failure, of: other.candidate)
            || failure == other.failure && lines.isSuperset(of: candidate.schedule.lines)
    }
}
