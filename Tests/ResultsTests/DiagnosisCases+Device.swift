@testable import Results

extension DiagnosisCase {
    /// The handling of packs, memory and order.
    static let device: [DiagnosisCase] = [
        DiagnosisCase("does not end", .leaksPins, words: [.endsBalanced]) {
            $0.fetch(.part(1))
            $0.end(.available) { $0.isToEnd = true }
        },
        DiagnosisCase("ends, and keeps it pinned", .leaksPins) {
            $0.fetch(.part(1))
            $0.end(.available, id: "a", at: 1) { ($0.isToEnd, $0.isEnded) = (true, true) }
            $0.end(.error, id: "b", at: 2, code: 4993, class: .storage, packs: ["q"])
            $0.conduct?.leftInUseBytes = 100_000
        },
        DiagnosisCase("removes what is in use", .deletesGoodPacks, words: [.stored(["level", "q"])]) {
            $0.fetch(.part(1), .part(1, of: "q", at: 1))
            $0.end(.available, id: "a", at: 1)
            $0.end(.available, id: "b", at: 2, packs: ["q"])
            $0.conduct?.purges = [.init("p", nanoseconds: 2_000_000_000, isInUse: true)]
            $0.conduct?.stored = [.init("q")]
            $0.conduct?.toBeStored = [.init("p", name: "level"), .init("q")]
        },
        DiagnosisCase("removes without a word where it is full", .deletesGoodPacks, words: [.stored(["level"])]) {
            $0.fetch(.part(1), .part(1, of: "q", at: 1))
            $0.conduct?.packs?[0].storedSeconds = 0.5
            $0.end(.available, id: "a", at: 1)
            $0.end(.error, id: "b", at: 2, code: 4992, class: .storage, packs: ["q"])
            ($0.requests[1].result, $0.requests[1].id) = (.error, "b")
            $0.conduct?.stored = []
            $0.conduct?.toBeStored = [.init("p", name: "level")]
        },
        DiagnosisCase("loses what was completed", .losesCompletedPacks, words: [.refetched(mostBytes: 0)]) {
            $0.fetch(.part(1), .part(1, of: "q", bytes: 14, status: 404, at: 1), .part(2, at: 3))
            $0.conduct?.packs?[0].storedSeconds = 0.5
            $0.samples.set(.redundantBytes, 100_000)
            $0.end(.error, id: "a", at: 2, code: -1008, packs: ["p", "q"])
            $0.end(.available, id: "b", at: 4)
        },
        DiagnosisCase("asks after a cancel", .ignoresCancel, expect: "error", words: [.afterCancelNothing]) {
            $0.fetch(.part(1, bytes: 30_000, end: .host), .part(2, from: 30_000, bytes: 70_000, at: 2))
            $0.end(.error, at: 0.3, code: 3072) { ($0.isToCancel, $0.cancelAt) = (true, 0.2) }
            $0.conduct?.afterCancel = [.init("r1", pack: "p", nanoseconds: 3_000_000_000, seconds: 1.7)]
        },
        DiagnosisCase("is deaf to a cancel", .ignoresCancel, expect: "error 3072") {
            $0.fetch(.part(1, lasting: 3.9))
            $0.end(.available) { ($0.isToCancel, $0.cancelAt) = (true, 0.2) }
        },
        DiagnosisCase("lets what is urgent wait", .ignoresPriority, words: [.order(["urgent", "bulk"])]) {
            $0.fetch(.part(1, at: 0, lasting: 2), .part(1, of: "q", at: 2.1))
            $0.end(.available, id: "bulk", at: 2)
            $0.end(.available, id: "urgent", at: 2.6, packs: ["q"]) { ($0.isUrgent, $0.beganSeconds) = (true, 0.2) }
        },
        DiagnosisCase("ends others for what is urgent", words: [.order(["urgent", "bulk"])]) {
            $0.fetch(.part(1, bytes: 20_000, at: 0, lasting: 0.3, end: .client), .part(1, of: "q", at: 1.2))
            $0.end(.error, id: "bulk", at: 4, code: -1001)
            $0.end(.available, id: "urgent", at: 2, packs: ["q"]) { ($0.isUrgent, $0.beganSeconds) = (true, 0.2) }
        },
        DiagnosisCase("holds all in memory", .memoryGrows, budgets: ["memory_peak: max <= 64 MB"]) {
            $0.fetch(.part(1))
            $0.end(.available)
            $0.samples.set(.memoryPeak, 90_000_000)
        },
    ]

    /// Reports of progress.
    static let progress: [DiagnosisCase] = [
        DiagnosisCase("jumps", .progressJumpsEarly, budgets: honest) {
            $0.tell(
                .init(
                    reports: 9, most: 1,
                    ahead: .init(seconds: 1, fraction: 1, share: 0.42, fractionBefore: 0.38, shareBefore: 0.38)))
        },
        DiagnosisCase("counts twice", .progressCountsTwice, budgets: honest) {
            $0.tell(
                .init(
                    reports: 9, most: 1,
                    ahead: .init(seconds: 1, fraction: 1, share: 0.52, fractionBefore: 0.94, shareBefore: 0.47)))
        },
        DiagnosisCase("counts a part again", .progressCountsTwice, budgets: honest) {
            $0.tell(
                .init(
                    reports: 9, most: 1,
                    ahead: .init(seconds: 1.1, fraction: 1, share: 0.52, fractionBefore: 0.5, shareBefore: 0.5)))
            $0.fetch(.part(1, bytes: 50_000, end: .host), .part(2, from: 50_000, bytes: 50_000))
        },
        DiagnosisCase("goes beyond", .progressCountsTwice, budgets: honest) { $0.tell(.init(reports: 9, most: 1.4)) },
        DiagnosisCase("falls", .progressGoesBack, budgets: honest) {
            $0.tell(
                .init(
                    reports: 9, most: 1, fall: .init(seconds: 1, fraction: 0.2, fractionBefore: 0.5),
                    behind: .init(seconds: 1, fraction: 0.2, share: 0.5)))
        },
        DiagnosisCase("stands", .progressStandsStill, budgets: honest) {
            $0.tell(
                .init(
                    reports: 9, most: 1, behind: .init(seconds: 2, fraction: 0.3, share: 0.9),
                    standstill: .init(from: 0.5, until: 2, fraction: 0.3, share: 0.7)))
        },
    ]

    private static let honest = ["progress: honest within 5%"]
}

extension AttemptRecord {
    fileprivate mutating func tell(_ progress: ConductRecord.Progress) {
        fetch(.part(1))
        end(.available) { $0.progress = progress }
        samples.set(.progressDeviation, 0.5)
    }
}
