/// A pack that differs from what the host serves, or did when the client checked it.
struct SpoiltPack {
    var pack: ConductRecord.Pack
    var tries: [ConductRecord.Fetch]
    /// The first wrong byte of the file that was left; nil if unknown.
    var wrongByte: Int64?
    /// Whether the file that was left has only right bytes, but ends too early.
    var isTruncated = false
    /// The bytes of the file that was left; nil if there is none.
    var leftBytes: Int64?
    /// Whether the pack is visible in the store and wrong.
    var isVisible = false
    /// Whether the client reported that it has the pack.
    var isTaken = false
    /// The try after which the client had the whole pack and found it wrong itself; nil if there is none.
    var rejected: ConductRecord.Fetch?

    /// Whether a fault changed what a try brought, so that the client may rightly discard it.
    var isTamperedWith: Bool { tries.contains(where: \.isTamperedWith) }
}

extension Symptoms {
    /// Packs that are wrong, or that the client found to be wrong.
    var spoiltPacks: [SpoiltPack] {
        let isIncomplete = findings.contains(.contentIncomplete)
        let isAccused = isIncomplete || findings.contains(.contentWrong) || isBroken("stored")
        return askedPacks.compactMap { asked in
            var spoilt = asked
            let pack = asked.pack
            // A file that could not be opened says nothing about its bytes.
            let file = conduct.files.first { $0.pack == pack.pack && $0.problem != nil && $0.bytes != nil }
            let stored = conduct.stored?.first { $0.pack == pack.pack && $0.problem != nil }
            (spoilt.wrongByte, spoilt.leftBytes) = (file?.wrongByte, file?.bytes)
            spoilt.isTruncated = file?.wrongByte != nil && file?.wrongByte == file?.bytes
            spoilt.isVisible = stored != nil
            spoilt.rejected = rejected(asked.tries, pack)
            let isMissing = isIncomplete && spoilt.isTaken && Self.prefix(asked.tries) < pack.bytes
            let isSpoilt = isAccused && (file != nil || stored != nil || isMissing)
            return isSpoilt || spoilt.rejected != nil ? spoilt : nil
        }
    }

    /// All packs that were requested, with their tries and whether the client reported that it has them.
    var askedPacks: [SpoiltPack] {
        conduct.tries.compactMap { tries in
            guard let pack = conduct.packs?.first(where: { $0.pack == tries.first?.pack }) else { return nil }
            return SpoiltPack(pack: pack, tries: tries, isTaken: isTaken(pack.pack))
        }
    }

    /// Whether the client reported that it has a pack.
    private func isTaken(_ pack: String) -> Bool {
        if conduct.isCommand { return attempt.requests.contains { $0.result == .available } }
        return (conduct.requests ?? []).contains { $0.isAvailable && $0.packs.contains(pack) }
    }

    /// The try that completed a pack after an earlier part, if the client did not accept the result.
    ///
    /// The client then requested all of the pack from the first byte on, or reported that the content is wrong.
    private func rejected(_ tries: [ConductRecord.Fetch], _ pack: ConductRecord.Pack) -> ConductRecord.Fetch? {
        let nexts = tries.dropFirst().map(Optional.some) + [nil]
        for (whole, next) in zip(tries, nexts) where whole.isOfPack && (whole.askedFrom ?? 0) > 0 {
            let isWhole = whole.isWhole && whole.range.upperBound >= pack.bytes
            if isWhole, let next, next.askedFrom == 0, next.beganSeconds >= whole.endedSeconds,
                !isCalledBack(from: whole.endedSeconds, to: next.beganSeconds)
            {
                return whole
            }
            // A client that takes a 200 for the rest leaves when it has as many bytes as were missing.
            let arrived = arrived(before: whole, of: tries)
            let isFilled =
                whole.status == 200 && whole.end == .client && arrived > 0 && whole.bytes >= pack.bytes - arrived
            guard isWhole || isFilled, let told = wrongContent(pack, before: next?.beganSeconds ?? .infinity),
                told.seconds >= whole.lastByteSeconds ?? whole.endedSeconds,
                pack.storedSeconds.map({ $0 > told.seconds }) ?? true
            else { continue }
            return whole
        }
        return nil
    }

    /// The last request for this pack alone that ended in the error of wrong content by `moment`, and when it did.
    func wrongContent(
        _ pack: ConductRecord.Pack, before moment: Double = .infinity
    ) -> (outcome: RequestOutcome, seconds: Double)? {
        let told = (conduct.requests ?? []).filter { request in
            // If a request has several packs, it is unknown which one is wrong.
            !request.isAvailable && request.packs == [pack.pack]
                && request.calledBackSeconds.map { $0 <= moment } ?? false
        }
        for request in told.reversed() {
            guard let seconds = request.calledBackSeconds,
                let outcome = attempt.requests.first(where: { $0.id == request.id }),
                outcome.domain == "NSURLErrorDomain", outcome.code == Self.wrongContentCode
            else { continue }
            return (outcome, seconds)
        }
        return nil
    }

    /// NSURLErrorCannotDecodeContentData.
    private static let wrongContentCode = -1016
}

extension ConductRecord.Fetch {
    /// Whether a fault of the host changed the bytes of the answer, or what it announced.
    var isTamperedWith: Bool {
        let kinds = [
            "corrupt", "body", "portal", "wrong-range", "range-as-whole", "wrong-length", "wrapped-length", "encoding",
            "multipart",
        ]
        return isOfAnotherEdition || kinds.contains(where: hasFault)
    }

    /// Whether its bytes may differ from the pack's, wherever they are put.
    var isOtherContent: Bool {
        ["corrupt", "changed-content", "changed-size", "wrong-length", "range-as-whole"].contains(where: hasFault)
    }
}

extension Symptoms {
    /// A second callback.
    var repeatedCallback: BugDiagnosis? {
        guard let outcome = attempt.requests.first(where: { $0.callbacks > 1 }) else { return nil }
        let told = told(outcome)
        let second = told?.repeatedNanoseconds
        return BugDiagnosis(
            .callsBackTwice, "'\(outcome.id)' was called back \(outcome.callbacks) times",
            seconds: second.map { Double($0 - conduct.startedNanoseconds) / 1e9 } ?? told?.calledBackSeconds,
            nanoseconds: second)
    }

    /// Bugs with packs that were already stored.
    var storageDiagnoses: [BugDiagnosis] { [removedInUse ?? lostPack, leakedPin].compactMap { $0 } }

    private var removedInUse: BugDiagnosis? {
        guard let purge = conduct.purges?.first(where: \.isInUse) else { return nil }
        return BugDiagnosis(
            .deletesGoodPacks, "'\(conduct.name(of: purge.pack))' was removed while a request used it",
            pack: purge.pack,
            seconds: max(0, Double(purge.nanoseconds - conduct.startedNanoseconds) / 1e9),
            nanoseconds: purge.nanoseconds)
    }

    /// A stored pack that was lost when a request failed.
    private var lostPack: BugDiagnosis? {
        let failures = (conduct.requests ?? []).filter { !$0.isAvailable && $0.calledBackSeconds != nil }
        let purged = Set((conduct.purges ?? []).map(\.pack))
        for pack in conduct.packs ?? [] where !purged.contains(pack.pack) {
            guard let there = pack.storedSeconds ?? arrivedSeconds(pack) else { continue }
            let again = conduct.fetches?.first {
                $0.pack == pack.pack && $0.beganSeconds > there && $0.askedFrom == 0
                    && !["changed-content", "changed-size"].contains(where: $0.hasFault)
            }
            let isMissing = isBroken("stored") && conduct.stored?.contains { $0.pack == pack.pack } == false
            guard again != nil || isMissing,
                let failure = failures.first(where: { failure in
                    let end = failure.calledBackSeconds ?? 0
                    return end >= there && end <= again?.beganSeconds ?? .infinity
                        && (pack.storedSeconds != nil || failed(failure, beside: pack.pack))
                })
            else { continue }
            let isFull = attempt.requests.contains { $0.id == failure.id && $0.errorClass == .storage }
            let what = again.map { "\(text($0)) requested it again" } ?? "it is not stored at the end"
            return BugDiagnosis(
                isFull ? .deletesGoodPacks : .losesCompletedPacks,
                "'\(pack.name)' \(pack.storedSeconds == nil ? "had arrived completely" : "was stored") \(text(there)) after the "
                    + "client's start; '\(failure.id)' failed "
                    + "\(text((failure.calledBackSeconds ?? there) - there)) later, and \(what)",
                pack: pack.pack, seconds: failure.calledBackSeconds,
                nanoseconds: again?.nanoseconds ?? failure.calledBackSeconds.map(conduct.nanoseconds))
        }
        return nil
    }

    /// When all of a pack had arrived, by tries without a fault, so that there is no reason to discard it.
    private func arrivedSeconds(_ pack: ConductRecord.Pack) -> Double? {
        let tries = (conduct.fetches ?? []).filter { $0.pack == pack.pack }
        for count in tries.indices.map({ $0 + 1 }) where Self.prefix(Array(tries.prefix(count))) >= pack.bytes {
            guard tries.prefix(count).allSatisfy(\.faults.isEmpty) else { return nil }
            return tries.prefix(count).compactMap(\.lastByteSeconds).max()
        }
        return nil
    }

    /// Whether a request failed in an error of the network because of another one of its packs.
    private func failed(_ request: ConductRecord.Request, beside pack: String) -> Bool {
        guard let outcome = attempt.requests.first(where: { $0.id == request.id }), outcome.errorClass == .network,
            request.packs.contains(pack), let end = request.calledBackSeconds
        else { return false }
        return (conduct.fetches ?? []).contains { fetch in
            fetch.pack != pack && request.packs.contains(fetch.pack) && fetch.hasFailed && fetch.beganSeconds < end
        }
    }

    /// Packs that stay in use although no request has them.
    private var leakedPin: BugDiagnosis? {
        guard findings.isDisjoint(with: [.clientHung, .clientCrashed]) else { return nil }
        let isFull = unmet.contains { $0.outcome.errorClass == .storage }
        guard isFull || isBroken("ends") else { return nil }
        if let id = conduct.unended.first {
            let told = conduct.requests?.first { $0.id == id }
            return BugDiagnosis(
                .leaksPins, "the client had to end '\(id)', but did not report that it did",
                seconds: told?.calledBackSeconds, nanoseconds: told?.calledBackSeconds.map(conduct.nanoseconds))
        }
        if let bytes = conduct.leftInUseBytes, bytes > 0 {
            return BugDiagnosis(.leaksPins, "\(bytes) B were still in use after every request had ended")
        }
        return refusedForNothing
    }

    /// A request that was refused for the in-use limit, although it fits together with all requests that are not over.
    private var refusedForNothing: BugDiagnosis? {
        for (outcome, expectation) in unmet where outcome.isOverLimit {
            let requests = conduct.requests ?? []
            guard case .available = expectation, let index = requests.firstIndex(where: { $0.id == outcome.id }),
                requests[index].isWithinLimit == true,
                // A client that overestimates all sizes would not have let an earlier request in.
                requests[..<index].contains(where: hasBegun)
            else { continue }
            return BugDiagnosis(
                .leaksPins,
                "'\(outcome.id)' was refused because too much was in use, but it is within the limit without requests that "
                    + "had failed or ended",
                seconds: requests[index].calledBackSeconds,
                nanoseconds: requests[index].calledBackSeconds.map(conduct.nanoseconds))
        }
        return nil
    }

    /// Whether a request was let in: one of its packs was requested from the host before its callback.
    private func hasBegun(_ request: ConductRecord.Request) -> Bool {
        (conduct.fetches ?? []).contains { fetch in
            request.packs.contains(fetch.pack) && fetch.beganSeconds >= request.beganSeconds
                && fetch.beganSeconds < request.calledBackSeconds ?? .infinity
        }
    }

    /// More memory than a budget allows, and more than the program alone needs.
    var memory: BugDiagnosis? {
        guard isBroken("memory_peak"), let bytes = attempt.samples[.memoryPeak].value else { return nil }
        let packs = (conduct.packs ?? []).map(\.bytes).reduce(0, +)
        // Half of the download: a client that streams has less, and the memory of a runtime is no growth.
        guard bytes >= 0.5 * Double(packs) else { return nil }
        return BugDiagnosis(
            .memoryGrows,
            "it had \(Quantity(bytes, .bytes).rounded()) of memory at a time, including pages of mapped files, for "
                + "packs of " + Quantity(Double(packs), .bytes).rounded())
    }
}

extension RequestOutcome {
    /// Whether it was refused because too much would be in use.
    fileprivate var isOverLimit: Bool { result == .error && domain == "NSCocoaErrorDomain" && code == 4993 }
}
