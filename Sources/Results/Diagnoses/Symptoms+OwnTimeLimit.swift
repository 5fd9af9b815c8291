extension Symptoms {
    /// Tries that the client ended after the same time, though bytes came or an answer was only late.
    ///
    /// One alone may have been ended for another reason, such as a pause that the app made, or a kill.
    var ownTimeLimit: BugDiagnosis? { endedAlive ?? gaveUpAlive }

    private var endedAlive: BugDiagnosis? {
        guard isBroken("requests", "retries") else { return nil }
        for tries in conduct.tries {
            for (index, last) in tries.enumerated().dropFirst(2) {
                let ended = tries[(index - 2)..<index]
                let times = ended.map { $0.endedSeconds - $0.beganSeconds }
                guard let first = ended.first, let second = ended.last, ended.allSatisfy(isEndedAlive),
                    let least = times.min(), let most = times.max(), most < 1.25 * least + 0.25,
                    first.endedSeconds <= second.beganSeconds, second.endedSeconds <= last.beganSeconds,
                    !conduct.outages.contains(where: {
                        $0.fromSeconds <= last.beganSeconds && ($0.untilSeconds ?? .infinity) >= first.beganSeconds
                    }), !isCalledBack(from: first.beganSeconds, to: last.beganSeconds)
                else { continue }
                return diagnosis(
                    .impatient, first, at: first.range.isEmpty ? nil : first.range.upperBound,
                    "\(text(first)) and \(text(second)) were ended by the client after \(text(least)) to \(text(most)), "
                        + "\(text(quiet(first))) after the last sign of life, with a patience of "
                        + "\(text(conduct.patienceSeconds))")
            }
        }
        return nil
    }

    private func quiet(_ fetch: ConductRecord.Fetch) -> Double {
        fetch.endedSeconds - (fetch.lastByteSeconds ?? fetch.beganSeconds)
    }

    /// Whether the client ended a try that was slow or late, and for which it had not waited as long as it was to.
    private func isEndedAlive(_ fetch: ConductRecord.Fetch) -> Bool {
        // Where no head came, nothing else of what was to go wrong had a part in it.
        let isAlive =
            fetch.status == nil
            ? fetch.hasFault("late-head")
            : fetch.isOfPack && !fetch.faults.isEmpty
                && fetch.faults.allSatisfy { fault in ["drip", "late-head"].contains { fault.hasPrefix($0) } }
        return fetch.end == .client && !fetch.isWhole && isAlive && quiet(fetch) < 0.9 * conduct.patienceSeconds
    }

    /// The error of who waited long enough, told too soon, where another one was on its way.
    private var gaveUpAlive: BugDiagnosis? {
        for (outcome, expectation) in unmet {
            guard case .error(let pattern, _) = expectation,
                outcome.domain == "NSURLErrorDomain", outcome.code == -1001,
                !pattern.matches(domain: "NSURLErrorDomain", code: -1001, errorClass: outcome.errorClass),
                let request = conduct.requests?.first(where: { $0.id == outcome.id }),
                let end = request.calledBackSeconds, conduct.outages.isEmpty,
                let last = wanted(by: request).last(where: { $0.beganSeconds <= end && isEndedAlive($0) })
            else { continue }
            let tries = wanted(by: request).filter { $0.pack == last.pack }
            let gain = tries.filter { !$0.range.isEmpty }.compactMap(\.lastByteSeconds).filter { $0 <= end }.max()
            guard let sign = gain ?? tries.first?.beganSeconds, end - sign < 0.9 * conduct.patienceSeconds else {
                continue
            }
            return diagnosis(
                .impatient, last, at: last.range.isEmpty ? nil : last.range.upperBound,
                "\(text(last)) was ended by the client, and '\(outcome.id)' ended in \(outcome.code ?? 0) \(text(end - sign)) "
                    + "after the last sign of life, with a patience of \(text(conduct.patienceSeconds))")
        }
        return nil
    }

    /// What was asked for since a request was begun, of its packs.
    private func wanted(by request: ConductRecord.Request) -> [ConductRecord.Fetch] {
        (conduct.fetches ?? []).filter {
            request.packs.contains($0.pack) && $0.beganSeconds >= request.beganSeconds
        }
    }
}
