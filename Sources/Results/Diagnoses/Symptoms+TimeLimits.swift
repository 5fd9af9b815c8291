extension Symptoms {
    /// The outage that lasted until the request's end; nil if the link was up then.
    private func lastOutage(_ outcome: RequestOutcome) -> ConductRecord.Outage? {
        let end = end(of: outcome)
        return conduct.outages.last { $0.kind != "cut" && $0.fromSeconds < end && $0.untilSeconds ?? .infinity >= end }
    }

    /// Whether the client tried again in an outage that lasted until the end, or may have done so unseen.
    ///
    /// No try reaches the host then, so it is unknown whether the client waits or requests nothing.
    private func mayHaveTried(_ outcome: RequestOutcome) -> Bool {
        guard let outage = lastOutage(outcome) else { return false }
        return outage.tries.map { $0 > 0 } ?? (conduct.isCommand && outage.kind == "no-route")
    }

    /// Tries in an outage that lasted until the end, each with an end, that together took longer than the patience.
    ///
    /// A client that was stopped for its silence had stopped trying, and may have had few tries left.
    func triesInOutage(_ outcome: RequestOutcome) -> BugDiagnosis? {
        guard isSilent(outcome), conduct.silentSeconds == nil, let outage = lastOutage(outcome),
            let tries = outage.tries, tries >= 3, let last = outage.lastTrySeconds,
            last - outage.fromSeconds > limit(ofWaits: outage.kind == "silent")
        else { return nil }
        return BugDiagnosis(
            .retriesForever,
            "the link was \(outage.kind) from \(text(outage.fromSeconds)) on, and '\(outcome.id)' went on for \(tries) more "
                + "tries, the last one \(text(last - outage.fromSeconds)) later, \(toldPatience)",
            seconds: last, nanoseconds: conduct.nanoseconds(at: last))
    }

    func endlessWait(_ outcome: RequestOutcome) -> BugDiagnosis? {
        guard isSilent(outcome), !mayHaveTried(outcome) else { return nil }
        let end = end(of: outcome)
        guard let last = (conduct.fetches ?? []).max(by: { $0.endedSeconds < $1.endedSeconds }) else {
            let isSilent = conduct.outages.contains { $0.kind == "silent" && $0.fromSeconds < end }
            guard isSilent, conduct.fetches != nil, end > limit else { return nil }
            return BugDiagnosis(
                .noTimeout, "\(silence(of: outcome)) in \(text(end)), and nothing reached the host",
                seconds: end)
        }
        let sign = last.lastByteSeconds ?? last.beganSeconds
        let isOpen = last.end == .client || last.end == .stall || last.endedSeconds >= end - 0.25
        guard isOpen, !last.isWhole || last.endedSeconds >= end - 0.25,
            min(end, last.endedSeconds) - sign > limit
        else { return nil }
        let byte = last.reached
        let place = byte.map { "stalled at byte \($0)" } ?? "was \(answer(last))"
        return diagnosis(
            .noTimeout, last, at: byte,
            "\(text(last)) \(place), and nothing came for \(text(min(end, last.endedSeconds) - sign)), "
                + toldPatience)
    }

    /// A pause that the host asked for, and that is longer than any client waits for a download.
    ///
    /// A client that waits for some minutes because the host says so may be right.
    func endlessSleep(_ outcome: RequestOutcome) -> BugDiagnosis? {
        guard isSilent(outcome), attempt.clientEnd?.wasStopped ?? true, !mayHaveTried(outcome),
            let last = fetches(of: outcome).max(by: { $0.endedSeconds < $1.endedSeconds }),
            let asked = last.retryAfterSeconds, asked > Self.longestWait
        else { return nil }
        let slept = conduct.endedSeconds - last.endedSeconds
        guard slept > limit else { return nil }
        return diagnosis(
            .sleepsAsTold, last,
            "\(text(last)) was \(answer(last)) with a Retry-After of \(text(asked)), and the client requested nothing for "
                + "\(text(slept)), \(toldPatience)")
    }

    /// The longest patience that `headwind check` accepts, in seconds.
    private static let longestWait = 3600.0

    /// A client that ended all tries, but did not report that.
    func untoldFailure(_ outcome: RequestOutcome, _ expectation: Expectation) -> BugDiagnosis? {
        guard isSilent(outcome), conduct.fetches != nil else { return nil }
        let hasLeft = attempt.clientEnd.map { !$0.wasStopped && $0.signal == nil } ?? false
        guard hasLeft || !mayHaveTried(outcome) else { return nil }
        guard let last = fetches(of: outcome).max(by: { $0.endedSeconds < $1.endedSeconds }) else {
            guard conduct.fetches?.isEmpty == true, hasLeft || isRefused(outcome, expectation),
                hasLeft || conduct.endedSeconds > limit
            else { return nil }
            return BugDiagnosis(
                .neverReportsError, "\(silence(of: outcome)), and nothing reached the host",
                seconds: conduct.endedSeconds)
        }
        let idle = conduct.endedSeconds - last.endedSeconds
        // A client may wait as long as the host says.
        let least = max(limit, last.retryAfterSeconds ?? 0)
        guard last.hasFailed || isWrong(last), hasLeft || idle > least else { return nil }
        return diagnosis(
            .neverReportsError, last,
            "\(text(last)) was \(answer(last)) and ended \(text(idle)) before the client did, and "
                + silence(of: outcome))
    }

    /// Whether a client that requested nothing learned at once that it gets nothing.
    private func isRefused(_ outcome: RequestOutcome, _ expectation: Expectation) -> Bool {
        let isOut = conduct.outages.contains { outage in
            guard outage.kind == "no-name" else { return ["refused", "no-route"].contains(outage.kind) }
            // It looked the name up, and then stopped.
            return outage.lastTrySeconds.map {
                $0 - outage.fromSeconds <= limit && conduct.endedSeconds - $0 > limit
            } ?? false
        }
        if isOut { return true }
        // If link and lookup work, the expected error comes at once.
        guard !conduct.isCommand, conduct.outages.isEmpty, conduct.lookupDelaySeconds == nil,
            case .error(let pattern, _) = expectation, let code = pattern.code, !Self.waits.contains(code),
            let told = told(outcome)
        else { return false }
        return conduct.endedSeconds - told.beganSeconds > limit
    }

    /// The error codes of a client that has waited: -1001, no answer in time, and -1005, a lost connection.
    private static let waits = [-1001, -1005]

    /// Success although the time without a sign of life was far over the patience.
    ///
    /// Commands are left out, because it is unknown how long they may wait.
    func outlasted(_ outcome: RequestOutcome, _ expectation: Expectation) -> BugDiagnosis? {
        guard !conduct.isCommand, case .error(let pattern, _) = expectation, outcome.result == .available,
            let code = pattern.code, Self.waits.contains(code),
            let told = told(outcome), let end = told.calledBackSeconds
        else { return nil }
        if let found = outlastedLookup(told) { return found }
        for outage in conduct.outages where outage.kind != "cut" {
            let from = max(outage.fromSeconds, told.beganSeconds)
            guard let until = outage.untilSeconds, until < end, until - from > limit,
                (conduct.fetches ?? []).contains(where: { fetch in
                    told.packs.contains(fetch.pack) && !fetch.range.isEmpty && fetch.lastByteSeconds ?? 0 > until
                })
            else { continue }
            let tried = max(0, (outage.lastTrySeconds ?? from) - from)
            let what =
                "the link was \(outage.kind) for \(text(until - from)), and '\(told.id)' became available after that"
            // The client still waits for what it sent at the beginning of the silence.
            if outage.kind == "silent", tried < 0.5 {
                return BugDiagnosis(.noTimeout, "\(what), \(toldPatience)", seconds: outage.fromSeconds)
            }
            if outage.tries ?? 0 >= 3, tried > limit {
                return BugDiagnosis(
                    .retriesForever, "\(what), after at least \(outage.tries ?? 0) tries, \(toldPatience)",
                    seconds: outage.lastTrySeconds)
            }
        }
        return nil
    }

    private func outlastedLookup(_ told: ConductRecord.Request) -> BugDiagnosis? {
        let most = conduct.patienceSeconds
        guard let delay = conduct.lookupDelaySeconds, delay > most + 0.25,
            let first = (conduct.fetches ?? []).first(where: { $0.beganSeconds >= told.beganSeconds }),
            first.beganSeconds - told.beganSeconds > most + 0.25
        else { return nil }
        return diagnosis(
            .blocksOnDNS, first,
            "a lookup of the host's name takes \(text(delay)), and '\(told.id)' waited for it \(toldPatience)")
    }

    /// Success of a command that fetched only a part, although an error was expected.
    func falseSuccess(_ outcome: RequestOutcome, _ expectation: Expectation) -> BugDiagnosis? {
        guard conduct.isCommand, case .error = expectation, outcome.result == .available,
            findings.contains(.contentIncomplete), !conduct.tookOldEdition, let fetches = conduct.fetches
        else { return nil }
        guard let last = fetches.last else {
            return BugDiagnosis(
                .neverReportsError, "the client requested nothing, and reported success",
                seconds: conduct.endedSeconds)
        }
        guard !last.isWhole else { return nil }
        let byte = last.reached
        return diagnosis(
            .neverReportsError, last, at: byte,
            "\(text(last)) was \(answer(last)) and ended" + (byte.map { " at byte \($0)" } ?? "")
                + ", and the client reported success")
    }

    /// The requests to the host before another request began for one of the same packs.
    private func fetches(of outcome: RequestOutcome) -> [ConductRecord.Fetch] {
        let fetches = conduct.fetches ?? []
        guard let told = told(outcome) else { return fetches }
        let others = (conduct.requests ?? []).filter { other in
            other.beganSeconds > told.beganSeconds && !Set(other.packs).isDisjoint(with: told.packs)
        }
        guard let next = others.map(\.beganSeconds).min() else { return fetches }
        return fetches.filter { $0.beganSeconds < next }
    }
}

extension Symptoms {
    /// Tries that the client ended after the same time, although bytes came or an answer was only late.
    ///
    /// A single one may have been ended for another reason, such as a pause by the app, or a kill.
    var ownTimeLimit: BugDiagnosis? { endedAlive ?? gaveUpAlive }

    /// The time limit that made the client end a slow or late try; nil if it ended too soon for any time limit.
    ///
    /// If bytes came until then, a limit since the last byte was not reached. After a pause of the host, bytes show
    /// nothing: the client may have left in the pause, before the host sent them.
    func timeLimit(_ fetch: ConductRecord.Fetch) -> ClientBug? {
        guard conduct.killSeconds(of: fetch) == nil else { return nil }
        if quiet(fetch) >= Self.longestGap || fetch.hasFault("stall") || fetch.hasFault("late-head") {
            return .impatient
        }
        // A client that leaves right after the head has another reason, such as an existing file.
        return fetch.range.isEmpty || fetch.endedSeconds - fetch.beganSeconds < Self.shortestLimit
            ? nil : .limitsTotalTime
    }

    /// The longest gap between bytes in a body that comes steadily, in seconds.
    private static let longestGap = 0.25

    /// The shortest time limit for a download that a client has, in seconds.
    private static let shortestLimit = 0.25

    private var endedAlive: BugDiagnosis? {
        guard isBroken("requests", "retries") || isMissed else { return nil }
        for tries in conduct.tries {
            for (index, last) in tries.enumerated().dropFirst(2) {
                let ended = tries[(index - 2)..<index]
                let times = ended.map { $0.endedSeconds - $0.beganSeconds }
                guard let first = ended.first, let second = ended.last, ended.allSatisfy(isEndedAlive),
                    let least = times.min(), let most = times.max(), most < 1.25 * least + 0.25,
                    first.endedSeconds <= second.beganSeconds, second.endedSeconds <= last.beganSeconds,
                    !conduct.outages.contains(where: {
                        $0.fromSeconds <= last.beganSeconds && ($0.untilSeconds ?? .infinity) >= first.beganSeconds
                    }), !isCalledBack(from: first.beganSeconds, to: last.beganSeconds),
                    let bug = timeLimit(first), bug == timeLimit(second)
                else { continue }
                return diagnosis(
                    bug, first, at: first.reached,
                    "\(text(first)) and \(text(second)) were ended by the client after \(text(least)) to \(text(most)), "
                        + "\(text(quiet(first))) after the last sign of life, \(toldPatience)")
            }
        }
        return nil
    }

    func quiet(_ fetch: ConductRecord.Fetch) -> Double {
        fetch.endedSeconds - (fetch.lastByteSeconds ?? fetch.beganSeconds)
    }

    /// Whether the client ended a slow or late try before its patience was over.
    private func isEndedAlive(_ fetch: ConductRecord.Fetch) -> Bool {
        // If no head came, the other faults of the answer had no effect.
        let isAlive =
            fetch.status == nil
            ? fetch.hasFault("late-head")
            : fetch.isOfPack && !fetch.faults.isEmpty
                && fetch.faults.allSatisfy { fault in ["drip", "late-head"].contains { fault.hasPrefix($0) } }
        return fetch.end == .client && !fetch.isWhole && isAlive && quiet(fetch) < 0.9 * conduct.patienceSeconds
    }

    /// A timeout error (-1001) that came too soon, where another error was expected.
    private var gaveUpAlive: BugDiagnosis? {
        for (outcome, expectation) in unmet {
            guard case .error(let pattern, _) = expectation,
                outcome.domain == "NSURLErrorDomain", outcome.code == -1001,
                !pattern.matches(outcome),
                let request = told(outcome),
                let end = request.calledBackSeconds, conduct.outages.isEmpty,
                let last = wanted(by: request).last(where: { $0.beganSeconds <= end && isEndedAlive($0) })
            else { continue }
            let tries = wanted(by: request).filter { $0.pack == last.pack }
            let gain = tries.filter { !$0.range.isEmpty }.compactMap(\.lastByteSeconds).filter { $0 <= end }.max()
            guard let sign = gain ?? tries.first?.beganSeconds, end - sign < 0.9 * conduct.patienceSeconds,
                let bug = timeLimit(last)
            else { continue }
            return diagnosis(
                bug, last, at: last.reached,
                "\(text(last)) was ended by the client, and '\(outcome.id)' ended in \(outcome.code ?? 0) \(text(end - sign)) "
                    + "after the last sign of life, \(toldPatience)")
        }
        return nil
    }

    /// The requests to the host for a request's packs since it began.
    private func wanted(by request: ConductRecord.Request) -> [ConductRecord.Fetch] {
        (conduct.fetches ?? []).filter {
            request.packs.contains($0.pack) && $0.beganSeconds >= request.beganSeconds
        }
    }
}
