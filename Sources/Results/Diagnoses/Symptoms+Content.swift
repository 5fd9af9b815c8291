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
    /// Whether the client had all of it, and asked for all of it again: it saw itself that it is wrong.
    var isRejected = false
}

extension Symptoms {
    /// Why packs are not what the host serves; each pack has one reason.
    var contentDiagnoses: [Diagnosis] {
        let found = spoiltPacks.compactMap { spoilt in
            portal(spoilt) ?? stale(spoilt) ?? wholeForRest(spoilt) ?? wrongPlace(spoilt) ?? unchecked(spoilt)
                ?? short(spoilt) ?? untold(spoilt)
        }
        if !found.isEmpty { return found }
        return [nothingAskedFor].compactMap { $0 }
    }

    private var spoiltPacks: [SpoiltPack] {
        let isIncomplete = findings.contains(.contentIncomplete)
        let isAccused = isIncomplete || findings.contains(.contentWrong) || isBroken("stored")
        return conduct.tries.compactMap { tries in
            guard let pack = conduct.packs?.first(where: { $0.pack == tries.first?.pack }) else { return nil }
            var spoilt = SpoiltPack(pack: pack, tries: tries)
            // Where no file could be opened, nothing shows in its bytes.
            let file = conduct.files.first { $0.pack == pack.pack && $0.problem != nil && $0.bytes != nil }
            let stored = conduct.stored?.first { $0.pack == pack.pack && $0.problem != nil }
            spoilt.wrongByte = file?.wrongByte
            spoilt.isTruncated = file?.wrongByte != nil && file?.wrongByte == file?.bytes
            spoilt.isVisible = stored != nil
            spoilt.isTaken = isTaken(pack.pack)
            spoilt.isRejected = isRejected(tries, pack)
            let isMissing = isIncomplete && spoilt.isTaken && Self.prefix(tries) < pack.bytes
            let isSpoilt = isAccused && (file != nil || stored != nil || isMissing)
            return isSpoilt || spoilt.isRejected ? spoilt : nil
        }
    }

    /// Whether the client said that it has a pack.
    private func isTaken(_ pack: String) -> Bool {
        if conduct.isCommand { return attempt.requests.contains { $0.result == .available } }
        return (conduct.requests ?? []).contains { $0.isAvailable && $0.packs.contains(pack) }
    }

    /// Whether the last byte of a pack had come, behind a part that came before, and it was asked for from its first byte.
    private func isRejected(_ tries: [ConductRecord.Fetch], _ pack: ConductRecord.Pack) -> Bool {
        zip(tries, tries.dropFirst()).contains { whole, again in
            guard whole.isWhole, whole.isOfPack, whole.range.upperBound >= pack.bytes, (whole.askedFrom ?? 0) > 0,
                again.askedFrom == 0, again.beganSeconds >= whole.endedSeconds
            else { return false }
            let times = whole.endedSeconds...again.beganSeconds
            return !(conduct.requests ?? []).contains { $0.calledBackSeconds.map(times.contains) ?? false }
        }
    }

    private func portal(_ spoilt: SpoiltPack) -> Diagnosis? {
        guard spoilt.isTaken || spoilt.isVisible, let last = spoilt.tries.last,
            last.hasFault("body") || last.hasFault("portal")
        else { return nil }
        return diagnosis(
            .followsCaptivePortal, last, at: 0,
            "\(text(last)) was answered with a page of \(last.bytes) B in the pack's place, and it was taken for the pack"
        )
    }

    /// Kinds of faults by which an answer is of another edition than those before it.
    private static let editions = ["new-etag", "new-content", "new-size"]

    private func stale(_ spoilt: SpoiltPack) -> Diagnosis? {
        for fetch in spoilt.tries where (fetch.askedFrom ?? 0) > 0 && fetch.status == 206 {
            let before = spoilt.tries.filter { $0.nanoseconds < fetch.nanoseconds && !$0.range.isEmpty }
            // Of two, either may be that which the host has in the end.
            guard
                Self.editions.contains(where: { kind in
                    before.contains { $0.hasFault(kind) != fetch.hasFault(kind) }
                })
            else { continue }
            return diagnosis(
                .keepsStaleBytes, fetch, at: fetch.answeredFrom,
                "\(text(fetch)) asked for the rest from byte \(fetch.askedFrom ?? 0) on, and got it of another edition, with "
                    + "another ETag; the bytes of the one before were kept")
        }
        return nil
    }

    private func wholeForRest(_ spoilt: SpoiltPack) -> Diagnosis? {
        for fetch in spoilt.tries {
            guard let asked = fetch.askedFrom, asked > 0, fetch.status == 200, fetch.isOfPack else { continue }
            let arrived = arrived(before: fetch, of: spoilt.tries)
            guard shows(spoilt, min(asked, arrived), max(asked, arrived)) else { continue }
            return diagnosis(
                .takes200For206, fetch, at: spoilt.wrongByte ?? asked,
                "\(text(fetch)) asked from byte \(asked) on and was answered 200 from byte 0, and the whole was put behind the "
                    + "\(arrived) B that were there")
        }
        return nil
    }

    private func wrongPlace(_ spoilt: SpoiltPack) -> Diagnosis? {
        for (index, fetch) in spoilt.tries.enumerated() {
            guard let asked = fetch.askedFrom, asked > 0, fetch.status == 206, !fetch.range.isEmpty,
                !spoilt.isTruncated,
                spoilt.tries[..<index].allSatisfy({ $0.endedSeconds <= fetch.beganSeconds })
            else { continue }
            let arrived = arrived(before: fetch, of: spoilt.tries)
            let isOff = asked != arrived || fetch.answeredFrom != asked
            // Where the file is there, its first wrong byte says it, whatever was asked for.
            let isShown = shows(
                spoilt, min(asked, arrived, fetch.answeredFrom), max(asked, arrived, fetch.answeredFrom))
            guard isOff || spoilt.wrongByte != nil, isShown else { continue }
            let answered = fetch.answeredFrom == asked ? "" : ", was answered from byte \(fetch.answeredFrom) on"
            return diagnosis(
                .resumesWrongOffset, fetch, at: spoilt.wrongByte ?? arrived,
                "\(text(fetch)) asked from byte \(asked) on\(answered), and \(arrived) B were there"
                    + (spoilt.wrongByte.map { "; the file is wrong from byte \($0) on" } ?? ""))
        }
        return nil
    }

    /// Whether what is wrong begins between two places, or the client saw itself that something is.
    private func shows(_ spoilt: SpoiltPack, _ from: Int64, _ to: Int64) -> Bool {
        // Some bytes may be the same by chance.
        if let byte = spoilt.wrongByte { return (from...(to + 16)).contains(byte) }
        return spoilt.isRejected || spoilt.isVisible || spoilt.isTaken
    }

    private func unchecked(_ spoilt: SpoiltPack) -> Diagnosis? {
        guard !conduct.isCommand, spoilt.isTaken || spoilt.isVisible,
            let fetch = spoilt.tries.last(where: { $0.hasFault("corrupt") && $0.isOfPack }),
            let place = fetch.place(of: "corrupt"), Self.prefix(spoilt.tries) >= spoilt.pack.bytes,
            !spoilt.tries.contains(where: { $0.nanoseconds > fetch.nanoseconds && $0.range.contains(place) })
        else { return nil }
        let what = "\(text(fetch)) brought another byte at \(place) than the pack has"
        return spoilt.isTaken
            ? diagnosis(.ignoresWrongHash, fetch, at: place, what + ", and the pack was said to be there")
            : diagnosis(
                .unpacksBeforeChecking, fetch, at: place,
                what + ", and it is visible in the store, though nobody has it")
    }

    private func short(_ spoilt: SpoiltPack) -> Diagnosis? {
        let came = Self.prefix(spoilt.tries)
        guard spoilt.isTaken || spoilt.isVisible, came < spoilt.pack.bytes,
            let cut = spoilt.tries.last(where: {
                $0.isOfPack && (!$0.isWhole || $0.end == .host || $0.hasFault("length"))
            }),
            let last = spoilt.tries.last, last.status.map({ $0 < 400 }) ?? false
        else { return nil }
        // Who asked again, or told of an error, has seen that it was short.
        let isNoticed =
            spoilt.tries.contains { $0.nanoseconds < last.nanoseconds && $0.isOfPack && !$0.isWhole }
            || (conduct.requests ?? []).contains { request in
                !request.isAvailable && request.packs.contains(spoilt.pack.pack) && request.calledBackSeconds != nil
            }
        let what = "\(text(cut)) ended at byte \(cut.range.upperBound) of \(spoilt.pack.bytes)"
        if spoilt.isTaken, !isNoticed {
            // Who ended the connection himself had another reason, such as a full disk.
            guard cut.end == .host || cut.hasFault("length") else { return nil }
            return diagnosis(.ignoresShortBody, cut, at: came, "\(what), and what came was taken for the whole")
        }
        guard isNoticed || spoilt.isVisible else { return nil }
        return diagnosis(
            .keepsPartialAsWhole, cut, at: came, "\(what), and these \(came) B were left where the whole pack belongs")
    }

    private func untold(_ spoilt: SpoiltPack) -> Diagnosis? {
        guard spoilt.isTaken, let last = spoilt.tries.last, last.status.map({ $0 >= 400 }) ?? true,
            Self.prefix(spoilt.tries) < spoilt.pack.bytes
        else { return nil }
        return diagnosis(.neverReportsError, last, "\(text(last)) was \(answer(last)), and success was told")
    }

    /// Success where nothing could be asked for.
    private var nothingAskedFor: Diagnosis? {
        guard findings.contains(.contentIncomplete), conduct.fetches?.isEmpty == true,
            conduct.firstConnectionSeconds == nil || !conduct.outages.isEmpty
        else { return nil }
        return Diagnosis(
            .neverReportsError, "nothing reached the host, and success was told", seconds: conduct.endedSeconds)
    }
}
