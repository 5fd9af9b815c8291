/// What an attempt shows that failed, for rules to conclude from.
///
/// Rules look at what was seen, and not at which scenario it was.
struct Symptoms {
    let attempt: AttemptRecord
    let conduct: ConductRecord
    /// The names of the checks that the attempt broke.
    let broken: Set<String>
    /// What was found about the client.
    let findings: Set<Attribution>
    let plan: CellPlan

    /// Everything that the attempt is explained by, each bug once, the most specific first.
    func diagnoses() -> [BugDiagnosis] {
        // What explains the content, a cancel or the storage explains what became of requests, too.
        let first = contentDiagnoses + [ignoredCancel, repeatedCallback].compactMap { $0 } + storageDiagnoses
        let tries = [ignoredRetryAfter, missingBackOff, ownTimeLimit, missingResume].compactMap { $0 }
        let priority = [ignoredPriority].compactMap { $0 }
        // Who gave up too soon never met the error that was to come.
        let isExplained = !(first + priority).isEmpty || tries.contains { $0.bug == .impatient }
        let outcome = isExplained ? [] : [outcomeDiagnosis].compactMap { $0 }
        let progress = first.isEmpty ? [progressDiagnosis].compactMap { $0 } : []
        var known: Set<ClientBug> = []
        return (first + tries + outcome + progress + priority + [memory].compactMap { $0 })
            .filter { known.insert($0.bug).inserted }
            .map { diagnosis in
                var diagnosis = diagnosis
                diagnosis.attempt = attempt.number
                return diagnosis
            }
    }

    /// Requests that came to something else than was expected.
    var unmet: [(outcome: RequestOutcome, expectation: Expectation)] {
        plan.expectations.flatMap { expected in
            attempt.requests.filter { outcome in
                (expected.request ?? outcome.id) == outcome.id && outcome.result != .unknown
                    && !expected.expectation.isMet(by: outcome)
            }.map { ($0, expected.expectation) }
        }
    }

    /// Whether a check was broken whose name begins so.
    func isBroken(_ prefixes: String...) -> Bool {
        broken.contains { name in prefixes.contains { name.hasPrefix($0) } }
    }

    /// A diagnosis of what one request to the host shows.
    func diagnosis(_ bug: ClientBug, _ fetch: ConductRecord.Fetch, at byte: Int64? = nil, _ detail: String)
        -> BugDiagnosis
    {
        BugDiagnosis(
            bug, detail, pack: fetch.pack, byte: byte, seconds: fetch.beganSeconds, nanoseconds: fetch.nanoseconds)
    }

    /// A request to the host in words: `try 2 for 'level.bin'`.
    func text(_ fetch: ConductRecord.Fetch) -> String {
        "try \(fetch.number) for '\(conduct.name(of: fetch.pack))'"
    }

    /// Seconds for a sentence.
    func text(_ seconds: Double) -> String { Quantity(max(0, seconds), .seconds).rounded() }

    /// What was answered, for a sentence: `answered 200 from byte 0`.
    func answer(_ fetch: ConductRecord.Fetch) -> String {
        guard let status = fetch.status else { return "not answered" }
        return status == 200 || status == 206
            ? "answered \(status) from byte \(fetch.answeredFrom)" : "answered \(status)"
    }

    /// Bytes of the pack without a gap from its first one that tries in front of one brought.
    func arrived(before fetch: ConductRecord.Fetch, of tries: [ConductRecord.Fetch]) -> Int64 {
        Self.prefix(tries.filter { $0.nanoseconds < fetch.nanoseconds || $0.number < fetch.number })
    }

    /// Bytes without a gap from the first one.
    static func prefix(_ tries: [ConductRecord.Fetch]) -> Int64 {
        var reached: Int64 = 0
        for range in tries.map(\.range).sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound <= reached
        {
            reached = max(reached, range.upperBound)
        }
        return reached
    }
}

extension CellPlan {
    /// The bugs by which the failures of a cell are explained, in the order of its attempts.
    ///
    /// Only a client that failed is accused: where the cell is no failure there is none.
    func diagnoses(_ made: [AttemptRecord], _ judgement: Judgement) -> [BugDiagnosis] {
        guard judgement.verdict == .fail else { return [] }
        return made.filter(\.isJudged).flatMap { attempt -> [BugDiagnosis] in
            guard let conduct = attempt.conduct else { return [] }
            let broken = judgement.checks.filter { $0.verdict == .fail && $0.brokenIn.contains(attempt.number) }
            let found = judgement.findings.filter {
                $0.attempt == attempt.number && $0.attribution.row.subject == .client
            }
            guard !broken.isEmpty || !found.isEmpty else { return [] }
            return Symptoms(
                attempt: attempt, conduct: conduct, broken: Set(broken.map(\.name)),
                findings: Set(found.map(\.attribution)), plan: self
            ).diagnoses()
        }
    }
}
