extension Symptoms {
    /// A try that came sooner than the host allows.
    var ignoredRetryAfter: Diagnosis? {
        for pause in conduct.pauses {
            guard let asked = pause.failed.retryAfterSeconds, pause.seconds < asked - 0.03 - attempt.pauseSlackSeconds
            else { continue }
            return diagnosis(
                .ignoresRetryAfter, pause.next,
                "\(text(pause.failed)) was answered \(pause.failed.status ?? 0) with Retry-After, and the next one came after "
                    + "\(text(pause.seconds)) in place of \(text(asked))")
        }
        return nil
    }

    /// Tries that failed and followed each other at once.
    var missingBackOff: Diagnosis? {
        let asked = plan.conduct.lazy.compactMap { if case .backOff(let seconds) = $0 { seconds } else { nil } }.first
        let isAsked = asked != nil && isBroken("back-off")
        let least = isAsked ? asked ?? 0 : Self.leastPause
        let short = conduct.pauses.filter { pause in
            // A host that says when to ask again is asked then.
            pause.seconds < least - attempt.pauseSlackSeconds && pause.failed.range.isEmpty
                && pause.failed.retryAfterSeconds.map { pause.seconds >= $0 && $0 < Self.leastPause } ?? true
        }
        guard let first = short.first, short.count >= (isAsked ? 1 : 2) else { return nil }
        let shortest = short.map(\.seconds).min() ?? first.seconds
        let count = short.count == 1 ? "1 try" : "\(short.count) tries"
        return diagnosis(
            .retriesWithoutBackOff, first.next,
            "\(count) came less than \(text(least)) after one that had failed, the soonest after \(text(shortest)); "
                + "\(text(first.failed)) was \(answer(first.failed))")
    }

    /// What nobody would call a pause.
    private static let leastPause = 0.1

    /// A download that was cut, and begun anew.
    var missingResume: Diagnosis? {
        guard
            isBroken("refetched", "redundant_bytes", "retries", "requests", "bytes_on_wire", "time_to_available")
                || !unmet.isEmpty
        else { return nil }
        for tries in conduct.tries {
            for (index, next) in tries.enumerated().dropFirst() {
                let before = tries[..<index]
                let arrived = Self.prefix(Array(before))
                guard next.askedFrom == 0, arrived > Self.leastToResume, let last = before.last, !last.isWhole,
                    last.isOfPack,
                    last.endedSeconds <= next.beganSeconds, !before.contains(where: isBadStart),
                    !isCalledBack(from: last.endedSeconds, to: next.beganSeconds)
                else { continue }
                return diagnosis(
                    .noResume, next, at: arrived,
                    "\(text(last)) ended at byte \(arrived), and \(text(next)) asked for all from byte 0 on again")
            }
        }
        return nil
    }

    /// Less than this is not worth another kind of request.
    private static let leastToResume: Int64 = 4096

    /// Whether after this a download may rightly begin anew: what it brought is wrong, or the host refused a part.
    private func isBadStart(_ fetch: ConductRecord.Fetch) -> Bool {
        let isRefused = (fetch.askedFrom ?? 0) > 0 && fetch.status != 206
        return isRefused
            || ["corrupt", "body", "portal", "new-etag", "new-content", "new-size", "range", "length"].contains(
                where: fetch.hasFault)
    }

    private func isCalledBack(from start: Double, to end: Double) -> Bool {
        (conduct.requests ?? []).contains { $0.calledBackSeconds.map { $0 >= start && $0 <= end } ?? false }
    }
}
