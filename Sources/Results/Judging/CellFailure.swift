import Wording

/// The checks and findings of a cell that failed for one reason.
package struct CellFailure: Hashable, Sendable {
    /// The reason of a failure, which is reported first, and by which failures of several cells are grouped.
    package enum Cause: Hashable, Sendable {
        /// A named bug.
        case bug(ClientBug)
        /// A finding that no named bug explains.
        case finding(Attribution)
        /// A check of this kind and name that no named bug explains.
        case check(CheckResult.Kind, String)
    }

    package var cause: Cause
    /// The evidence for the bug; nil if no bug explains the failure.
    package var diagnosis: BugDiagnosis?
    /// The number of attempts that show the bug.
    package var attempts = 0
    /// The checks that failed for this reason, those that decide first.
    package var checks: [CheckResult] = []
    /// The findings about the client for this reason.
    package var findings: [Finding] = []
}

extension CellFailure.Cause {
    /// The most characters of ``conclusion``.
    package static let mostCharacters = 100

    /// What is wrong, as one sentence of at most ``mostCharacters``.
    package var conclusion: String {
        switch self {
        case .bug(let bug): bug.row.sentence
        case .finding(let attribution): attribution.row.sentence
        case .check(.budget, let name): Self.sentence("It breaks a budget", name)
        case .check(.expectation, let name): Self.sentence("It does not meet an expectation", name)
        }
    }

    /// Names of requests are the user's choice, and may have any length.
    private static func sentence(_ text: String, _ name: String) -> String {
        let room = mostCharacters - text.count - 3
        let name = name.singleLine
        return "\(text): \(name.count > room ? name.prefix(room - 1) + "…" : name)."
    }
}

extension CellResult {
    /// The failures of the cell, one for each bug that explains some, in the order of the diagnoses.
    ///
    /// Everything that no bug explains is one failure, the last. In each attempt, a check or finding belongs to the
    /// first diagnosis that can explain it. Empty unless the cell failed.
    package var failures: [CellFailure] {
        guard verdict == .fail else { return [] }
        let known = diagnoses ?? []
        let failed = checks.filter { $0.verdict == .fail }
        let decided = failed.filter(\.decides) + failed.filter { !$0.decides }
        let found = findings.filter { $0.attribution.row.subject == .client }
        var failures = known.grouped(by: \.bug).map { same in
            CellFailure(cause: .bug(same[0].bug), diagnosis: same[0], attempts: Set(same.map(\.attempt)).count)
        }
        var rest = CellFailure(cause: .check(.expectation, ""))
        // If two bugs explain the same in one attempt, only the first is reported, which is nearer to the cause.
        var isOutdone: Set<ClientBug> = []
        func place(_ candidates: [BugDiagnosis], _ add: (inout CellFailure) -> Void) {
            var explained: Set<Int> = []
            var bugs: Set<ClientBug> = []
            for candidate in candidates {
                if explained.insert(candidate.attempt).inserted {
                    bugs.insert(candidate.bug)
                } else {
                    isOutdone.insert(candidate.bug)
                }
            }
            if bugs.isEmpty { add(&rest) }
            for index in failures.indices where failures[index].diagnosis.map({ bugs.contains($0.bug) }) == true {
                add(&failures[index])
            }
        }
        for check in decided { place(known.filter { explains($0, check) }) { $0.checks.append(check) } }
        for finding in found {
            place(known.filter { $0.attempt == finding.attempt && $0.bug.explains(finding.attribution) }) {
                $0.findings.append(finding)
            }
        }
        failures.removeAll { failure in
            failure.checks.isEmpty && failure.findings.isEmpty
                && failure.diagnosis.map { isOutdone.contains($0.bug) } == true
        }
        // An unexpected exit status says less than a check that failed because of it.
        let first = rest.findings.first { $0.attribution != .clientFailed }.map {
            CellFailure.Cause.finding($0.attribution)
        }
        let cause =
            first ?? rest.checks.first.map { .check($0.kind, $0.name) }
            ?? rest.findings.first.map { .finding($0.attribution) }
        if let cause {
            rest.cause = cause
            failures.append(rest)
        }
        return failures
    }

    private func explains(_ diagnosis: BugDiagnosis, _ check: CheckResult) -> Bool {
        guard check.brokenIn.isEmpty || check.brokenIn.contains(diagnosis.attempt), diagnosis.bug.explains(check)
        else { return false }
        // A check of one request has a name such as `circle.error`; a pack of another request says nothing about it.
        guard check.kind == .expectation, let pack = diagnosis.pack, let dot = check.name.lastIndex(of: ".") else {
            return true
        }
        let conduct = attempts.first { $0.number == diagnosis.attempt }?.conduct
        guard let request = conduct?.requests?.first(where: { $0.id == check.name[..<dot] }) else { return true }
        return request.packs.isEmpty || request.packs.contains(pack)
    }
}

extension ClientBug {
    /// Whether the bug can be the reason why this check fails.
    fileprivate func explains(_ check: CheckResult) -> Bool {
        let word = check.kind == .expectation ? ConductExpectation.Word(rawValue: check.name) : nil
        switch (word, check.evidence?.metric) {
        case (.callback?, _): return self == .callsBackTwice || self == .neverReportsError
        case (.ends?, _): return self == .leaksPins
        case (.afterCancel?, _): return self == .ignoresCancel
        case (.order?, _): return self == .ignoresPriority
        case (.keeps?, _): return [.harmsOtherFiles, .losesOldEdition, .widensPermissions].contains(self)
        case (.leftovers?, _): return self == .leavesFilesBehind
        case (_, .redundantBytes?) where self == .downloadsTwice: return true
        case (.backOff?, _): return [.ignoresRetryAfter, .retriesWithoutBackOff, .retriesForever].contains(self)
        case (_, .memoryPeak?): return self == .memoryGrows
        case (_, .cpuTime?): return self == .busyWaits
        case (_, .connections?): return self == .floodsConnections
        case (_, .progressLongestGap?), (_, .progressLastUpdateShare?), (_, .progressMonotonic?),
            (_, .progressEndsAtOne?), (_, .progressDeviation?), (_, .timeToFirstProgress?):
            return isOfProgress
        default: return !isOfProgress && !isOfOneCheck
        }
    }

    /// Whether the bug can be the reason for this finding.
    fileprivate func explains(_ finding: Attribution) -> Bool {
        switch finding {
        case .callbackRepeated: self == .callsBackTwice
        case .requestMisused: self == .leaksPins || self == .callsBackTwice
        case .clientCrashed, .clientFlooded: false
        case .clientHung, .clientFailed, .contentWrong, .contentIncomplete, .redirectUnsafe, .clientNotStarted,
            .clientMisused, .faultNotPlayed, .metricMissing, .nothingChecked, .linkBypassed, .baselineFailed,
            .clientKilled, .eventsMissing, .eventsCut, .cellDied, .hostDied, .hostFailed, .linkDied, .staleServer,
            .fasterThanIdeal, .rateOff, .delayOff, .lossOff, .linkUnverified, .bytesDisagree, .attemptLost,
            .clockStepped, .machineNoisy, .resultsDiskFull, .resultsNotWritten, .scratchDiskFull, .resourcesMissing,
            .unfinished, .deadlineReached, .baselineMissing, .baselineUnlike, .capabilityMissing,
            .calibrationNotIndependent, .harnessFailed, .interrupted, .terminated:
            !isOfProgress && !isOfOneCheck
        }
    }

    /// Whether the bug explains only the check that looks for it.
    private var isOfOneCheck: Bool {
        [
            .memoryGrows, .floodsConnections, .downloadsTwice, .leaksPins, .callsBackTwice, .harmsOtherFiles,
            .losesOldEdition, .leavesFilesBehind, .widensPermissions, .busyWaits,
        ].contains(self)
    }

    private var isOfProgress: Bool {
        [.progressJumpsEarly, .progressGoesBack, .progressStandsStill, .progressCountsTwice].contains(self)
    }
}
