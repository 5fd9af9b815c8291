extension Symptoms {
    /// Why progress is not what it should be.
    var progressDiagnosis: BugDiagnosis? {
        guard isBroken("progress", "time_to_first_progress") else { return nil }
        for request in conduct.requests ?? [] {
            guard let progress = request.progress else { continue }
            let found =
                ahead(request, progress) ?? fall(request, progress) ?? complete(request, progress)
                ?? behind(request, progress)
            if let found { return found }
        }
        return nil
    }

    /// A share that is nobody's imprecision.
    private static let clear = 0.08

    private func ahead(_ request: ConductRecord.Request, _ progress: ConductRecord.Progress) -> BugDiagnosis? {
        guard let report = progress.ahead, let share = report.share, report.fraction - share > Self.clear else {
            guard let most = progress.most, most > 1.001 else { return nil }
            return BugDiagnosis(.progressCountsTwice, "'\(request.id)' told a progress of \(text(share: most))")
        }
        let excess = report.fraction - share
        let before = report.fractionBefore - (report.shareBefore ?? 0)
        // A part that is counted again when a download goes on comes all at once, too.
        let isResumed = (conduct.fetches ?? []).contains { fetch in
            (fetch.askedFrom ?? 0) > 0 && (report.seconds - 1...report.seconds).contains(fetch.beganSeconds)
        }
        let isLeap = report.fraction >= 0.99 && before < 0.5 * excess && !isResumed && progress.most ?? 0 <= 1.001
        return BugDiagnosis(
            isLeap ? .progressJumpsEarly : .progressCountsTwice,
            "'\(request.id)' told \(text(share: report.fraction)) when \(text(share: share)) had arrived"
                + (isLeap ? ", and \(text(share: report.fractionBefore)) just before" : ""),
            seconds: report.seconds, nanoseconds: report.nanoseconds)
    }

    private func fall(_ request: ConductRecord.Request, _ progress: ConductRecord.Progress) -> BugDiagnosis? {
        guard let report = progress.fall else { return nil }
        return BugDiagnosis(
            .progressGoesBack,
            "'\(request.id)' told \(text(share: report.fraction)) after \(text(share: report.fractionBefore))",
            seconds: report.seconds, nanoseconds: report.nanoseconds)
    }

    /// All of it, of what was never all there.
    ///
    /// What is left to come then may be less than anybody's imprecision.
    private func complete(_ request: ConductRecord.Request, _ progress: ConductRecord.Progress) -> BugDiagnosis? {
        guard isBroken("progress.ends"), !conduct.isCommand, !request.isAvailable,
            let callback = request.calledBackSeconds, let most = progress.most, most >= 1
        else { return nil }
        return BugDiagnosis(
            .progressJumpsEarly, "'\(request.id)' told a progress of \(text(share: most)), and ended in an error",
            seconds: callback, nanoseconds: conduct.nanoseconds(at: callback))
    }

    private func behind(_ request: ConductRecord.Request, _ progress: ConductRecord.Progress) -> BugDiagnosis? {
        // Bytes that come again are no progress.
        guard let still = progress.standstill, still.share - shareFetchedTwice(request) > 2 * Self.clear else {
            return nil
        }
        return BugDiagnosis(
            .progressStandsStill,
            "'\(request.id)' told \(text(share: still.fraction)) for \(text(still.untilSeconds - still.fromSeconds)), in which "
                + "\(text(share: still.share)) of the bytes came",
            seconds: still.fromSeconds, nanoseconds: nil)
    }

    /// Bytes that came more than once, of all that a request asks for.
    private func shareFetchedTwice(_ request: ConductRecord.Request) -> Double {
        let packs = (conduct.packs ?? []).filter { request.packs.isEmpty || request.packs.contains($0.pack) }
        let bytes = packs.map(\.bytes).reduce(0, +)
        return bytes > 0 ? (attempt.samples[.redundantBytes].value ?? 0) / Double(bytes) : 0
    }

    private func text(share: Double) -> String { Quantity(share, .ratio).rounded() }
}
