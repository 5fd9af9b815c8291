extension Symptoms {
    /// A request over a connection whose certificate was wrong; a client that refuses the certificate makes none.
    var acceptedCertificate: BugDiagnosis? {
        guard let fault = conduct.certificateFault, let first = conduct.fetches?.first else { return nil }
        let what =
            switch fault {
            case "wrong-name": "is for another name"
            case "expired": "has expired"
            case "not-yet-valid": "is not valid yet"
            case "unknown-authority": "is from an unknown authority"
            default: "is wrong (\(fault))"
            }
        return diagnosis(
            .acceptsWrongCertificate, first, "\(text(first)) came over a connection whose certificate \(what)")
    }

    /// Why packs differ from what the host serves, with one reason for each pack.
    var contentDiagnoses: [BugDiagnosis] {
        let rules = [
            mixed, nothingLeft, portal, framing, staleEnd, stale, wholeForRest, wrongPlace, unwritten, unchecked,
            short, untold,
        ]
        let found = spoiltPacks.compactMap { spoilt in rules.lazy.compactMap { $0(spoilt) }.first }
        if !found.isEmpty { return found }
        return [wrongRest ?? unhashed ?? hashedShort ?? nothingAskedFor].compactMap { $0 }
    }

    /// A client that left no file did not accept what came as the pack: only its success is wrong.
    private func nothingLeft(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        let came = Self.prefix(spoilt.tries)
        guard spoilt.isTaken, came < spoilt.pack.bytes, let last = spoilt.tries.last,
            conduct.files.contains(where: { $0.pack == spoilt.pack.pack && $0.bytes == nil })
        else { return nil }
        return diagnosis(
            .neverReportsError, last, at: came,
            "\(came) of \(spoilt.pack.bytes) B had arrived, \(text(last)) was \(answer(last)), and the client reported "
                + "success without a file")
    }

    private func portal(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        guard spoilt.isTaken || spoilt.isVisible, let last = spoilt.tries.last,
            last.hasFault("body") || last.hasFault("portal")
        else { return nil }
        return diagnosis(
            .followsCaptivePortal, last, at: 0,
            "\(text(last)) was answered with a page of \(last.bytes) B, and the client accepted it as the pack"
        )
    }

    /// The whole pack arrived, the file has only a part of it, and the client reported success.
    private func unwritten(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        guard conduct.isCommand, spoilt.isTaken, spoilt.isTruncated, !spoilt.isTamperedWith,
            let left = spoilt.leftBytes,
            let last = spoilt.tries.last, Self.prefix(spoilt.tries) >= spoilt.pack.bytes
        else { return nil }
        let name = conduct.name(of: spoilt.pack.pack)
        let what = "all \(spoilt.pack.bytes) B of '\(name)' arrived, but the file has only"
        // A client that was killed may write the rest to another file.
        if let kill = conduct.kills?.last, conduct.deviceFullSeconds == nil,
            left <= Self.prefix(spoilt.tries.filter { $0.beganSeconds < kill.seconds })
        {
            return diagnosis(
                .keepsPartialAsWhole, last, at: left,
                "\(what) \(left) B from before the kill, and the client reported success")
        }
        return diagnosis(.ignoresWriteErrors, last, at: left, "\(what) \(left) B, and the client reported success")
    }

    private func unchecked(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        guard !conduct.isCommand, spoilt.isTaken || spoilt.isVisible,
            let fetch = spoilt.tries.last(where: { $0.hasFault("corrupt") && $0.isOfPack }),
            let place = fetch.place(of: "corrupt"), Self.prefix(spoilt.tries) >= spoilt.pack.bytes,
            !spoilt.tries.contains(where: { $0.nanoseconds > fetch.nanoseconds && $0.range.contains(place) })
        else { return nil }
        let what = "\(text(fetch)) brought a wrong byte at \(place)"
        guard spoilt.isTaken else {
            return diagnosis(
                .unpacksBeforeChecking, fetch, at: place,
                what + ", and the pack is visible in the store, though no request received it")
        }
        let taken = (conduct.requests ?? []).filter { $0.isAvailable && $0.packs.contains(spoilt.pack.pack) }
        if let told = wrongContent(spoilt.pack, before: taken.compactMap(\.calledBackSeconds).min() ?? .infinity),
            told.seconds >= fetch.beganSeconds
        {
            return diagnosis(
                .unpacksBeforeChecking, fetch, at: place,
                what
                    + "; '\(told.outcome.id)' reported wrong content, and a later request used what it left as the pack"
            )
        }
        return diagnosis(.ignoresWrongHash, fetch, at: place, what + ", and the client reported the pack as available")
    }

    /// A pack that should have been an error only for its hash, and was accepted; no file of it shows the wrong byte.
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

    /// A short body that the client accepted as the whole until the hash did not match.
    ///
    /// A client that knows which bytes are missing requests them, and has no reason to report wrong content.
    private var hashedShort: BugDiagnosis? {
        for asked in askedPacks where !asked.isTamperedWith && asked.tries.allSatisfy({ $0.askedFrom == 0 }) {
            guard let told = wrongContent(asked.pack), unmet.contains(where: { $0.outcome.id == told.outcome.id }),
                let cut = asked.tries.last(where: { $0.beganSeconds <= told.seconds }), cut.isOfPack,
                isCutShort(cut), !cut.range.isEmpty, cut.range.upperBound < asked.pack.bytes
            else { continue }
            return diagnosis(
                .ignoresShortBody, cut, at: cut.range.upperBound,
                "\(text(cut)) ended at byte \(cut.range.upperBound) of \(asked.pack.bytes), and '\(told.outcome.id)' reported "
                    + "wrong content, as if the body were complete")
        }
        return nil
    }

    /// Whether the host or the link cut an answer.
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
        // A client that asked again or reported an error has noticed that the body was short.
        let isNoticed =
            spoilt.tries.contains { $0.nanoseconds < last.nanoseconds && $0.isOfPack && !$0.isWhole }
            || (conduct.requests ?? []).contains { request in
                !request.isAvailable && request.packs.contains(spoilt.pack.pack) && request.calledBackSeconds != nil
            }
        let what = "\(text(cut)) ended at byte \(cut.range.upperBound) of \(spoilt.pack.bytes)"
        if spoilt.isTaken, !isNoticed {
            if cut.end == .host || cut.hasFault("wrong-length") || isCutShort(cut) {
                return diagnosis(
                    .ignoresShortBody, cut, at: came, "\(what), and the client accepted this part as the whole pack")
            }
            // A client that ended the connection itself had another reason, such as a full disk.
            guard spoilt.isVisible else { return nil }
        }
        guard let left = spoilt.isVisible ? came : spoilt.leftBytes else { return nil }
        let file = left < spoilt.pack.bytes ? "these \(left) B were" : "a file of the full length was"
        return diagnosis(.keepsPartialAsWhole, cut, at: came, "\(what), and \(file) left where the whole pack belongs")
    }

    private func untold(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        guard spoilt.isTaken, let last = spoilt.tries.last, last.status.map({ $0 >= 400 }) ?? true,
            Self.prefix(spoilt.tries) < spoilt.pack.bytes
        else { return nil }
        return diagnosis(.neverReportsError, last, "\(text(last)) was \(answer(last)), and the client reported success")
    }

    /// Success although no request reached the host.
    private var nothingAskedFor: BugDiagnosis? {
        guard findings.contains(.contentIncomplete), conduct.fetches?.isEmpty == true, !conduct.tookOldEdition,
            conduct.firstConnectionSeconds == nil || !conduct.outages.isEmpty
        else { return nil }
        return BugDiagnosis(
            .neverReportsError, "nothing reached the host, and the client reported success",
            seconds: conduct.endedSeconds)
    }
}
