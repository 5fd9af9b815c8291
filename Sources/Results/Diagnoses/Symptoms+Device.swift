extension Symptoms {
    /// A second callback.
    var repeatedCallback: Diagnosis? {
        guard let outcome = attempt.requests.first(where: { $0.callbacks > 1 }) else { return nil }
        let told = conduct.requests?.first { $0.id == outcome.id }
        let second = told?.repeatedNanoseconds
        return Diagnosis(
            .callsBackTwice, "'\(outcome.id)' was called back \(outcome.callbacks) times",
            seconds: second.map { Double($0 - conduct.startedNanoseconds) / 1e9 } ?? told?.calledBackSeconds,
            nanoseconds: second)
    }

    /// What a busy client may take from the moment at which it is to cancel to the cancel, in seconds.
    private static let timeToCancel = 0.3

    /// What went on after a cancel.
    var ignoredCancel: Diagnosis? {
        if let first = conduct.afterCancel?.first {
            let moment = Double(first.nanoseconds - conduct.startedNanoseconds) / 1e9
            return Diagnosis(
                .ignoresCancel,
                "'\(conduct.name(of: first.pack))' was asked for \(text(first.seconds)) after '\(first.request)' was cancelled "
                    + "and called back", pack: first.pack, seconds: max(0, moment), nanoseconds: first.nanoseconds)
        }
        let unmet = Set(unmet.map(\.outcome.id))
        for request in conduct.requests ?? [] {
            guard let share = request.cancelAt, let end = request.calledBackSeconds else { continue }
            // What was all but there can be whole before anybody could cancel it.
            let left = (1 - share) * (end - request.beganSeconds)
            if request.isAvailable, left >= Self.timeToCancel, unmet.contains(request.id) {
                return Diagnosis(
                    .ignoresCancel,
                    "'\(request.id)' was cancelled once it had come to \(Quantity(share, .ratio).rounded()), and became "
                        + "available all the same", seconds: end, nanoseconds: conduct.nanoseconds(at: end))
            }
            let others = Set((conduct.requests ?? []).filter { $0.id != request.id }.flatMap(\.packs))
            guard !request.isAvailable,
                let fetch = conduct.fetches?.first(where: { fetch in
                    request.packs.contains(fetch.pack) && !others.contains(fetch.pack) && fetch.beganSeconds < end
                        && (fetch.lastByteSeconds ?? 0) > end + 1
                })
            else { continue }
            return diagnosis(
                .ignoresCancel, fetch,
                "\(text(fetch)) went on for \(text((fetch.lastByteSeconds ?? end) - end)) after '\(request.id)' was "
                    + "cancelled and called back")
        }
        return nil
    }

    /// What became of packs that were there.
    var storageDiagnoses: [Diagnosis] { [removedInUse ?? lostPack, leakedPin].compactMap { $0 } }

    private var removedInUse: Diagnosis? {
        guard let purge = conduct.purges?.first(where: \.isInUse) else { return nil }
        return Diagnosis(
            .deletesGoodPacks, "'\(conduct.name(of: purge.pack))' was removed while a request had it", pack: purge.pack,
            seconds: max(0, Double(purge.nanoseconds - conduct.startedNanoseconds) / 1e9),
            nanoseconds: purge.nanoseconds)
    }

    /// A pack that was stored, and that a failed request took along.
    private var lostPack: Diagnosis? {
        let failures = (conduct.requests ?? []).filter { !$0.isAvailable && $0.calledBackSeconds != nil }
        let purged = Set((conduct.purges ?? []).map(\.pack))
        for pack in conduct.packs ?? [] where !purged.contains(pack.pack) {
            guard let stored = pack.storedSeconds else { continue }
            let again = conduct.fetches?.first {
                $0.pack == pack.pack && $0.beganSeconds > stored && $0.askedFrom == 0
                    && !["new-content", "new-size"].contains(where: $0.hasFault)
            }
            let isMissing = isBroken("stored") && conduct.stored?.contains { $0.pack == pack.pack } == false
            guard again != nil || isMissing,
                let failure = failures.first(where: { failure in
                    let end = failure.calledBackSeconds ?? 0
                    return end >= stored && end <= again?.beganSeconds ?? .infinity
                })
            else { continue }
            let isFull = attempt.requests.contains { $0.id == failure.id && $0.errorClass == .storage }
            let what = again.map { "\(text($0)) asked for it again" } ?? "it is not stored at the end"
            return Diagnosis(
                isFull ? .deletesGoodPacks : .losesCompletedPacks,
                "'\(pack.name)' was stored \(text(stored)) after the client's start; '\(failure.id)' failed "
                    + "\(text((failure.calledBackSeconds ?? stored) - stored)) later, and \(what)",
                pack: pack.pack, seconds: failure.calledBackSeconds,
                nanoseconds: again?.nanoseconds ?? failure.calledBackSeconds.map(conduct.nanoseconds))
        }
        return nil
    }

    /// Packs that stay in use though no request has them.
    private var leakedPin: Diagnosis? {
        guard findings.isDisjoint(with: [.clientHung, .clientCrashed]) else { return nil }
        let isFull = unmet.contains { $0.outcome.errorClass == .storage }
        guard isFull || isBroken("ends") else { return nil }
        if let id = conduct.unended.first {
            let told = conduct.requests?.first { $0.id == id }
            return Diagnosis(
                .leaksPins, "'\(id)' was to be ended, and the client did not tell that it was",
                seconds: told?.calledBackSeconds, nanoseconds: told?.calledBackSeconds.map(conduct.nanoseconds))
        }
        guard let bytes = conduct.leftInUseBytes, bytes > 0 else { return nil }
        return Diagnosis(.leaksPins, "\(bytes) B were in use when every request was ended")
    }

    /// Something urgent that waited for what is not.
    var ignoredPriority: Diagnosis? {
        let late = Set(unmet.filter { $0.outcome.result == .available }.map(\.outcome.id))
        for urgent in conduct.requests ?? [] where urgent.isUrgent && (late.contains(urgent.id) || isBroken("order")) {
            let own = conduct.fetches?.first {
                urgent.packs.contains($0.pack) && $0.beganSeconds >= urgent.beganSeconds
            }
            // Who ends other downloads for it may still find their bytes before it on the link.
            let busy = conduct.fetches?.first { fetch in
                !urgent.packs.contains(fetch.pack) && fetch.beganSeconds < urgent.beganSeconds
                    && fetch.endedSeconds > urgent.beganSeconds && fetch.end != .client
            }
            guard let own, let busy, own.beganSeconds >= busy.endedSeconds,
                own.beganSeconds - urgent.beganSeconds > 0.25
            else { continue }
            return diagnosis(
                .ignoresPriority, own,
                "'\(urgent.id)' is urgent, and \(text(own)) came \(text(own.beganSeconds - urgent.beganSeconds)) after it "
                    + "was begun, when \(text(busy)) had ended")
        }
        return nil
    }

    /// More memory than a budget has.
    var memory: Diagnosis? {
        guard isBroken("memory_peak"), let bytes = attempt.samples[.memoryPeak].value else { return nil }
        let packs = (conduct.packs ?? []).map(\.bytes).reduce(0, +)
        return Diagnosis(
            .memoryGrows,
            "it had \(Quantity(bytes, .bytes).rounded()) of memory at a time, for packs of "
                + Quantity(Double(packs), .bytes).rounded())
    }
}
