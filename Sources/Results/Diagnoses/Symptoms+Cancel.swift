extension Symptoms {
    /// What a busy client may take from the moment at which it is to cancel to the cancel, in seconds.
    private static let timeToCancel = 1.0

    /// What went on after a cancel.
    var ignoredCancel: BugDiagnosis? { askedAfterCancel ?? deafToCancel ?? lateCancel ?? wentOnAfterCancel }

    private var askedAfterCancel: BugDiagnosis? {
        guard let first = conduct.afterCancel?.first else { return nil }
        let moment = Double(first.nanoseconds - conduct.startedNanoseconds) / 1e9
        return BugDiagnosis(
            .ignoresCancel,
            "'\(conduct.name(of: first.pack))' was asked for \(text(first.seconds)) after '\(first.request)' was cancelled "
                + "and called back", pack: first.pack, seconds: max(0, moment), nanoseconds: first.nanoseconds)
    }

    /// What was cancelled and came all the same.
    private var deafToCancel: BugDiagnosis? {
        let unmet = Set(unmet.map(\.outcome.id))
        for request in conduct.requests ?? [] where request.isAvailable && unmet.contains(request.id) {
            guard let share = request.cancelAt, let end = request.calledBackSeconds else { continue }
            // What was all but there can be whole before anybody could cancel it.
            let left = max((1 - share) * (end - request.beganSeconds), stood(request, beyond: share, until: end))
            guard left >= Self.timeToCancel else { continue }
            return BugDiagnosis(
                .ignoresCancel,
                "'\(request.id)' was cancelled once it had come to \(Quantity(share, .ratio).rounded()), and became "
                    + "available all the same", seconds: end, nanoseconds: conduct.nanoseconds(at: end))
        }
        return nil
    }

    /// What was called back as cancelled long after it was.
    private var lateCancel: BugDiagnosis? {
        // Who is ended at its deadline may call everybody back as cancelled.
        guard findings.isDisjoint(with: [.clientHung]) else { return nil }
        for (outcome, expectation) in unmet where outcome.isCancelled {
            guard case .error(let pattern, let limit?) = expectation, let seconds = outcome.seconds, seconds > limit,
                pattern.matches(domain: outcome.domain ?? "", code: outcome.code ?? 0, errorClass: outcome.errorClass),
                let request = conduct.requests?.first(where: { $0.id == outcome.id }),
                let share = request.cancelAt, let end = request.calledBackSeconds
            else { continue }
            let over = max(came(request, beyond: share, until: end), stood(request, beyond: share, until: end))
            guard over >= Self.timeToCancel else { continue }
            return BugDiagnosis(
                .ignoresCancel,
                "'\(request.id)' was cancelled once it had come to \(Quantity(share, .ratio).rounded()), and went on until it "
                    + "was called back, \(text(end - request.beganSeconds)) after its begin",
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

    /// The tries for a request's pack until it was called back, and the byte at which its cancel is; nil where it has
    /// several packs, of which nobody knows what is a share.
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

    /// How long bytes came that are beyond the share at which it is cancelled, as if they had come evenly.
    private func came(_ request: ConductRecord.Request, beyond share: Double, until end: Double) -> Double {
        guard let (byte, tries) = cancelledTries(request, at: share, until: end) else { return 0 }
        return tries.map { fetch -> Double in
            let range = fetch.range
            guard let last = fetch.lastByteSeconds, !range.isEmpty, Double(range.upperBound) > byte else { return 0 }
            let beyond = Double(range.upperBound) - max(byte, Double(range.lowerBound))
            return beyond / Double(range.count) * (min(last, end) - fetch.beganSeconds)
        }.max() ?? 0
    }

    /// At least how long it stood beyond that share, because the host said nothing for a while.
    private func stood(_ request: ConductRecord.Request, beyond share: Double, until end: Double) -> Double {
        guard let (byte, tries) = cancelledTries(request, at: share, until: end) else { return 0 }
        let stalled = tries.filter { fetch in
            guard let place = fetch.place(of: "stall") else { return false }
            return Double(place) >= byte && fetch.range.upperBound > place
        }
        // Most of such a try is the stall.
        return stalled.map { 0.5 * (min($0.lastByteSeconds ?? end, end) - $0.beganSeconds) }.max() ?? 0
    }
}

extension RequestOutcome {
    /// Whether it was called back as cancelled.
    fileprivate var isCancelled: Bool { result == .error && domain == "NSCocoaErrorDomain" && code == 3072 }
}
