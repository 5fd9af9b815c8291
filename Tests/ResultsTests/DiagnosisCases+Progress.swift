@testable import Results

extension DiagnosisCase {
    /// Reports of progress where a download is cut, or fails.
    static let bars: [DiagnosisCase] = [
        failing(
            "is complete at nearly all of it, and fails", .progressJumpsEarly,
            ahead: .init(seconds: 0.45, fraction: 1, share: 0.97, fractionBefore: 0.84, shareBefore: 0.85)),
        failing(
            "counts twice up to all of it, and fails", .progressCountsTwice,
            ahead: .init(seconds: 0.3, fraction: 1, share: 0.55, fractionBefore: 0.98, shareBefore: 0.53)),
        DiagnosisCase("never tells that it is complete", budgets: ["progress: ends at 1"]) {
            $0.fetch(.part(1))
            $0.end(.available) { $0.progress = .init(reports: 9, most: 0.999) }
            $0.samples.set(.progressEndsAtOne, 0)
        },
        DiagnosisCase("tells nothing after a cut", .progressStandsStill, budgets: ["progress: honest within 30%"]) {
            $0.fetch(cut, .part(2, from: 40_000, bytes: 60_000))
            $0.end(.available) { $0.progress = still }
            $0.samples.set(.progressDeviation, 0.6)
            $0.samples.set(.redundantBytes, 0)
        },
        DiagnosisCase(
            "stands while it fetches again what it had", .noResume,
            budgets: ["progress: honest within 30%", "redundant_bytes: max <= 1 kB"]
        ) {
            $0.fetch(cut, .part(2))
            $0.end(.available) {
                $0.progress = still
                $0.progress?.standstill?.share = 0.5
            }
            $0.samples.set(.progressDeviation, 0.4)
            $0.samples.set(.redundantBytes, 40_000)
            $0.enlarge()
        },
    ]

    /// Progress that was complete before its download failed.
    private static func failing(_ name: String, _ bug: ClientBug, ahead: ConductRecord.Report) -> DiagnosisCase {
        DiagnosisCase(name, bug, expect: "error", budgets: ["progress: ends at 1"]) {
            $0.fetch(.part(1, bytes: 98_000, end: .client))
            $0.end(.error, at: 2, code: -1005) { $0.progress = .init(reports: 9, most: 1, ahead: ahead) }
            $0.samples.set(.progressEndsAtOne, 0)
        }
    }

    private static let cut = ConductRecord.Fetch.part(1, bytes: 40_000, end: .host, faults: ["cut@40000"])

    private static let still = ConductRecord.Progress(
        reports: 9, most: 1, behind: .init(seconds: 1.5, fraction: 0.4, share: 1),
        standstill: .init(from: 0.5, until: 1.5, fraction: 0.4, share: 0.6))
}
