/// A pack that is not what the host serves, or was not when the client looked.
struct SpoiltPack {
    var pack: ConductRecord.Pack
    var tries: [ConductRecord.Fetch]
    /// The first wrong byte of the file that was left; nil where unknown.
    var wrongByte: Int64?
    /// Whether the file that was left is right as far as it goes, and ends too early.
    var isTruncated = false
    /// The bytes of the file that was left; nil where there is none.
    var leftBytes: Int64?
    /// Whether it is visible in the store, and wrong.
    var isVisible = false
    /// Whether the client said that it has it.
    var isTaken = false
    /// The try behind which the client had all of it, and saw itself that it is wrong; nil where it did not.
    var rejected: ConductRecord.Fetch?

    /// Whether something was done on purpose to what a try brought, so that it may rightly be thrown away.
    var isTamperedWith: Bool { tries.contains(where: \.isTamperedWith) }
}

extension Symptoms {
    /// Packs that are wrong, or that the client found to be.
    var spoiltPacks: [SpoiltPack] {
        let isIncomplete = findings.contains(.contentIncomplete)
        let isAccused = isIncomplete || findings.contains(.contentWrong) || isBroken("stored")
        return askedPacks.compactMap { asked in
            var spoilt = asked
            let pack = asked.pack
            // Where no file could be opened, nothing shows in its bytes.
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

    /// All packs that were asked for, of which nothing is known but the tries, and whether the client said that it has them.
    var askedPacks: [SpoiltPack] {
        conduct.tries.compactMap { tries in
            guard let pack = conduct.packs?.first(where: { $0.pack == tries.first?.pack }) else { return nil }
            return SpoiltPack(pack: pack, tries: tries, isTaken: isTaken(pack.pack))
        }
    }

    /// Whether the client said that it has a pack.
    private func isTaken(_ pack: String) -> Bool {
        if conduct.isCommand { return attempt.requests.contains { $0.result == .available } }
        return (conduct.requests ?? []).contains { $0.isAvailable && $0.packs.contains(pack) }
    }

    /// The try with which the last byte of a pack had come, behind a part that came before, and the client did not take it.
    ///
    /// It asked for all of it from the first byte on, or said that the content is wrong.
    private func rejected(_ tries: [ConductRecord.Fetch], _ pack: ConductRecord.Pack) -> ConductRecord.Fetch? {
        let nexts = tries.dropFirst().map(Optional.some) + [nil]
        for (whole, next) in zip(tries, nexts) where whole.isOfPack && (whole.askedFrom ?? 0) > 0 {
            let isWhole = whole.isWhole && whole.range.upperBound >= pack.bytes
            if isWhole, let next, next.askedFrom == 0, next.beganSeconds >= whole.endedSeconds,
                !isCalledBack(from: whole.endedSeconds, to: next.beganSeconds)
            {
                return whole
            }
            // Who takes 200 for the rest leaves when it has as much as was missing.
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

    /// The last request for one pack alone that ended in the error of wrong content by a moment, and when it did.
    func wrongContent(
        _ pack: ConductRecord.Pack, before moment: Double = .infinity
    ) -> (outcome: RequestOutcome, seconds: Double)? {
        let told = (conduct.requests ?? []).filter { request in
            // Of several packs it is unknown which one it is about.
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
    /// Whether the host did something on purpose to what it brought, or to what it was said to bring.
    var isTamperedWith: Bool {
        let kinds = [
            "corrupt", "body", "portal", "wrong-range", "range-as-whole", "wrong-length", "wrapped-length", "encoding",
            "multipart",
        ]
        return isOfAnotherEdition || kinds.contains(where: hasFault)
    }

    /// Whether its bytes may be others than the pack has, wherever they are put.
    var isOtherContent: Bool {
        ["corrupt", "changed-content", "changed-size", "wrong-length", "range-as-whole"].contains(where: hasFault)
    }
}

extension Symptoms {
    /// A second callback.
    var repeatedCallback: BugDiagnosis? {
        guard let outcome = attempt.requests.first(where: { $0.callbacks > 1 }) else { return nil }
        let told = conduct.requests?.first { $0.id == outcome.id }
        let second = told?.repeatedNanoseconds
        return BugDiagnosis(
            .callsBackTwice, "'\(outcome.id)' was called back \(outcome.callbacks) times",
            seconds: second.map { Double($0 - conduct.startedNanoseconds) / 1e9 } ?? told?.calledBackSeconds,
            nanoseconds: second)
    }

    /// What became of packs that were there.
    var storageDiagnoses: [BugDiagnosis] { [removedInUse ?? lostPack, leakedPin].compactMap { $0 } }

    private var removedInUse: BugDiagnosis? {
        guard let purge = conduct.purges?.first(where: \.isInUse) else { return nil }
        return BugDiagnosis(
            .deletesGoodPacks, "'\(conduct.name(of: purge.pack))' was removed while a request used it",
            pack: purge.pack,
            seconds: max(0, Double(purge.nanoseconds - conduct.startedNanoseconds) / 1e9),
            nanoseconds: purge.nanoseconds)
    }

    /// A pack that was stored, and that a failed request took along.
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

    /// When all of a pack had come, by tries of which none had a fault: there is no reason to throw that away.
    private func arrivedSeconds(_ pack: ConductRecord.Pack) -> Double? {
        let tries = (conduct.fetches ?? []).filter { $0.pack == pack.pack }
        for count in tries.indices.map({ $0 + 1 }) where Self.prefix(Array(tries.prefix(count))) >= pack.bytes {
            guard tries.prefix(count).allSatisfy(\.faults.isEmpty) else { return nil }
            return tries.prefix(count).compactMap(\.lastByteSeconds).max()
        }
        return nil
    }

    /// Whether a request failed for another one of its packs, in an error of the network.
    private func failed(_ request: ConductRecord.Request, beside pack: String) -> Bool {
        guard let outcome = attempt.requests.first(where: { $0.id == request.id }), outcome.errorClass == .network,
            request.packs.contains(pack), let end = request.calledBackSeconds
        else { return false }
        return (conduct.fetches ?? []).contains { fetch in
            fetch.pack != pack && request.packs.contains(fetch.pack) && fetch.hasFailed && fetch.beganSeconds < end
        }
    }

    /// Packs that stay in use though no request has them.
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

    /// A request that was refused for what is in use, though it is within the limit with all that is not over.
    private var refusedForNothing: BugDiagnosis? {
        for (outcome, expectation) in unmet where outcome.isOverLimit {
            let requests = conduct.requests ?? []
            guard case .available = expectation, let index = requests.firstIndex(where: { $0.id == outcome.id }),
                requests[index].isWithinLimit == true,
                // Who counts too much by itself lets nothing in.
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

    /// Whether a request was let in: something was asked for it before its callback.
    private func hasBegun(_ request: ConductRecord.Request) -> Bool {
        (conduct.fetches ?? []).contains { fetch in
            request.packs.contains(fetch.pack) && fetch.beganSeconds >= request.beganSeconds
                && fetch.beganSeconds < request.calledBackSeconds ?? .infinity
        }
    }

    /// More memory than a budget has, and so much that it cannot be the program alone.
    var memory: BugDiagnosis? {
        guard isBroken("memory_peak"), let bytes = attempt.samples[.memoryPeak].value else { return nil }
        let packs = (conduct.packs ?? []).map(\.bytes).reduce(0, +)
        // Half of what is downloaded: a lean one that streams has less, and a runtime's own part is no growth.
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
