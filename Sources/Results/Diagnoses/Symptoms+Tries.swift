extension Symptoms {
    /// A try that came sooner than the host's Retry-After allows.
    var ignoredRetryAfter: BugDiagnosis? {
        // A missing error has another reason.
        guard isBroken("back-off") || isBroken(Self.wastes) || isMissed else { return nil }
        for pause in conduct.pauses {
            guard let asked = pause.failed.retryAfterSeconds, pause.seconds < asked - 0.03 - attempt.pauseSlackSeconds
            else { continue }
            return diagnosis(
                .ignoresRetryAfter, pause.next,
                "\(text(pause.failed)) was answered \(pause.failed.status ?? 0) with Retry-After, and the next try came after "
                    + "\(text(pause.seconds)) instead of \(text(asked))")
        }
        return nil
    }

    /// Failed tries that followed each other without a sufficient pause.
    var missingBackOff: BugDiagnosis? {
        let asked = plan.conduct.lazy.compactMap { if case .backOff(let seconds) = $0 { seconds } else { nil } }.first
        let isAsked = asked != nil && isBroken("back-off")
        let least = isAsked ? asked ?? 0 : Self.leastPause
        let vain = conduct.pauses.filter { pause in
            // A client may ask again when the host says so.
            pause.seconds < least - attempt.pauseSlackSeconds && pause.failed.range.isEmpty
                && pause.failed.retryAfterSeconds.map { pause.seconds >= $0 && $0 < Self.leastPause } ?? true
        }
        let short = isAsked ? vain : vain.filter { !isWaiting($0.failed) && (!isShort($0.failed) || isStorm(vain)) }
        guard let first = short.first, short.count >= (isAsked ? 1 : 2), !short.allSatisfy(isFirstRetry) else {
            return constantPause
        }
        let shortest = short.map(\.seconds).min() ?? first.seconds
        let count = short.count == 1 ? "1 try" : "\(short.count) tries"
        return diagnosis(
            .retriesWithoutBackOff, first.next,
            "\(count) came less than \(text(least)) after a failed one, the soonest after \(text(shortest)); "
                + "\(text(first.failed)) was \(answer(first.failed))")
    }

    /// Whether it is a first retry that comes at once, which does not show how long later ones wait.
    private func isFirstRetry(_ pause: ConductRecord.Pause) -> Bool {
        pause.seconds < Self.leastPause && !conduct.pauses.contains { isBefore($0, pause) }
    }

    /// The shortest time between tries that counts as a pause, in seconds.
    private static let leastPause = 0.1

    /// Whether the host ended a try early; no rule says how soon the rest may be requested then.
    private func isShort(_ fetch: ConductRecord.Fetch) -> Bool { fetch.isOfPack && fetch.end == .host }

    /// Whether too many tries ended early to be the few retries that a short body justifies.
    private func isStorm(_ vain: [ConductRecord.Pause]) -> Bool { vain.count { isShort($0.failed) } >= 4 }

    /// Whether the client itself ended a try after it waited; a client that waits that long does not ask too often.
    func isWaiting(_ fetch: ConductRecord.Fetch) -> Bool {
        fetch.end == .client && fetch.status ?? 0 < 400 && fetch.endedSeconds - fetch.beganSeconds > 0.5
    }

    /// Tries that the host refused, with pauses that do not grow.
    ///
    /// Nil if a request did not end as expected, because that has a better explanation.
    private var constantPause: BugDiagnosis? {
        guard isBroken("requests", "retries"), unmet.isEmpty, !findings.contains(.clientHung) else { return nil }
        let refused = conduct.pauses.filter { $0.failed.status ?? 0 >= 400 && $0.failed.retryAfterSeconds == nil }
        // After this many tries a pause that grows differs clearly, even with random jitter.
        for first in refused where !refused.contains(where: { isBefore($0, first) }) {
            let later = refused.filter { $0.next.pack == first.next.pack && $0.next.number >= first.next.number }
            let row = later.prefix(Self.rowOfPauses)
            let times = row.map(\.seconds)
            guard let least = times.min(), let most = times.max(), let last = row.last,
                // No try is missing among them.
                last.next.number == first.next.number + Self.rowOfPauses - 1, least < 1, most < 1.5 * least,
                !isCalledBack(from: first.failed.endedSeconds, to: last.next.beganSeconds)
            else { continue }
            return diagnosis(
                .retriesWithoutBackOff, last.next,
                "\(row.count) tries came \(text(least)) to \(text(most)) after a failed one, with pauses that do not "
                    + "grow; \(text(first.failed)) was \(answer(first.failed))")
        }
        return nil
    }

    /// The number of consecutive pauses that show whether they grow.
    private static let rowOfPauses = 5

    /// Whether `other` is the pause right before `pause`, without a callback in between.
    private func isBefore(_ other: ConductRecord.Pause, _ pause: ConductRecord.Pause) -> Bool {
        other.next == pause.failed && !isCalledBack(from: other.failed.endedSeconds, to: pause.failed.beganSeconds)
    }

    /// A pack that arrived whole, and was fetched whole again several times.
    ///
    /// Another fetch is right once if the content was wrong, and each time that the host has another edition.
    var refetchedWhole: BugDiagnosis? {
        guard isBroken(Self.wastes) || !unmet.isEmpty || findings.contains(.clientHung) else { return nil }
        for asked in askedPacks {
            var row: [ConductRecord.Fetch] = []
            for next in asked.tries {
                let isWhole =
                    next.askedFrom == 0 && next.isWhole && next.isOfPack && next.range.upperBound >= asked.pack.bytes
                guard isWhole, !next.isOfAnotherEdition else { continue }
                let isFollowing = row.last.map { isFollowed($0, by: next) } ?? true
                row = isFollowing ? row + [next] : [next]
            }
            guard row.count >= Self.mostWholes, let first = row.first, let last = row.last else { continue }
            return diagnosis(
                .refetchesWhole, last,
                "it fetched the whole of '\(asked.pack.name)' \(row.count) times, from \(text(first)) to \(text(last))"
                    + (conduct.isCommand ? "" : ", without a callback in between"))
        }
        return nil
    }

    /// The number of whole fetches in a row that no client makes if it checks the pack.
    private static let mostWholes = 3

    /// The checks that too many bytes or too many tries break.
    private static let wastes = [
        "refetched", "redundant_bytes", "retries", "requests", "bytes_on_wire", "time_to_available",
    ]

    /// A download that was cut, and started again from the first byte.
    var missingResume: BugDiagnosis? {
        // A download that starts again is late, or never complete; a missing error has another reason.
        guard isBroken(Self.wastes) || isMissed else { return nil }
        for tries in conduct.tries {
            for (index, next) in tries.enumerated().dropFirst() {
                let before = tries[..<index]
                let arrived = Self.prefix(Array(before))
                guard next.askedFrom == 0, arrived > Self.leastToResume, let last = before.last, !last.isWhole,
                    last.isOfPack, !before.contains(where: isBadStart),
                    isFollowed(last, by: next) || isThrownAway(last, before: next)
                else { continue }
                return diagnosis(
                    .noResume, next, at: arrived,
                    "\(text(last)) ended at byte \(arrived), and \(text(next)) requested everything from byte 0 again")
            }
        }
        return nil
    }

    /// Whether a request should have become available, but did not, or did too late.
    var isMissed: Bool { unmet.contains { if case .available = $0.expectation { true } else { false } } }

    /// Whether a try came after another one, without a callback in between.
    private func isFollowed(_ last: ConductRecord.Fetch, by next: ConductRecord.Fetch) -> Bool {
        last.endedSeconds <= next.beganSeconds && !isCalledBack(from: last.endedSeconds, to: next.beganSeconds)
    }

    /// Whether a request failed between two tries for its pack, and discarded what had arrived.
    ///
    /// This counts only if bytes came twice. The host may notice late that the client gave up a try.
    private func isThrownAway(_ last: ConductRecord.Fetch, before next: ConductRecord.Fetch) -> Bool {
        guard isBroken("refetched", "redundant_bytes"), next.status == 200, !isPurged(by: next.beganSeconds) else {
            return false
        }
        return (conduct.requests ?? []).contains { request in
            !request.isAvailable && request.packs.contains(last.pack)
                && request.calledBackSeconds.map { $0 >= last.beganSeconds && $0 <= next.beganSeconds } ?? false
        }
    }

    /// Whether the client made room by then, or may have; a client that makes room discards partial downloads first.
    private func isPurged(by end: Double) -> Bool {
        let full = attempt.requests.filter { $0.errorClass == .storage }.map(\.id)
        return !(conduct.purges ?? []).isEmpty
            || (conduct.requests ?? []).contains { full.contains($0.id) && $0.calledBackSeconds ?? .infinity <= end }
    }

    /// The bytes below which a client may have saved nothing: they may be in a buffer that is lost with the connection.
    private static let leastToResume: Int64 = 1 << 20

    /// Whether a download may rightly start again after this try: its content is wrong, or the host refused a part.
    private func isBadStart(_ fetch: ConductRecord.Fetch) -> Bool {
        let isRefused = (fetch.askedFrom ?? 0) > 0 && fetch.status != 206
        return isRefused || fetch.isTamperedWith
    }

    /// Whether any request was called back between two moments.
    func isCalledBack(from start: Double, to end: Double) -> Bool {
        (conduct.requests ?? []).contains { $0.calledBackSeconds.map { $0 >= start && $0 <= end } ?? false }
    }
}

extension Symptoms {
    /// The most seconds that a busy client may take from the moment at which it should cancel to the cancel.
    private static let timeToCancel = 1.0

    /// Downloads that continued after a cancel.
    var ignoredCancel: BugDiagnosis? { askedAfterCancel ?? deafToCancel ?? lateCancel ?? wentOnAfterCancel }

    private var askedAfterCancel: BugDiagnosis? {
        guard let first = conduct.afterCancel?.first else { return nil }
        let moment = Double(first.nanoseconds - conduct.startedNanoseconds) / 1e9
        return BugDiagnosis(
            .ignoresCancel,
            "'\(conduct.name(of: first.pack))' was requested \(text(first.seconds)) after '\(first.request)' was cancelled "
                + "and called back", pack: first.pack, seconds: max(0, moment), nanoseconds: first.nanoseconds)
    }

    /// A request that was cancelled, and became available all the same.
    private var deafToCancel: BugDiagnosis? {
        let unmet = Set(unmet.map(\.outcome.id))
        for request in conduct.requests ?? [] where request.isAvailable && unmet.contains(request.id) {
            guard let share = request.cancelAt, let end = request.calledBackSeconds else { continue }
            // A download that is almost complete may finish before it can be cancelled.
            let left = max((1 - share) * (end - request.beganSeconds), stood(request, beyond: share, until: end))
            guard left >= Self.timeToCancel else { continue }
            return BugDiagnosis(
                .ignoresCancel,
                "'\(request.id)' was cancelled at \(Quantity(share, .ratio).rounded()), but became "
                    + "available", seconds: end, nanoseconds: conduct.nanoseconds(at: end))
        }
        return nil
    }

    /// A request that was called back as cancelled long after the cancel.
    private var lateCancel: BugDiagnosis? {
        // A client that is stopped at its deadline may call back all requests as cancelled.
        guard findings.isDisjoint(with: [.clientHung]) else { return nil }
        for (outcome, expectation) in unmet where outcome.isCancelled {
            guard case .error(let pattern, let limit?) = expectation, let seconds = outcome.seconds, seconds > limit,
                pattern.matches(outcome),
                let request = told(outcome),
                let share = request.cancelAt, let end = request.calledBackSeconds
            else { continue }
            let over = max(came(request, beyond: share, until: end), stood(request, beyond: share, until: end))
            guard over >= Self.timeToCancel else { continue }
            return BugDiagnosis(
                .ignoresCancel,
                "'\(request.id)' was cancelled at \(Quantity(share, .ratio).rounded()), but went on until it "
                    + "was called back, \(text(end - request.beganSeconds)) after it began",
                seconds: end, nanoseconds: conduct.nanoseconds(at: end))
        }
        return nil
    }

    private var wentOnAfterCancel: BugDiagnosis? {
        guard let (request, fetch, seconds) = conduct.wentOnAfterCancel else { return nil }
        return diagnosis(
            .ignoresCancel, fetch,
            "\(text(fetch)) went on for \(text(seconds)) after '\(request.id)' was cancelled and called back")
    }

    /// The tries for a request's pack until its callback, and the byte at which the request is cancelled.
    ///
    /// Nil if it has several packs, whose shares are unknown.
    private func cancelledTries(_ request: ConductRecord.Request, at share: Double, until end: Double)
        -> (byte: Double, tries: [ConductRecord.Fetch])?
    {
        guard request.packs.count == 1, let pack = conduct.packs?.first(where: { $0.pack == request.packs[0] }) else {
            return nil
        }
        let tries = (conduct.fetches ?? []).filter { fetch in
            fetch.pack == pack.pack && fetch.beganSeconds >= request.beganSeconds && fetch.beganSeconds < end
        }
        return (share * Double(pack.bytes), tries)
    }

    /// For how long bytes beyond the share of the cancel came, in seconds, if each try's bytes came evenly.
    private func came(_ request: ConductRecord.Request, beyond share: Double, until end: Double) -> Double {
        guard let (byte, tries) = cancelledTries(request, at: share, until: end) else { return 0 }
        return tries.map { fetch -> Double in
            let range = fetch.range
            guard let last = fetch.lastByteSeconds, !range.isEmpty, Double(range.upperBound) > byte else { return 0 }
            let beyond = Double(range.upperBound) - max(byte, Double(range.lowerBound))
            return beyond / Double(range.count) * (min(last, end) - fetch.beganSeconds)
        }.max() ?? 0
    }

    /// The least time for which it stood beyond that share because the host stalled, in seconds.
    private func stood(_ request: ConductRecord.Request, beyond share: Double, until end: Double) -> Double {
        guard let (byte, tries) = cancelledTries(request, at: share, until: end) else { return 0 }
        let stalled = tries.filter { fetch in
            guard let place = fetch.place(of: "stall") else { return false }
            return Double(place) >= byte && fetch.range.upperBound > place
        }
        // At least half of such a try is the stall.
        return stalled.map { 0.5 * (min($0.lastByteSeconds ?? end, end) - $0.beganSeconds) }.max() ?? 0
    }
}

extension RequestOutcome {
    /// Whether it was called back as cancelled.
    fileprivate var isCancelled: Bool { result == .error && domain == "NSCocoaErrorDomain" && code == 3072 }
}
