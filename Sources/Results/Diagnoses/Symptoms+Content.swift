extension Symptoms {
    /// A request over a connection whose certificate was wrong: who refuses that makes none.
    var acceptedCertificate: BugDiagnosis? {
        guard let fault = conduct.certificateFault, let first = conduct.fetches?.first else { return nil }
        let what =
            switch fault {
            case "wrong-name": "is for another name"
            case "expired": "has expired"
            case "not-yet-valid": "is not valid yet"
            case "unknown-authority": "is of an unknown authority"
            default: "is wrong (\(fault))"
            }
        return diagnosis(
            .acceptsWrongCertificate, first, "\(text(first)) came over a connection whose certificate \(what)")
    }

    /// Why packs are not what the host serves; each pack has one reason.
    var contentDiagnoses: [BugDiagnosis] {
        let found = spoiltPacks.compactMap { spoilt in
            mixed(spoilt) ?? portal(spoilt) ?? framing(spoilt) ?? stale(spoilt) ?? wholeForRest(spoilt)
                ?? wrongPlace(spoilt) ?? unchecked(spoilt) ?? short(spoilt) ?? untold(spoilt)
        }
        if !found.isEmpty { return found }
        return [wrongRest ?? unhashed ?? hashedShort ?? nothingAskedFor].compactMap { $0 }
    }

    private func portal(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        guard spoilt.isTaken || spoilt.isVisible, let last = spoilt.tries.last,
            last.hasFault("body") || last.hasFault("portal")
        else { return nil }
        return diagnosis(
            .followsCaptivePortal, last, at: 0,
            "\(text(last)) was answered with a page of \(last.bytes) B in the pack's place, and it was taken for the pack"
        )
    }

    private func stale(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        for fetch in spoilt.tries where (fetch.askedFrom ?? 0) > 0 && fetch.status == 206 {
            let before = spoilt.tries.filter { $0.nanoseconds < fetch.nanoseconds && !$0.range.isEmpty }
            // Of two, either may be that which the host has in the end.
            guard before.contains(where: { $0.isOfOtherEdition(than: fetch) }) else { continue }
            let marks = ["no-validators": "without an ETag", "weak-etag": "with the same weak ETag"]
            let mark =
                marks.first { fetch.hasFault($0.key) }?.value
                ?? (fetch.hasFault("no-etag") ? "with another date" : "with another ETag")
            return diagnosis(
                .keepsStaleBytes, fetch, at: fetch.answeredFrom,
                "\(text(fetch)) asked for the rest from byte \(fetch.askedFrom ?? 0) on, and got it of another edition, "
                    + "\(mark); the bytes of the one before were kept")
        }
        return nil
    }

    private func wholeForRest(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        for fetch in spoilt.tries {
            guard let asked = fetch.askedFrom, asked > 0, fetch.status == 200, fetch.isOfPack,
                // That is the rest, whatever its status says.
                !fetch.hasFault("range-as-whole")
            else { continue }
            // Whoever puts a whole of other content in the place of all that was there rightly finds it wrong, too.
            guard spoilt.wrongByte != nil || !fetch.isOtherContent else { continue }
            let arrived = arrived(before: fetch, of: spoilt.tries)
            guard shows(spoilt, min(asked, arrived), max(asked, arrived)) else { continue }
            return diagnosis(
                .takes200For206, fetch, at: spoilt.wrongByte ?? asked,
                "\(text(fetch)) asked from byte \(asked) on and was answered 200 from byte 0, and the whole was put behind the "
                    + "\(arrived) B that were there")
        }
        return nil
    }

    private func wrongPlace(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        if let other = otherPart(spoilt) { return other }
        for (index, fetch) in spoilt.tries.enumerated() {
            guard let asked = fetch.askedFrom, asked > 0, fetch.status == 206, !fetch.range.isEmpty,
                !spoilt.isTruncated,
                // A byte that the host spoils makes a pack wrong wherever the rest is put.
                spoilt.wrongByte != nil || !spoilt.tries.contains(where: { $0.hasFault("corrupt") }),
                spoilt.tries[..<index].allSatisfy({ $0.endedSeconds <= fetch.beganSeconds })
            else { continue }
            let arrived = arrived(before: fetch, of: spoilt.tries)
            let isOff = asked != arrived || fetch.answeredFrom != asked
            // Where the file is there, its first wrong byte says it, whatever was asked for.
            let isShown = shows(
                spoilt, min(asked, arrived, fetch.answeredFrom), max(asked, arrived, fetch.answeredFrom))
            // What came as it should, and did not make the pack, was put elsewhere.
            let isMisplaced = spoilt.rejected == fetch && !spoilt.isTamperedWith
            guard isOff || spoilt.wrongByte != nil || isMisplaced, isShown else { continue }
            let answered = fetch.answeredFrom == asked ? "" : ", was answered from byte \(fetch.answeredFrom) on"
            let wrong = spoilt.wrongByte.map { "; the file is wrong from byte \($0) on" }
            let thrown = isOff ? nil : "; the rest came whole, and the pack was found wrong all the same"
            return diagnosis(
                .resumesWrongOffset, fetch, at: spoilt.wrongByte ?? arrived,
                "\(text(fetch)) asked from byte \(asked) on\(answered), and \(arrived) B were there"
                    + (wrong ?? thrown ?? ""))
        }
        return nil
    }

    /// A part that was there, and the rest of which the client asked for from another byte on.
    private var wrongRest: BugDiagnosis? {
        guard let part = conduct.partBefore, conduct.wentOnWithBefore, let first = conduct.fetches?.first,
            let asked = first.askedFrom, asked != part
        else { return nil }
        let isWrapped = asked == part & 0xFFFF_FFFF
        return diagnosis(
            isWrapped ? .wrapsLengths : .resumesWrongOffset, first, at: asked,
            "\(text(first)) asked from byte \(asked) on, and \(part) B were there"
                + (isWrapped ? ", of which \(asked) are the lowest 32 bits" : ""))
    }

    /// One of several parts that was answered from another byte than was asked for, where the pack is wrong from there on.
    private func otherPart(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        // A byte that the host spoils makes a pack wrong wherever a part is put.
        guard !spoilt.isTruncated, !spoilt.tries.contains(where: { $0.hasFault("corrupt") }) else { return nil }
        for fetch in spoilt.tries {
            guard let asked = fetch.askedFrom, asked != fetch.answeredFrom, fetch.status == 206, !fetch.range.isEmpty,
                let byte = spoilt.wrongByte, (min(asked, fetch.answeredFrom)..<fetch.range.upperBound).contains(byte),
                spoilt.tries.contains(where: { $0 != fetch && $0.isBeside(fetch) }),
                // What was asked for once more took its place.
                !spoilt.tries.contains(where: { $0.beganSeconds > fetch.endedSeconds && $0.range.contains(byte) })
            else { continue }
            return diagnosis(
                .resumesWrongOffset, fetch, at: byte,
                "\(text(fetch)) asked from byte \(asked) on, was answered from byte \(fetch.answeredFrom) on, and what came was "
                    + "put where byte \(asked) belongs; the file is wrong from byte \(byte) on")
        }
        return nil
    }

    /// Whether what is wrong begins between two places, or the client saw itself that something is.
    private func shows(_ spoilt: SpoiltPack, _ from: Int64, _ to: Int64) -> Bool {
        // Some bytes may be the same by chance.
        if let byte = spoilt.wrongByte { return (from...(to + 16)).contains(byte) }
        return spoilt.rejected != nil || spoilt.isVisible || spoilt.isTaken
    }

    private func unchecked(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        guard !conduct.isCommand, spoilt.isTaken || spoilt.isVisible,
            let fetch = spoilt.tries.last(where: { $0.hasFault("corrupt") && $0.isOfPack }),
            let place = fetch.place(of: "corrupt"), Self.prefix(spoilt.tries) >= spoilt.pack.bytes,
            !spoilt.tries.contains(where: { $0.nanoseconds > fetch.nanoseconds && $0.range.contains(place) })
        else { return nil }
        let what = "\(text(fetch)) brought another byte at \(place) than the pack has"
        guard spoilt.isTaken else {
            return diagnosis(
                .unpacksBeforeChecking, fetch, at: place,
                what + ", and it is visible in the store, though nobody has it")
        }
        let taken = (conduct.requests ?? []).filter { $0.isAvailable && $0.packs.contains(spoilt.pack.pack) }
        if let told = wrongContent(spoilt.pack, before: taken.compactMap(\.calledBackSeconds).min() ?? .infinity),
            told.seconds >= fetch.beganSeconds
        {
            return diagnosis(
                .unpacksBeforeChecking, fetch, at: place,
                what + "; '\(told.outcome.id)' ended in the error of wrong content, and what it left was taken for the "
                    + "pack later")
        }
        return diagnosis(.ignoresWrongHash, fetch, at: place, what + ", and the pack was said to be there")
    }

    /// A pack that was to be an error for its hash alone, and was taken: no file of it shows the wrong byte.
    private var unhashed: BugDiagnosis? {
        let taken = Set(
            unmet.filter { outcome, expectation in
                if case .error = expectation { outcome.result == .available } else { false }
            }.map(\.outcome.id))
        let packs = Set((conduct.requests ?? []).filter { taken.contains($0.id) }.flatMap(\.packs))
        for asked in askedPacks where packs.contains(asked.pack.pack) {
            if let found = unchecked(asked) { return found }
        }
        return nil
    }

    /// A short body that was taken for the whole, until its hash was another.
    ///
    /// Who knows what is missing asks for it, and has no reason to speak of wrong content.
    private var hashedShort: BugDiagnosis? {
        for asked in askedPacks where !asked.isTamperedWith && asked.tries.allSatisfy({ $0.askedFrom == 0 }) {
            guard let told = wrongContent(asked.pack), unmet.contains(where: { $0.outcome.id == told.outcome.id }),
                let cut = asked.tries.last(where: { $0.beganSeconds <= told.seconds }), cut.isOfPack,
                isCutShort(cut), !cut.range.isEmpty, cut.range.upperBound < asked.pack.bytes
            else { continue }
            return diagnosis(
                .ignoresShortBody, cut, at: cut.range.upperBound,
                "\(text(cut)) ended at byte \(cut.range.upperBound) of \(asked.pack.bytes), and '\(told.outcome.id)' ended in "
                    + "the error of wrong content, as if it had been the whole")
        }
        return nil
    }

    /// Whether an answer was cut by the host, or by the link.
    private func isCutShort(_ fetch: ConductRecord.Fetch) -> Bool {
        guard !fetch.isWhole else { return false }
        return fetch.end == .host
            || fetch.end == .client
                && conduct.outages.contains { $0.kind == "cut" && abs($0.fromSeconds - fetch.endedSeconds) < 0.25 }
    }

    private func short(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        let came = Self.prefix(spoilt.tries)
        guard spoilt.isTaken || spoilt.isVisible, came < spoilt.pack.bytes,
            let cut = spoilt.tries.last(where: {
                $0.isOfPack && (!$0.isWhole || $0.end == .host || $0.hasFault("wrong-length"))
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
        // Who has left no file takes nothing for the whole: success alone is wrong.
        if spoilt.isTaken, conduct.files.contains(where: { $0.pack == spoilt.pack.pack && $0.bytes == nil }) {
            return diagnosis(
                .neverReportsError, last, at: came,
                "\(what), \(text(last)) was \(answer(last)), and success was told, where no file is")
        }
        if spoilt.isTaken, !isNoticed {
            if cut.end == .host || cut.hasFault("wrong-length") || isCutShort(cut) {
                return diagnosis(.ignoresShortBody, cut, at: came, "\(what), and what came was taken for the whole")
            }
            // Who ended the connection himself had another reason, such as a full disk.
            guard spoilt.isVisible else { return nil }
        }
        guard let left = spoilt.isVisible ? came : spoilt.leftBytes else { return nil }
        let file = left < spoilt.pack.bytes ? "these \(left) B were" : "a file of the whole length was"
        return diagnosis(.keepsPartialAsWhole, cut, at: came, "\(what), and \(file) left where the whole pack belongs")
    }

    private func untold(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        guard spoilt.isTaken, let last = spoilt.tries.last, last.status.map({ $0 >= 400 }) ?? true,
            Self.prefix(spoilt.tries) < spoilt.pack.bytes
        else { return nil }
        return diagnosis(.neverReportsError, last, "\(text(last)) was \(answer(last)), and success was told")
    }

    /// Success where nothing could be asked for.
    private var nothingAskedFor: BugDiagnosis? {
        guard findings.contains(.contentIncomplete), conduct.fetches?.isEmpty == true, !conduct.tookOldEdition,
            conduct.firstConnectionSeconds == nil || !conduct.outages.isEmpty
        else { return nil }
        return BugDiagnosis(
            .neverReportsError, "nothing reached the host, and success was told", seconds: conduct.endedSeconds)
    }
}

extension ConductRecord.Fetch {
    /// Whether both were under way at one time.
    fileprivate func isBeside(_ other: Self) -> Bool {
        beganSeconds < other.endedSeconds && endedSeconds > other.beganSeconds
    }
}
