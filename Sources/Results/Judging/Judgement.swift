/// The judgement of a cell: its verdict, with everything that decided it.
package struct Judgement: Hashable, Sendable {
    package var checks: [CheckResult]
    /// The findings of the cell and of its counted attempts.
    package var findings: [Finding]
    package var verdict: Verdict
    package var exitCode: Int32
    /// The bugs that explain the failures.
    package var diagnoses: [BugDiagnosis] = []
}
