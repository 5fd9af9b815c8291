import Testing

@testable import Results

/// Which failures of a cell a bug explains.
@Suite struct CellFailureTests {
    /// A cell in which `level` and `other` failed, with the given failed checks, diagnoses and findings.
    private static func cell(
        _ broken: [(name: String, attempts: [Int])], _ diagnoses: [BugDiagnosis], found: [Finding] = []
    ) -> CellResult {
        var conduct = ConductRecord(startedNanoseconds: 0, endedSeconds: 5)
        conduct.requests = [
            .init("level", began: 0, calledBack: 1, isAvailable: false, packs: ["p1"]),
            .init("other", began: 0, calledBack: 1, isAvailable: false, packs: ["p2"]),
        ]
        let attempts = [1, 2].map { AttemptRecord(number: $0, seed: Seed(1), conduct: conduct) }
        var cell = CellResult(
            scenario: "a", link: LinkFacts(profile: "3g", backend: "proxy", fidelity: "modelled"),
            plan: CellPlan(expectations: [], budgets: [], attempts: 2, maximumAttempts: 2), attempts: attempts,
            startedAt: "", durationSeconds: 1)
        cell.checks = broken.map { name, attempts in
            CheckResult(
                kind: .expectation, name: name, asked: "", verdict: .fail, sentence: "it did not", brokenIn: attempts)
        }
        (cell.verdict, cell.findings, cell.diagnoses) = (.fail, found, diagnoses)
        return cell
    }

    private static func told(_ cell: CellResult) -> [String] {
        cell.failures.map { failure in
            let name = failure.diagnosis?.bug.rawValue ?? "none"
            return "\(name): "
                + (failure.checks.map(\.name) + failure.findings.map(\.attribution.rawValue)).joined(separator: " ")
        }
    }

    private static func bug(_ bug: ClientBug, attempt: Int = 1, pack: String? = nil) -> BugDiagnosis {
        BugDiagnosis(bug, attempt: attempt, "it did", pack: pack)
    }

    @Test("each bug is listed with the checks that it explains, and with no others")
    func eachUnderItsOwn() {
        let cell = Self.cell(
            [("available", [1]), ("ends", [1]), ("after-cancel", [1]), ("back-off", [1])],
            [Self.bug(.noResume), Self.bug(.retriesWithoutBackOff), Self.bug(.leaksPins)])
        #expect(
            Self.told(cell) == [
                "no_resume: available", "retries_without_back_off: back-off", "leaks_pins: ends", "none: after-cancel",
            ])
        #expect(cell.failures.last?.cause == .check(.expectation, "after-cancel"))
    }

    @Test("a bug with one request's pack does not explain another request")
    func ofItsRequest() {
        let cell = Self.cell(
            [("level.available", [1]), ("other.available", [1])], [Self.bug(.takes200For206, pack: "p2")])
        #expect(Self.told(cell) == ["takes_200_for_206: other.available", "none: level.available"])
    }

    @Test("of two bugs that explain the same attempt the first is named; of two attempts, both")
    func nearerToTheCause() {
        let both = [Self.bug(.keepsStaleBytes), Self.bug(.noResume)]
        #expect(Self.told(Self.cell([("available", [1])], both)) == ["keeps_stale_bytes: available"])
        let apart = [Self.bug(.keepsStaleBytes), Self.bug(.noResume, attempt: 2)]
        #expect(
            Self.told(Self.cell([("available", [1, 2])], apart)) == [
                "keeps_stale_bytes: available", "no_resume: available",
            ])
    }

    @Test("no bug explains a crash, and an exit status counts less than a check")
    func findings() {
        let crash = Finding(.clientCrashed, "signal 11", attempt: 1)
        let failed = Finding(.clientFailed, "exit 3", attempt: 1)
        let crashed = Self.cell([("available", [1])], [Self.bug(.noTimeout)], found: [failed, crash])
        #expect(Self.told(crashed) == ["no_timeout: available client_failed", "none: client_crashed"])
        let unexplained = Self.cell([("available", [1])], [], found: [failed])
        #expect(unexplained.failures.map(\.cause) == [.check(.expectation, "available")])
        #expect(
            Self.cell([("available", [1])], [], found: [failed, crash]).failures.map(\.cause) == [
                .finding(.clientCrashed)
            ])
    }

    @Test("a bug that explains no check is a failure of its own, and a cell without failure has none")
    func nothingIsLost() {
        var cell = Self.cell([("available", [1])], [Self.bug(.noResume), Self.bug(.memoryGrows)])
        #expect(Self.told(cell) == ["no_resume: available", "memory_grows: "])
        cell.verdict = .inconclusive
        #expect(cell.failures.isEmpty)
    }
}
