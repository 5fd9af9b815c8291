extension Symptoms {
    /// Bugs with redirects, which also explain what follows from them.
    var redirectDiagnoses: [BugDiagnosis] {
        [leakedCredentials, downgrade, droppedRange, endlessRedirects, ignoredRedirect].compactMap { $0 }
    }

    private var leakedCredentials: BugDiagnosis? {
        guard findings.contains(.redirectUnsafe), let leak = conduct.leakedCredentials else { return nil }
        return diagnosis(
            .leaksCredentials, leak.next,
            "\(text(leak.redirected)) was redirected from \(leak.redirected.origin ?? "") to \(leak.next.origin ?? ""), and "
                + "\(text(leak.next)) sent \(leak.credentials) there")
    }

    private var downgrade: BugDiagnosis? {
        guard findings.contains(.redirectUnsafe), let downgrade = conduct.downgrade else { return nil }
        return diagnosis(
            .downgradesToHTTP, downgrade.next,
            "\(text(downgrade.redirected)) was redirected from \(downgrade.redirected.origin ?? "") to "
                + "\(downgrade.next.origin ?? ""), and \(text(downgrade.next)) followed")
    }

    /// A request for the rest that was redirected, and requested everything at the new URL.
    private var droppedRange: BugDiagnosis? {
        guard isBroken("refetched", "redundant_bytes", "retries", "requests", "bytes_on_wire") || isUnmet else {
            return nil
        }
        for tries in conduct.tries {
            for (redirected, next) in zip(tries, tries.dropFirst()) {
                guard redirected.isRedirect, let asked = redirected.askedFrom, asked > 0, next.askedFrom == 0,
                    !isPaused(redirected, next), !isOfOtherPart(next, asked, among: tries)
                else { continue }
                return diagnosis(
                    .dropsRangeOnRedirect, next, at: asked,
                    "\(text(redirected)) requested from byte \(asked) on and was \(answer(redirected)), and \(text(next)) requested "
                        + "everything from byte 0 on at the new URL")
            }
        }
        return nil
    }

    /// Whether `next`, which starts at the first byte, fetches another part and does not follow the request from
    /// `asked` on.
    private func isOfOtherPart(
        _ next: ConductRecord.Fetch, _ asked: Int64, among tries: [ConductRecord.Fetch]
    ) -> Bool {
        let starts = tries.filter { $0.askedFrom == 0 && $0.number < next.number }
        let isLedHere = starts.last.map { $0.isRedirect && $0.number < next.number } ?? false
        return isLedHere || tries.contains { $0.number > next.number && $0.askedFrom == asked }
    }

    private var isUnmet: Bool {
        !unmet.isEmpty || findings.contains(.contentWrong) || findings.contains(.contentIncomplete)
    }

    /// More redirects in a row than any known limit allows: the highest is curl's, 50.
    private static let mostRedirects = 60

    /// Redirects that were followed in a row without a pause, more than any limit allows.
    private var endlessRedirects: BugDiagnosis? {
        guard isUnmet || isBroken("requests", "retries") else { return nil }
        for tries in conduct.tries {
            guard let run = runs(tries).first(where: { $0.count > Self.mostRedirects }),
                let first = run.first, let last = run.last
            else { continue }
            return diagnosis(
                .followsRedirectsForever, last,
                "the client followed \(run.count) redirects in a row in \(text(last.endedSeconds - first.beganSeconds)), from "
                    + "\(text(first)) to \(text(last))")
        }
        return nil
    }

    /// The runs of redirects that were each followed at once.
    private func runs(_ tries: [ConductRecord.Fetch]) -> [[ConductRecord.Fetch]] {
        var runs: [[ConductRecord.Fetch]] = []
        var run: [ConductRecord.Fetch] = []
        for fetch in tries {
            if let last = run.last, !fetch.isRedirect || isPaused(last, fetch) {
                runs.append(run)
                run = []
            }
            if fetch.isRedirect { run.append(fetch) }
        }
        return runs + [run]
    }

    /// Whether the client waited between two requests, as before a retry, instead of just following a redirect.
    private func isPaused(_ last: ConductRecord.Fetch, _ next: ConductRecord.Fetch) -> Bool {
        next.beganSeconds - last.endedSeconds > 0.5 + attempt.pauseSlackSeconds
    }

    /// Whether the next request for the pack came at once; a request that follows a redirect is no retry.
    func isFollowedAtOnce(_ fetch: ConductRecord.Fetch) -> Bool {
        conduct.fetches?.first { $0.pack == fetch.pack && $0.number == fetch.number + 1 }
            .map { !isPaused(fetch, $0) } ?? false
    }

    /// A redirect at which a download ended without a good reason.
    private var ignoredRedirect: BugDiagnosis? {
        for tries in conduct.tries {
            guard let last = tries.last, last.isRedirect, let fault = last.fault("redirect") else { continue }
            // A client may refuse a long chain of redirects, or one to an unsafe place.
            let isWelcome =
                !fault.contains(" plain-http")
                && runs(tries).last.map { $0.count <= Self.leastFollowed } ?? false
            guard isTaken(last) || isWelcome && isEnd(last) else { continue }
            return diagnosis(
                .ignoresRedirect, last,
                "\(text(last)) was answered \(last.status ?? 0), and the client never requested its target")
        }
        return nil
    }

    /// The number of redirects in a row that every client follows: RFC 2068 section 10.3 says five.
    private static let leastFollowed = 5

    /// Whether the client accepted the body of a redirect as the pack.
    private func isTaken(_ last: ConductRecord.Fetch) -> Bool {
        (findings.contains(.contentWrong) || findings.contains(.contentIncomplete))
            && askedPacks.contains { $0.pack.pack == last.pack && $0.isTaken }
    }

    /// Whether a redirect led to an error instead of the pack.
    private func isEnd(_ last: ConductRecord.Fetch) -> Bool {
        unmet.contains { outcome, expectation in
            guard case .available = expectation, outcome.result == .error else { return false }
            return end(of: outcome) >= last.beganSeconds
                && (conduct.isCommand
                    || conduct.requests?.contains { $0.id == outcome.id && $0.packs.contains(last.pack) } == true)
        }
    }
}
