/// What was put together wrongly, of parts that came one after the other.
extension Symptoms {
    /// The end of a longer edition behind the whole of a shorter one.
    func staleEnd(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        guard let left = spoilt.leftBytes, left > spoilt.pack.bytes,
            let whole = spoilt.tries.last(where: { $0.isWhole && $0.range == 0..<spoilt.pack.bytes }),
            spoilt.tries.contains(where: {
                $0.nanoseconds < whole.nanoseconds && $0.isOfOtherEdition(than: whole) && $0.range.upperBound >= left
            })
        else { return nil }
        return diagnosis(
            .keepsStaleBytes, whole, at: spoilt.pack.bytes,
            "\(text(whole)) brought the whole pack, but the file still ends with \(left - spoilt.pack.bytes) B of a longer version"
        )
    }

    func stale(_ spoilt: SpoiltPack) -> BugDiagnosis? {
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
                "\(text(fetch)) requested the rest from byte \(fetch.askedFrom ?? 0) on, and got that of another version, "
                    + "\(mark); the client kept the bytes of the earlier one")
        }
        return nil
    }

    func wholeForRest(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        for fetch in spoilt.tries {
            guard let asked = fetch.askedFrom, asked > 0, fetch.status == 200, fetch.isOfPack,
                // That is the rest, whatever its status says.
                !fetch.hasFault("range-as-whole")
            else { continue }
            // A client that puts a whole of other content in the place of all that was there rightly finds it wrong, too.
            guard spoilt.wrongByte != nil || !fetch.isOtherContent else { continue }
            let arrived = arrived(before: fetch, of: spoilt.tries)
            guard shows(spoilt, min(asked, arrived), max(asked, arrived)) else { continue }
            return diagnosis(
                .takes200For206, fetch, at: spoilt.wrongByte ?? asked,
                "\(text(fetch)) requested from byte \(asked) on and was answered 200 from byte 0, and the client appended all of it to the "
                    + "\(arrived) B that it had")
        }
        return nil
    }

    func wrongPlace(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        if let other = otherPart(spoilt) { return other }
        for (index, fetch) in spoilt.tries.enumerated() {
            guard let asked = fetch.askedFrom, asked > 0, fetch.status == 206, !fetch.range.isEmpty,
                !spoilt.isTruncated,
                // A byte that the host spoils makes a pack wrong wherever the rest is put.
                spoilt.wrongByte != nil || !spoilt.tries.contains(where: { $0.hasFault("corrupt") }),
                spoilt.tries[..<index].allSatisfy({ isOver($0, at: fetch.beganSeconds) })
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
            let thrown = isOff ? nil : "; the rest arrived completely, but the client found the pack wrong"
            return diagnosis(
                .resumesWrongOffset, fetch, at: spoilt.wrongByte ?? arrived,
                "\(text(fetch)) requested from byte \(asked) on\(answered), and the client had \(arrived) B"
                    + (wrong ?? thrown ?? ""))
        }
        return nil
    }

    /// Whether a try was over for its client, which a host may hear much later where that was killed.
    private func isOver(_ fetch: ConductRecord.Fetch, at seconds: Double) -> Bool {
        min(fetch.endedSeconds, conduct.killSeconds(of: fetch) ?? .infinity) <= seconds
    }

    /// A part that was there, and the rest of which the client asked for from another byte on.
    var wrongRest: BugDiagnosis? {
        guard let part = conduct.partBefore, conduct.wentOnWithBefore, let first = conduct.fetches?.first,
            let asked = first.askedFrom, asked != part
        else { return nil }
        let isWrapped = asked == part & 0xFFFF_FFFF
        return diagnosis(
            isWrapped ? .wrapsLengths : .resumesWrongOffset, first, at: asked,
            "\(text(first)) requested from byte \(asked) on, but the client had \(part) B"
                + (isWrapped ? ", and \(asked) is the lowest 32 bits of that number" : ""))
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
                "\(text(fetch)) requested from byte \(asked) on, was answered from byte \(fetch.answeredFrom) on, and the client "
                    + "wrote the answer at byte \(asked); the file is wrong from byte \(byte) on")
        }
        return nil
    }

    /// Whether what is wrong begins between two places, or the client saw itself that something is.
    private func shows(_ spoilt: SpoiltPack, _ from: Int64, _ to: Int64) -> Bool {
        // Some bytes may be the same by chance.
        if let byte = spoilt.wrongByte { return (from...(to + 16)).contains(byte) }
        return spoilt.rejected != nil || spoilt.isVisible || spoilt.isTaken
    }
}

extension ConductRecord.Fetch {
    /// Whether both were under way at one time.
    fileprivate func isBeside(_ other: Self) -> Bool {
        beganSeconds < other.endedSeconds && endedSeconds > other.beganSeconds
    }
}
