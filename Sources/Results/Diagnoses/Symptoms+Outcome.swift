import Wording

extension Symptoms {
    /// Why a request did not end as expected, or the client did not end by itself.
    var outcomeDiagnosis: BugDiagnosis? {
        var wrong = unmet
        if wrong.isEmpty, findings.contains(.clientHung) {
            wrong = attempt.requests.filter { $0.result == .noCallback }.map { ($0, .available()) }
        }
        for (outcome, expectation) in wrong {
            if let found = missedAddress(outcome, expectation) ?? stuck(outcome, expectation) { return found }
            let found =
                blockedLookup(outcome) ?? endlessSleep(outcome) ?? endlessTries(outcome) ?? triesInOutage(outcome)
                ?? endlessWait(outcome) ?? untoldFailure(outcome, expectation) ?? lostForAMoment(outcome, expectation)
                ?? leftUnknownLength(outcome, expectation) ?? slowAndAlive(outcome, expectation)
                ?? givenUp(outcome, expectation)
            if let found { return found }
            let told =
                wrongError(outcome, expectation) ?? outlasted(outcome, expectation)
                ?? falseSuccess(outcome, expectation)
            if let told { return told }
        }
        return nil
    }

    /// Seconds from the client's start to the request's callback, or to the client's end if there was none.
    func end(of outcome: RequestOutcome) -> Double {
        let told = told(outcome)?.calledBackSeconds
        return told ?? (outcome.result == .noCallback ? nil : outcome.seconds) ?? conduct.endedSeconds
    }

    /// Whether it had no callback, or had one only because the client was stopped at its deadline.
    func isSilent(_ outcome: RequestOutcome) -> Bool {
        if outcome.result == .noCallback { return true }
        // A client that calls back as cancelled when it is stopped would never have called back by itself. If the
        // workload cancels the request, the same callback is right.
        return attempt.clientEnd?.wasStopped == true && outcome.domain == "NSCocoaErrorDomain" && outcome.code == 3072
            && told(outcome)?.isToCancel != true
    }

    /// Says that the end of a request was not reported, as part of a sentence; for a command, how the command ended.
    func silence(of outcome: RequestOutcome) -> String {
        guard conduct.isCommand, let end = attempt.clientEnd else { return "'\(outcome.id)' was not called back" }
        if end.wasStopped { return "the command did not end by itself" }
        if let signal = end.signal {
            return "signal \(signal) ended the \(end.exitStatus == nil ? "command" : "program in the command")"
        }
        return "the command ended with status \(end.exitStatus ?? 0), and did not report how its request ended"
    }

    /// How long a request may go on without a sign of life, plus the time to report that, in seconds.
    ///
    /// A client that goes on for longer has no limit. The limit of a command that is not given a patience is unknown;
    /// such a command has none if it waits for longer than any usual limit.
    var limit: Double {
        let own = conduct.patienceSeconds + Self.slack
        return conduct.hasKnownPatience ? own : max(own, ConductRecord.longestUsualLimit)
    }

    /// The same for several tries, if some of them ended because the client waited in vain.
    ///
    /// A command may apply the patience that it is told to each try, and give up after a number of tries.
    func limit(ofWaits hasWaited: Bool) -> Double {
        hasWaited && conduct.isCommand ? max(limit, ConductRecord.longestUsualLimit) : limit
    }

    private static let slack = 0.5

    /// The patience for a sentence.
    var toldPatience: String { "with a patience of \(text(conduct.patienceSeconds))" }

    private func blockedLookup(_ outcome: RequestOutcome) -> BugDiagnosis? {
        let end = end(of: outcome)
        let delay = conduct.lookupDelaySeconds ?? 0
        // A client that hears at once that the name does not exist, and stops asking, does not wait for it.
        let isUnknown = conduct.outages.contains { outage in
            outage.kind == "no-name" && outage.fromSeconds < end
                && (outage.lastTrySeconds ?? outage.fromSeconds) - outage.fromSeconds > limit
        }
        // If a lookup took little of the time, the client waited for something else.
        guard conduct.fetches?.isEmpty == true, isUnknown || delay > 0.5 * end,
            end > limit
        else { return nil }
        let why = isUnknown ? "the host's name is unknown" : "a lookup of the host's name takes \(text(delay))"
        return BugDiagnosis(
            .blocksOnDNS, "\(silence(of: outcome)) in \(text(end)); nothing reached the host, and \(why)",
            seconds: end)
    }

    /// When the last byte arrived that belongs to a pack.
    ///
    /// If none did, when the first request began, or, if it brought something other than the pack, when it ended.
    private var lastGain: Double? {
        let fetches = conduct.fetches ?? []
        let gains = fetches.filter { !$0.range.isEmpty && !isWrong($0) }
        return gains.compactMap { $0.lastByteSeconds ?? $0.endedSeconds }.max()
            ?? fetches.first.map { isWrong($0) ? $0.endedSeconds : $0.beganSeconds }
    }

    /// Whether the client can see that an answer is not the pack; a command knows neither hash nor size.
    func isWrong(_ fetch: ConductRecord.Fetch) -> Bool {
        let seen = conduct.isCommand ? ["body", "portal"] : ["body", "portal", "corrupt", "changed-size"]
        return seen.contains(where: fetch.hasFault)
    }

    /// Whether an answer leaves the client without what it asked for.
    private func isVain(_ fetch: ConductRecord.Fetch) -> Bool {
        fetch.hasFailed || isWrong(fetch) || fetch.isRedirect && !isFollowedAtOnce(fetch)
    }

    private func endlessTries(_ outcome: RequestOutcome) -> BugDiagnosis? {
        guard isSilent(outcome), let fetches = conduct.fetches, let last = fetches.last, let lastGain else {
            return nil
        }
        let vain = fetches.filter { $0.beganSeconds >= lastGain && isVain($0) }
        let over = last.beganSeconds - lastGain
        guard vain.count >= 3, over > limit(ofWaits: vain.contains(where: isWaiting)) else { return nil }
        return diagnosis(
            .retriesForever, last,
            "\(text(last)) came \(text(over)) after the last byte of the pack, or after the first request, "
                + toldPatience)
    }

    private func lostForAMoment(_ outcome: RequestOutcome, _ expectation: Expectation) -> BugDiagnosis? {
        guard isGivenUp(outcome, expectation) else { return nil }
        let end = end(of: outcome)
        if let found = lostJustNow(outcome, end) { return found }
        let over = conduct.outages.filter { ($0.untilSeconds ?? .infinity) <= end && $0.fromSeconds > 0 }
        guard let last = over.last, let until = last.untilSeconds, end - until < 0.9 * conduct.patienceSeconds,
            over.allSatisfy({ ($0.untilSeconds ?? 0) - $0.fromSeconds < conduct.patienceSeconds }),
            // No later request was cut by the host, or brought the last byte of its pack.
            !(conduct.fetches ?? []).contains(where: {
                $0.beganSeconds > until && ($0.end == .host || isLastPart($0))
            })
        else { return nil }
        let back = last.kind == "cut" ? over.count == 1 ? "that" : "the last time" : "it was back"
        return BugDiagnosis(
            .breaksOnFlapping,
            "\(losses(over)), and '\(outcome.id)' ended in an error \(brief(end - until)) after \(back), "
                + toldPatience,
            seconds: last.fromSeconds)
    }

    /// Whether an answer brought the pack up to its last byte.
    private func isLastPart(_ fetch: ConductRecord.Fetch) -> Bool {
        let bytes = conduct.packs?.first { $0.pack == fetch.pack }?.bytes ?? .max
        return fetch.isWhole && fetch.isOfPack && fetch.range.upperBound >= bytes
    }

    /// An error soon after the link was lost, while it was still out.
    private func lostJustNow(_ outcome: RequestOutcome, _ end: Double) -> BugDiagnosis? {
        let outages = conduct.outages.filter { $0.kind != "cut" && $0.fromSeconds > 0 && $0.fromSeconds < end }
        guard let last = outages.last, last.untilSeconds ?? .infinity > end,
            end - last.fromSeconds < 0.5 * conduct.patienceSeconds
        else { return nil }
        let count = outages.count
        return BugDiagnosis(
            .breaksOnFlapping,
            "the link was lost \(count.times), and '\(outcome.id)' ended in an error "
                + "\(brief(end - last.fromSeconds)) after \(count == 1 ? "that" : "the last time"), \(toldPatience)",
            seconds: last.fromSeconds)
    }

    /// The outages and cuts that the client met, for a sentence: `the link was lost 2 times, the last time for 300 ms`.
    ///
    /// A cut of connections is a moment, and not a time without a link.
    private func losses(_ outages: [ConductRecord.Outage]) -> String {
        let cuts = outages.count { $0.kind == "cut" }
        let lost = outages.count - cuts
        var parts = lost > 0 ? ["the link was lost \(lost.times)"] : []
        if cuts > 0 { parts.append("connections were cut \(cuts.times)") }
        let told = parts.joined(separator: " and ")
        guard let last = outages.last, last.kind != "cut", let until = last.untilSeconds else { return told }
        return told + (outages.count == 1 ? " for " : ", the last time for ") + brief(until - last.fromSeconds)
    }

    /// Seconds for a sentence; `less than 1 ms` for short times, and never 0.
    private func brief(_ seconds: Double) -> String { seconds < 0.001 ? "less than 1 ms" : text(seconds) }

    /// Whether it ended in an error of the network or of a command, instead of becoming available.
    private func isGivenUp(_ outcome: RequestOutcome, _ expectation: Expectation) -> Bool {
        guard case .available = expectation, outcome.result == .error else { return false }
        return outcome.errorClass == .network || outcome.domain == "exit" || outcome.domain == "NSURLErrorDomain"
    }

    /// An error of a client that was killed and started again, and then requested nothing.
    private func stuck(_ outcome: RequestOutcome, _ expectation: Expectation) -> BugDiagnosis? {
        guard isGivenUp(outcome, expectation), conduct.outages.isEmpty, let kill = conduct.kills?.last,
            attempt.clientEnd?.wasStopped != true, attempt.clientEnd?.signal == nil,
            let last = conduct.fetches?.last, last.beganSeconds <= kill.seconds
        else { return nil }
        return diagnosis(
            .stuckAfterKill, last, at: last.reached,
            "it was killed \(text(kill.seconds)) after its start, started again, and ended in an error without a request, "
                + "\(brief(end(of: outcome) - kill.seconds)) after the kill")
    }

    private func slowAndAlive(_ outcome: RequestOutcome, _ expectation: Expectation) -> BugDiagnosis? {
        guard isGivenUp(outcome, expectation),
            let last = (conduct.fetches ?? []).max(by: { $0.endedSeconds < $1.endedSeconds }), last.end == .client,
            last.faults.allSatisfy({ fault in ["drip", "late-head", "stall"].contains { fault.hasPrefix($0) } }),
            // When parts are fetched in parallel, one that the host cuts makes the client end the others.
            !(conduct.fetches ?? []).contains(where: { $0.end == .host && $0.endedSeconds > last.beganSeconds }),
            // A client that asked for the rest and got the whole had another reason.
            (last.askedFrom ?? 0) == 0 || last.status != 200,
            !conduct.outages.contains(where: {
                $0.fromSeconds <= last.endedSeconds && ($0.untilSeconds ?? .infinity) >= last.beganSeconds
            })
        else { return nil }
        let quiet = quiet(last)
        guard quiet < 0.9 * conduct.patienceSeconds, let bug = timeLimit(last) else { return nil }
        let byte = last.reached
        return diagnosis(
            bug, last, at: byte,
            "\(text(last)) was ended by the client after \(text(last.endedSeconds - last.beganSeconds))"
                + (byte.map { " at byte \($0)" } ?? "")
                + ", \(text(quiet)) after the last sign of life, with a patience of "
                + "\(text(conduct.patienceSeconds))")
    }

    /// A download that was cut and not resumed.
    private func givenUp(_ outcome: RequestOutcome, _ expectation: Expectation) -> BugDiagnosis? {
        guard isGivenUp(outcome, expectation), conduct.outages.isEmpty,
            let last = (conduct.fetches ?? []).max(by: { $0.endedSeconds < $1.endedSeconds }), last.end == .host,
            last.isOfPack, !last.range.isEmpty, end(of: outcome) - last.endedSeconds < 0.9 * conduct.patienceSeconds
        else { return nil }
        let cuts = (conduct.fetches ?? []).count { $0.pack == last.pack && $0.hasFailed }
        guard cuts == 1 else { return nil }
        return diagnosis(
            .noResume, last, at: last.range.upperBound,
            "\(text(last)) was cut at byte \(last.range.upperBound), and the client never requested the rest")
    }

    private func wrongError(_ outcome: RequestOutcome, _ expectation: Expectation) -> BugDiagnosis? {
        guard case .error(let pattern, _) = expectation, outcome.result == .error, !isSilent(outcome),
            !pattern.matches(outcome)
        else { return nil }
        return BugDiagnosis(.wrongErrorCode, "\(outcome), instead of \(expectation)", seconds: end(of: outcome))
    }
}
