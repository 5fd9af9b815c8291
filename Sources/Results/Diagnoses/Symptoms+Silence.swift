extension Symptoms {
    /// The outage that lasted to the end; nil where the link was there then.
    private func lastOutage(_ outcome: RequestOutcome) -> ConductRecord.Outage? {
        let end = end(of: outcome)
        return conduct.outages.last { $0.kind != "cut" && $0.fromSeconds < end && $0.untilSeconds ?? .infinity >= end }
    }

    /// Whether the client tried again while the link was out to the end, or nobody can see whether it did.
    ///
    /// Nothing of it reaches the host then, and so nobody may say that it waits, or asks for nothing.
    private func mayHaveTried(_ outcome: RequestOutcome) -> Bool {
        guard let outage = lastOutage(outcome) else { return false }
        return outage.tries.map { $0 > 0 } ?? (conduct.isCommand && outage.kind == "no-route")
    }

    /// Tries while the link was out to the end, each with an end, that add up to more than patience.
    func triesInOutage(_ outcome: RequestOutcome, _ expectation: Expectation) -> Diagnosis? {
        guard isLate(outcome, expectation), let outage = lastOutage(outcome), let tries = outage.tries,
            tries >= 3, let last = outage.lastTrySeconds, last - outage.fromSeconds > patience(expectation)
        else { return nil }
        return Diagnosis(
            .retriesForever,
            "the link was \(outage.kind) from \(text(outage.fromSeconds)) on, and '\(outcome.id)' went on for \(tries) more "
                + "tries, the last one \(text(last - outage.fromSeconds)) later, where \(told(expectation)) are patience",
            seconds: last, nanoseconds: conduct.nanoseconds(at: last))
    }

    func endlessWait(_ outcome: RequestOutcome, _ expectation: Expectation) -> Diagnosis? {
        guard isLate(outcome, expectation), !mayHaveTried(outcome) else { return nil }
        let end = end(of: outcome)
        guard let last = (conduct.fetches ?? []).max(by: { $0.endedSeconds < $1.endedSeconds }) else {
            let isSilent = conduct.outages.contains { $0.kind == "silent" && $0.fromSeconds < end }
            guard isSilent, conduct.fetches != nil, end > patience(expectation) else { return nil }
            return Diagnosis(
                .noTimeout, "'\(outcome.id)' was not called back in \(text(end)), and nothing reached the host",
                seconds: end)
        }
        let sign = last.lastByteSeconds ?? last.beganSeconds
        let isOpen = last.end == .client || last.end == .stall || last.endedSeconds >= end - 0.25
        guard isOpen, !last.isWhole || last.endedSeconds >= end - 0.25,
            min(end, last.endedSeconds) - sign > patience(expectation)
        else { return nil }
        let byte = last.range.isEmpty ? nil : last.range.upperBound
        let place = byte.map { "stood at byte \($0)" } ?? "was \(answer(last))"
        return diagnosis(
            .noTimeout, last, at: byte,
            "\(text(last)) \(place), and nothing came for \(text(min(end, last.endedSeconds) - sign)), where "
                + "\(told(expectation)) are patience")
    }

    /// The end of all tries, of which nobody was told.
    func untoldFailure(_ outcome: RequestOutcome, _ expectation: Expectation) -> Diagnosis? {
        guard outcome.result == .noCallback, conduct.fetches != nil else { return nil }
        let hasLeft = attempt.clientEnd.map { !$0.wasStopped && $0.signal == nil } ?? false
        guard hasLeft || !mayHaveTried(outcome) else { return nil }
        guard let last = fetches(of: outcome).max(by: { $0.endedSeconds < $1.endedSeconds }) else {
            let isRefused = conduct.outages.contains { ["refused", "no-route"].contains($0.kind) }
            guard conduct.fetches?.isEmpty == true, hasLeft || isRefused else { return nil }
            return Diagnosis(
                .neverReportsError, "'\(outcome.id)' was not called back, and nothing reached the host",
                seconds: conduct.endedSeconds)
        }
        let idle = conduct.endedSeconds - last.endedSeconds
        guard last.hasFailed, hasLeft || idle > patience(expectation) else { return nil }
        return diagnosis(
            .neverReportsError, last,
            "\(text(last)) was \(answer(last)) and ended \(text(idle)) before the client did, and "
                + "'\(outcome.id)' was not called back")
    }

    /// What was asked for while a request was the last one that wanted its packs.
    private func fetches(of outcome: RequestOutcome) -> [ConductRecord.Fetch] {
        let fetches = conduct.fetches ?? []
        guard let told = conduct.requests?.first(where: { $0.id == outcome.id }) else { return fetches }
        let others = (conduct.requests ?? []).filter { other in
            other.beganSeconds > told.beganSeconds && !Set(other.packs).isDisjoint(with: told.packs)
        }
        guard let next = others.map(\.beganSeconds).min() else { return fetches }
        return fetches.filter { $0.beganSeconds < next }
    }
}
