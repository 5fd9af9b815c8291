/// A pack that is not what the host serves, or was not when the client looked.
struct SpoiltPack {
    var pack: ConductRecord.Pack
    var tries: [ConductRecord.Fetch]
    /// The first wrong byte of the file that was left; nil where nobody knows.
    var wrongByte: Int64?
    /// Whether the file that was left is right as far as it goes, and ends too early.
    var isTruncated = false
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
            spoilt.wrongByte = file?.wrongByte
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
            // Of several packs nobody knows which one it is about.
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
        ["corrupt", "body", "portal", "changed-etag", "changed-content", "changed-size", "wrong-range", "wrong-length"]
            .contains(
                where: hasFault)
    }

    /// Whether its bytes may be others than the pack has, wherever they are put.
    var isOtherContent: Bool {
        ["corrupt", "changed-content", "changed-size", "wrong-length"].contains(where: hasFault)
    }
}
