extension Symptoms {
    /// Why a pack differs from what the host serves, if an answer was framed, encoded or refused in an unusual way.
    func framing(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        guard spoilt.isTaken || spoilt.isVisible else { return nil }
        return wrapped(spoilt) ?? refused(spoilt) ?? multipart(spoilt) ?? encoded(spoilt) ?? chunked(spoilt)
    }

    /// A body that the client left where the lowest 32 bits of its length say that it ends, while the host paused
    /// there.
    private func wrapped(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        guard let last = spoilt.tries.last, let place = last.place(of: "wrapped-length"), !last.range.isEmpty,
            last.range.upperBound == place, place < spoilt.pack.bytes
        else { return nil }
        // The host may notice only later that the client has left, and end the connection itself.
        let isTakenBefore = (conduct.requests ?? []).contains { request in
            request.isAvailable && request.packs.contains(spoilt.pack.pack)
                && request.calledBackSeconds.map { $0 < last.endedSeconds } ?? false
        }
        guard isTakenBefore || last.end == .client && quiet(last) < Self.timeToLeave else { return nil }
        let rest = place - last.answeredFrom
        return diagnosis(
            .wrapsLengths, last, at: place,
            "the host announced \((1 << 32) + rest) B for \(text(last)), and the client accepted the first \(rest) B, the lowest 32 "
                + "bits of that number, as the whole pack")
    }

    /// The most seconds that a busy client may take from the last byte that it waits for to the end of its connection.
    ///
    /// It is less than any client's patience.
    private static let timeToLeave = 0.9

    private func refused(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        guard let last = spoilt.tries.last, last.status == 416 else { return nil }
        if let left = spoilt.leftBytes, left > spoilt.pack.bytes, left == last.askedFrom {
            return diagnosis(
                .takes416ForSuccess, last, at: spoilt.pack.bytes,
                "\(text(last)) requested from byte \(left) on and was \(answer(last)), because the pack has \(spoilt.pack.bytes) B; "
                    + "the client accepted the \(left) B of a longer version as the pack")
        }
        let came = Self.prefix(spoilt.tries)
        guard last.hasFault("refuse-range"), came < spoilt.pack.bytes else { return nil }
        return diagnosis(
            .takes416ForSuccess, last, at: came,
            "\(text(last)) requested from byte \(last.askedFrom ?? came) on and was \(answer(last)), and the client "
                + "accepted its \(came) B of \(spoilt.pack.bytes) as the whole pack")
    }

    private func multipart(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        guard let fetch = spoilt.tries.last(where: { $0.hasFault("multipart") && !$0.range.isEmpty }),
            isInWrong(spoilt, from: fetch.answeredFrom)
        else { return nil }
        return diagnosis(
            .takesMultipartForPart, fetch, at: spoilt.wrongByte ?? fetch.answeredFrom,
            "\(text(fetch)) was answered 206 with a body of type multipart/byteranges, and the client kept its boundaries as "
                + "bytes of the pack")
    }

    private func encoded(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        guard let last = spoilt.tries.last, let coding = last.fault("encoding")?.dropFirst("encoding=".count),
            !last.range.isEmpty, isInWrong(spoilt, from: 0)
        else { return nil }
        return diagnosis(
            .keepsEncodedBytes, last, at: spoilt.wrongByte ?? 0,
            "\(text(last)) was answered \(last.status ?? 0) with Content-Encoding: \(coding), and the client kept the "
                + "body without decoding it")
    }

    private func chunked(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        guard let fetch = spoilt.tries.first(where: { Self.isChunked($0) && !$0.range.isEmpty }),
            isInWrong(spoilt, from: fetch.answeredFrom),
            Self.prefix(spoilt.tries) >= spoilt.pack.bytes || hasCountedLines(fetch, spoilt)
        else { return nil }
        return diagnosis(
            .keepsChunkSizes, fetch, at: spoilt.wrongByte ?? fetch.answeredFrom,
            "\(text(fetch)) was answered in chunks, and the client kept the chunk sizes as bytes of the pack")
    }

    /// Whether a later request starts behind the bytes that arrived, by no more than lines between chunks may have.
    private func hasCountedLines(_ fetch: ConductRecord.Fetch, _ spoilt: SpoiltPack) -> Bool {
        spoilt.tries.contains { next in
            let lines = (next.askedFrom ?? 0) - fetch.range.upperBound
            return next.number > fetch.number && lines > 0 && lines < 64
        }
    }

    /// Whether a pack is wrong within 16 bytes from `byte` on, and not only short; a chunk's first line is no longer.
    private func isInWrong(_ spoilt: SpoiltPack, from byte: Int64) -> Bool {
        if spoilt.isTruncated { return false }
        return spoilt.wrongByte.map { (byte...(byte + 16)).contains($0) } ?? spoilt.isVisible
    }

    private static func isChunked(_ fetch: ConductRecord.Fetch) -> Bool {
        ["framing=chunked", "framing=trailers"].contains { fetch.fault("framing") == $0 }
    }

    /// A body of unknown length that the client left before its end.
    func leftUnknownLength(_ outcome: RequestOutcome, _ expectation: Expectation) -> BugDiagnosis? {
        guard case .available = expectation, outcome.result == .error, outcome.errorClass != .storage,
            let last = (conduct.fetches ?? []).last, last.hasFault("framing"), last.status == 200 || last.status == 206,
            last.end == .client, !last.isWhole, conduct.outages.isEmpty,
            last.faults.allSatisfy({ $0.hasPrefix("framing") }),
            last.endedSeconds - last.beganSeconds < 0.9 * conduct.patienceSeconds
        else { return nil }
        return diagnosis(
            .needsContentLength, last,
            "\(text(last)) was \(answer(last)) without Content-Length, and the client ended it after \(last.bytes) B"
        )
    }
}
