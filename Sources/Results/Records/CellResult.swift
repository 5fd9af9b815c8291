/// A cell with its attempts, judged.
package struct CellResult: Hashable, Sendable, Codable {
    /// One axis of the matrix and the cell's place on it.
    package struct Coordinate: Hashable, Sendable, Codable {
        package var axis: String
        package var value: String

        package init(axis: String, value: String) {
            self.axis = axis
            self.value = value
        }
    }

    /// The scenario's name.
    package var scenario: String
    /// The scenario's title, with the cell's place in the matrix; nil in results of older versions.
    package var title: String?
    /// The cell's place in the matrix; empty without one.
    package var point: [Coordinate]
    /// What shaped the link, and how that matches what was asked for.
    package var link: LinkFacts
    /// What was at the other end of the link; nil for Headwind's own host, and in results of older versions.
    package var farSide: FarSide?
    /// What stood for the device's storage; nil if nothing did, and in results of older versions.
    package var storage: StorageFacts?
    /// The part of asset catalogs that the device used, such as `iphone 3x`; nil if it used everything.
    package var slice: String?
    /// Its number among all cells of a divided run, from 0; nil if the run is whole.
    package var place: Int?
    /// The place of the scenario in its file; nil in results of older versions.
    package var source: SourcePlace?
    /// The SHA-256 of the scenario's text at this point of its matrix, in hexadecimal digits; nil in results of older
    /// versions.
    package var textDigest: String?
    /// The program that was tested instead of headwind-client; nil if none was, and in results of older versions.
    package var client: String?
    /// Which of the cell's attempts these are; nil if they are all.
    package var share: AttemptShare?
    /// The conditions in which it was measured; nil in results of older versions.
    package var fingerprint: Fingerprint?
    /// The baseline that it was compared with; nil if there was none.
    package var baseline: BaselineFacts?
    package var plannedAttempts: Int
    package var maximumAttempts: Int
    package var attempts: [AttemptRecord]
    package var checks: [CheckResult]
    package var findings: [Finding]
    /// The bugs that explain the failures of the attempts, the most specific of each attempt first; nil if there are
    /// none.
    package var diagnoses: [BugDiagnosis]?
    package var verdict: Verdict
    package var exitCode: Int32
    /// RFC 3339, in UTC.
    package var startedAt: String
    package var durationSeconds: Double
    /// The quarantine of the whole scenario, even if it is over; nil if there is none.
    package var quarantine: Quarantine?
    /// Why its verdict decides nothing about the run; nil if it decides.
    package var gating: CheckResult.Leniency?
    /// The infrastructure trouble that ended a first try; nil if this is the first, and in results of older versions.
    package var retriedInfrastructure: String?
    /// The folder with all that reproduces a failure, relative to the results; nil if there is none.
    package var bundle: String?
    /// The command that reproduces the failure on this machine; nil if there is no bundle.
    package var replayCommand: String?
    package var notes: [String]

    private enum CodingKeys: String, SnakeCaseKey {
        case scenario, title, point, place, link, storage, slice, source, client, fingerprint, baseline, attempts,
            checks, findings, diagnoses, verdict, bundle, notes, quarantine, gating, share
        case textDigest = "text_sha256"
        case retriedInfrastructure, farSide, replayCommand, plannedAttempts, maximumAttempts, exitCode, startedAt,
            durationSeconds
    }
}

extension CellResult {
    /// Judges the attempts by a plan, and keeps everything except the output of clients that did what was expected.
    package init(
        scenario: String,
        title: String? = nil,
        point: [Coordinate] = [],
        link: LinkFacts,
        storage: StorageFacts? = nil,
        slice: String? = nil,
        plan: CellPlan,
        attempts: [AttemptRecord],
        findings: [Finding] = [],
        startedAt: String,
        durationSeconds: Double,
        notes: [String] = []
    ) {
        let judgement = plan.judge(attempts, findings: findings)
        let broken = Set(judgement.checks.flatMap(\.brokenIn) + judgement.findings.compactMap(\.attempt))
        let kept = attempts.changingEach { attempt in
            if !broken.contains(attempt.number), attempt.allFindings.isEmpty { attempt.clientOutput = nil }
        }
        let raised = plan.raised(to: attempts.count { $0.counts })
        self.init(
            scenario: scenario, title: title, point: point, link: link, storage: storage, slice: slice,
            plannedAttempts: plan.attempts, maximumAttempts: plan.maximumAttempts, attempts: kept,
            checks: judgement.checks, findings: judgement.findings,
            diagnoses: judgement.diagnoses.isEmpty ? nil : judgement.diagnoses, verdict: judgement.verdict,
            exitCode: judgement.exitCode, startedAt: startedAt, durationSeconds: durationSeconds,
            quarantine: plan.quarantine,
            notes: notes + [raised].compactMap { $0 }.filter { !notes.contains($0) })
        if let quarantine, !quarantine.isOver(on: plan.day) { gating = .quarantined }
    }

    /// The cell's name in every file of a run: `level 2 [link.profile=3g, attempts=5]`.
    package var name: String {
        guard !point.isEmpty else { return scenario }
        return "\(scenario) [\(point.map { "\($0.axis)=\($0.value)" }.joined(separator: ", "))]"
    }

    /// Whether its verdict affects the run's verdict.
    ///
    /// In quarantine it does not, except for infrastructure trouble, which says nothing about the client.
    package var decides: Bool { gating == nil || verdict == .infrastructure }

    /// Its verdict and exit code, and whether they count.
    var outcome: CellTally.Outcome { .init(verdict: verdict, exitCode: exitCode, decides: decides) }

    /// How many of its checks did not pass, but decide nothing.
    package var lenientChecks: Int { checks.count { $0.verdict != .pass && !($0.decides && decides) } }

    /// The attempts that were judged, without those of a baseline.
    package var countedAttempts: [AttemptRecord] { attempts.filter(\.isJudged) }
}
