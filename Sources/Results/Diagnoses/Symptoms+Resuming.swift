/// Rules about packs that were assembled wrongly from several parts.
extension Symptoms {
    /// The end of a longer edition that remains behind a whole shorter one.
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
            // The host may serve either of the two editions in the end.
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
                // An answer with this fault is the rest, whatever its status says.
                !fetch.hasFault("range-as-whole")
            else { continue }
            // A client that replaces all it had with other content also finds the pack wrong, and rightly.
            guard spoilt.wrongByte != nil || !fetch.isOtherContent else { continue }
            let arrived = arrived(before: fetch, of: spoilt.tries)
            // A part of another edition is wrong from its first byte; then the length of the file shows the rest.
            guard
                shows(spoilt, min(asked, arrived), max(asked, arrived))
                    || arrived > 0 && spoilt.leftBytes == arrived + fetch.bytes
            else { continue }
            return diagnosis(
                .takes200For206, fetch, at: spoilt.wrongByte ?? asked,
                "\(text(fetch)) requested from byte \(asked) on and was answered 200 from byte 0, and the client appended all of it to the "
                    + "\(arrived) B that it had")
        }
        return nil
    }

    func wrongPlace(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        if let other = otherPart(spoilt) { return other }
        for fetch in spoilt.tries {
            guard let asked = fetch.askedFrom, asked > 0, fetch.status == 206, !fetch.range.isEmpty,
                !spoilt.isTruncated,
                // A byte that the host corrupts makes a pack wrong wherever the rest is put.
                spoilt.wrongByte != nil || !spoilt.tries.contains(where: { $0.hasFault("corrupt") }),
                // One of several parallel parts is not the rest of a part.
                isAlone(fetch, among: spoilt.tries)
            else { continue }
            let arrived = arrived(before: fetch, of: spoilt.tries)
            let isOff = asked != arrived || fetch.answeredFrom != asked
            // If there is a file, its first wrong byte shows the error, whatever was requested.
            let isShown = shows(
                spoilt, min(asked, arrived, fetch.answeredFrom), max(asked, arrived, fetch.answeredFrom))
            // Bytes that arrived as they should but did not make the pack were put in the wrong place.
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

    /// Whether no other try was under way at the same time.
    private func isAlone(_ fetch: ConductRecord.Fetch, among tries: [ConductRecord.Fetch]) -> Bool {
        tries.allSatisfy {
            $0 == fetch || isOver($0, at: fetch.beganSeconds) || isOver(fetch, at: $0.beganSeconds)
        }
    }

    /// Whether a try was over for its client; if the client was killed, the host may notice that much later.
    private func isOver(_ fetch: ConductRecord.Fetch, at seconds: Double) -> Bool {
        min(fetch.endedSeconds, conduct.killSeconds(of: fetch) ?? .infinity) <= seconds
    }

    /// A part that was there before, whose rest the client requested from a wrong byte on.
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

    /// One of several parallel parts that was answered from another byte than was requested, and is wrong in the file.
    private func otherPart(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        // A byte that the host corrupts makes a pack wrong wherever a part is put.
        guard !spoilt.isTruncated, !spoilt.tries.contains(where: { $0.hasFault("corrupt") }) else { return nil }
        for fetch in spoilt.tries {
            guard let asked = fetch.askedFrom, asked != fetch.answeredFrom, fetch.status == 206, !fetch.range.isEmpty,
                let byte = spoilt.wrongByte, (min(asked, fetch.answeredFrom)..<fetch.range.upperBound).contains(byte),
                !isAlone(fetch, among: spoilt.tries),
                // A later request brought this byte again and replaced it.
                !spoilt.tries.contains(where: { $0.beganSeconds > fetch.endedSeconds && $0.range.contains(byte) })
            else { continue }
            return diagnosis(
                .resumesWrongOffset, fetch, at: byte,
                "\(text(fetch)) requested from byte \(asked) on, was answered from byte \(fetch.answeredFrom) on, and the client "
                    + "wrote the answer at byte \(asked); the file is wrong from byte \(byte) on")
        }
        return nil
    }

    /// Whether the first wrong byte lies between two places; if it is unknown, whether the client rejected, stored or
    /// accepted the pack.
    private func shows(_ spoilt: SpoiltPack, _ from: Int64, _ to: Int64) -> Bool {
        // The first bytes after that may match by chance.
        if let byte = spoilt.wrongByte { return (from...(to + 16)).contains(byte) }
        return spoilt.rejected != nil || spoilt.isVisible || spoilt.isTaken
    }
}
