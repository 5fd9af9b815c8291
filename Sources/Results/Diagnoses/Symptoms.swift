/// The observations of a failed attempt, from which rules derive diagnoses.
///
/// Rules use only what was observed, not which scenario it was.
struct Symptoms {
    let attempt: AttemptRecord
    let conduct: ConductRecord
    /// The names of the checks that the attempt broke.
    let broken: Set<String>
    /// The findings about the client.
    let findings: Set<Attribution>
    let plan: CellPlan

    /// All bugs that explain the attempt's failure, each once, the most specific first.
    func diagnoses() -> [BugDiagnosis] {
        // If the client accepted a wrong certificate, its content came from a wrong host and needs no other reason.
        if let acceptedCertificate { return numbered([acceptedCertificate]) }
        // A bug that explains the content, a cancel or the storage also explains the outcomes of requests.
        let redirects = redirectDiagnoses
        // If the client kept a page or nothing instead of a redirect's target, that is the only reason.
        let kept = keptAnswer.map { [$0] }
        let content = redirects.contains { $0.bug == .ignoresRedirect } ? [] : kept ?? contentDiagnoses
        var first = redirects + content + [ignoredCancel, repeatedCallback].compactMap { $0 } + storageDiagnoses
        if first.isEmpty { first = [refetchedWhole].compactMap { $0 } }
        let tries = [ignoredRetryAfter, missingBackOff, ownTimeLimit, missingResume, twinDownload].compactMap { $0 }
        let priority = [ignoredPriority].compactMap { $0 }
        // A client that gave up too soon never met the expected error.
        let isExplained =
            !(first + priority).isEmpty || tries.contains { [.impatient, .limitsTotalTime].contains($0.bug) }
        let outcome = isExplained ? [] : [outcomeDiagnosis].compactMap { $0 }
        let progress = first.isEmpty ? [progressDiagnosis].compactMap { $0 } : []
        return numbered(
            first + tries + outcome + progress + priority + [memory, busyWait, flood].compactMap { $0 } + fileDiagnoses)
    }

    /// The first diagnosis of each bug, with the attempt's number.
    private func numbered(_ diagnoses: [BugDiagnosis]) -> [BugDiagnosis] {
        diagnoses.grouped(by: \.bug).map { $0[0] }.changingEach { $0.attempt = attempt.number }
    }

    /// Requests whose outcome was not the expected one.
    var unmet: [(outcome: RequestOutcome, expectation: Expectation)] {
        plan.expectations.flatMap { expected in
            attempt.requests.filter { $0.result != .unknown && !expected.isMet(by: $0) }
                .map { ($0, expected.expectation) }
        }
    }

    /// What the client reported about a request; nil if it did not report it.
    func told(_ outcome: RequestOutcome) -> ConductRecord.Request? {
        conduct.requests?.first { $0.id == outcome.id }
    }

    /// Whether a check was broken whose name begins with one of the prefixes.
    func isBroken(_ prefixes: String...) -> Bool { isBroken(prefixes) }

    /// Whether a check was broken whose name begins with one of the prefixes.
    func isBroken(_ prefixes: [String]) -> Bool {
        broken.contains { name in prefixes.contains { name.hasPrefix($0) } }
    }

    /// A diagnosis that one request to the host shows.
    func diagnosis(_ bug: ClientBug, _ fetch: ConductRecord.Fetch, at byte: Int64? = nil, _ detail: String)
        -> BugDiagnosis
    {
        BugDiagnosis(
            bug, detail, pack: fetch.pack, byte: byte, seconds: fetch.beganSeconds, nanoseconds: fetch.nanoseconds)
    }

    /// A request to the host in words: `try 2 for 'level.bin'`.
    func text(_ fetch: ConductRecord.Fetch) -> String {
        let isHead = conduct.heads?.contains(fetch) == true
        return "\(isHead ? "a HEAD request" : "try \(fetch.number)") for '\(conduct.name(of: fetch.pack))'"
    }

    /// Seconds for a sentence.
    func text(_ seconds: Double) -> String { Quantity(max(0, seconds), .seconds).rounded() }

    /// The answer, for a sentence: `answered 200 from byte 0`.
    func answer(_ fetch: ConductRecord.Fetch) -> String {
        guard let status = fetch.status else { return "not answered" }
        return status == 200 || status == 206
            ? "answered \(status) from byte \(fetch.answeredFrom)" : "answered \(status)"
    }

    /// The number of bytes, from the pack's first one on without a gap, that were there before or that earlier tries
    /// brought.
    func arrived(before fetch: ConductRecord.Fetch, of tries: [ConductRecord.Fetch]) -> Int64 {
        max(
            conduct.partBefore ?? 0,
            Self.prefix(tries.filter { $0.nanoseconds < fetch.nanoseconds || $0.number < fetch.number }))
    }

    /// The number of bytes, from the pack's first one on without a gap, that the tries brought.
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
    /// The bugs that explain a cell's failures, in the order of its attempts.
    ///
    /// Empty unless the cell failed, because only a client that failed is accused.
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

extension Symptoms {
    /// Why the reported progress is wrong.
    var progressDiagnosis: BugDiagnosis? {
        guard isBroken("progress", "time_to_first_progress") else { return nil }
        for request in conduct.requests ?? [] {
            guard let progress = request.progress else { continue }
            let found =
                ahead(request, progress) ?? fall(request, progress) ?? complete(request, progress)
                ?? behind(request, progress)
            if let found { return found }
        }
        return nil
    }

    /// The smallest difference between shares that is not mere imprecision.
    private static let clear = 0.08

    private func ahead(_ request: ConductRecord.Request, _ progress: ConductRecord.Progress) -> BugDiagnosis? {
        guard let report = progress.ahead, let share = report.share, report.fraction - share > Self.clear else {
            guard let most = progress.most, most > 1.001 else { return nil }
            return BugDiagnosis(.progressCountsTwice, "'\(request.id)' reported a progress of \(text(share: most))")
        }
        let excess = report.fraction - share
        let before = report.fractionBefore - (report.shareBefore ?? 0)
        // A part that is counted again when a download resumes also appears all at once.
        let isResumed = (conduct.fetches ?? []).contains { fetch in
            (fetch.askedFrom ?? 0) > 0 && (report.seconds - 1...report.seconds).contains(fetch.beganSeconds)
        }
        let isLeap = report.fraction >= 0.99 && before < 0.5 * excess && !isResumed && progress.most ?? 0 <= 1.001
        return BugDiagnosis(
            isLeap ? .progressJumpsEarly : .progressCountsTwice,
            "'\(request.id)' reported \(text(share: report.fraction)) when \(text(share: share)) had arrived"
                + (isLeap ? ", and \(text(share: report.fractionBefore)) just before" : ""),
            seconds: report.seconds, nanoseconds: report.nanoseconds)
    }

    private func fall(_ request: ConductRecord.Request, _ progress: ConductRecord.Progress) -> BugDiagnosis? {
        guard let report = progress.fall else { return nil }
        return BugDiagnosis(
            .progressGoesBack,
            "'\(request.id)' reported \(text(share: report.fraction)) after \(text(share: report.fractionBefore))",
            seconds: report.seconds, nanoseconds: report.nanoseconds)
    }

    /// A progress of 1 for a request that ended in an error.
    ///
    /// The missing rest may be smaller than the imprecision that the other rules allow.
    private func complete(_ request: ConductRecord.Request, _ progress: ConductRecord.Progress) -> BugDiagnosis? {
        guard isBroken("progress.ends"), !conduct.isCommand, !request.isAvailable,
            let callback = request.calledBackSeconds, let most = progress.most, most >= 1
        else { return nil }
        return BugDiagnosis(
            .progressJumpsEarly, "'\(request.id)' reported a progress of \(text(share: most)), and ended in an error",
            seconds: callback, nanoseconds: conduct.nanoseconds(at: callback))
    }

    private func behind(_ request: ConductRecord.Request, _ progress: ConductRecord.Progress) -> BugDiagnosis? {
        // Bytes that arrive again are not progress.
        guard let still = progress.standstill, still.share - shareFetchedTwice(request) > 2 * Self.clear else {
            return nil
        }
        return BugDiagnosis(
            .progressStandsStill,
            "'\(request.id)' reported \(text(share: still.fraction)) for \(text(still.untilSeconds - still.fromSeconds)), while "
                + "\(text(share: still.share)) of the bytes arrived",
            seconds: still.fromSeconds, nanoseconds: nil)
    }

    /// The redundant bytes as a share of the bytes of all packs that a request asks for.
    private func shareFetchedTwice(_ request: ConductRecord.Request) -> Double {
        let packs = (conduct.packs ?? []).filter { request.packs.isEmpty || request.packs.contains($0.pack) }
        let bytes = packs.map(\.bytes).reduce(0, +)
        return bytes > 0 ? (attempt.samples[.redundantBytes].value ?? 0) / Double(bytes) : 0
    }

    private func text(share: Double) -> String { Quantity(share, .ratio).rounded() }
}

extension Symptoms {
    /// How long bytes that were on the way when an urgent request began may still arrive on a busy machine, in seconds.
    private static let timeToYield = 2.0

    /// An urgent request that waited for others, or shared the link with them.
    var ignoredPriority: BugDiagnosis? {
        let late = Set(unmet.filter { $0.outcome.result == .available }.map(\.outcome.id))
        for urgent in conduct.requests ?? [] where urgent.isUrgent && (late.contains(urgent.id) || isBroken("order")) {
            let own = conduct.fetches?.first {
                urgent.packs.contains($0.pack) && $0.beganSeconds >= urgent.beganSeconds
            }
            let others = (conduct.fetches ?? []).filter { fetch in
                !urgent.packs.contains(fetch.pack) && fetch.beganSeconds < urgent.beganSeconds
                    && fetch.endedSeconds > urgent.beganSeconds
            }
            // A client that ends other downloads for the urgent one may still have their bytes in front of it on the
            // link.
            let busy = others.filter { $0.end != .client }
            guard let own, !busy.isEmpty else { continue }
            let wait = own.beganSeconds - urgent.beganSeconds
            if wait > 0.25, let first = busy.first, own.beganSeconds >= first.endedSeconds {
                return diagnosis(
                    .ignoresPriority, own,
                    "'\(urgent.id)' is urgent, but \(text(own)) came \(text(wait)) after it began, when \(text(first)) "
                        + "had ended")
            }
            guard late.contains(urgent.id), busy.count == others.count, let beside = wentOn(busy, beside: own) else {
                continue
            }
            return diagnosis(
                .ignoresPriority, own,
                "'\(urgent.id)' is urgent, but \(text(own)) shared the link with \(text(beside)), which had begun "
                    + "earlier and went on")
        }
        return nil
    }

    /// A download that continued while an urgent one was under way; nil if the others may have been held back for it.
    private func wentOn(_ busy: [ConductRecord.Fetch], beside own: ConductRecord.Fetch) -> ConductRecord.Fetch? {
        guard own.faults.isEmpty, let last = own.lastByteSeconds, last - own.beganSeconds > Self.timeToYield,
            !conduct.isOut(from: own.beganSeconds, to: last)
        else { return nil }
        let beside = busy.filter { ($0.lastByteSeconds ?? 0) - own.beganSeconds > Self.timeToYield }
        // Its last byte came while the urgent one was under way.
        if let over = beside.first(where: { $0.lastByteSeconds ?? .infinity < last }) { return over }
        guard let begin = beside.map(\.beganSeconds).min(), let end = beside.compactMap(\.lastByteSeconds).max(),
            end > begin
        else { return nil }
        // If they had been held back for that long, their rate in the rest of the time would have been more than twice
        // the mean rate of all downloads.
        let rest = max(0, own.beganSeconds - begin) + end - last
        let bytes = Double(beside.map(\.bytes).reduce(0, +))
        let rate = (bytes + Double(own.bytes)) / (end - begin)
        return bytes > 2 * rate * rest ? beside.first : nil
    }
}
