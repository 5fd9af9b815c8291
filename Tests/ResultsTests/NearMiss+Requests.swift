@testable import Results

extension NearMiss {
    /// Reports about requests, and their outcomes.
    static let requests = progress + cancels + priorities

    private static let honest = ["progress: honest within 2%"]

    /// Progress that is a little off, or that is right for another reason.
    private static func bar(
        _ bug: ClientBug, _ kind: Kind, _ fetches: [ConductRecord.Fetch], _ progress: ConductRecord.Progress
    ) -> NearMiss {
        NearMiss(bug, kind, budgets: honest) {
            $0.fetch(fetches)
            $0.end(.available) { $0.progress = progress }
            $0.samples.set(.progressDeviation, 0.04)
        }
    }

    private static func report(_ fraction: Double, _ share: Double) -> ConductRecord.Report {
        .init(seconds: 1, fraction: fraction, share: share, fractionBefore: fraction - 0.02, shareBefore: share - 0.02)
    }

    private static let whole = [ConductRecord.Fetch.part(1, at: 0, lasting: 3.9)]

    private static let progress: [NearMiss] = [
        bar(.progressJumpsEarly, .pauses, .resumed, .init(reports: 90, most: 1, ahead: report(0.98, 0.94))),
        bar(.progressJumpsEarly, .ranges, .parallel, .init(reports: 90, most: 1, ahead: report(1, 0.95))),
        bar(.progressJumpsEarly, .read, whole, .init(reports: 2, most: 1, ahead: report(1, 0.93))),
        bar(.progressCountsTwice, .pauses, .resumed, .init(reports: 90, most: 1, ahead: report(0.5, 0.45))),
        bar(.progressCountsTwice, .ranges, .parallel, .init(reports: 90, most: 1.0005, ahead: report(0.7, 0.64))),
        bar(.progressCountsTwice, .daemon, whole, .init(reports: 90, most: 1, ahead: report(0.2, 0.13))),
        bar(
            .progressGoesBack, .pauses, .resumed,
            .init(reports: 90, most: 1, behind: .init(seconds: 1, fraction: 0.4, share: 0.44))),
        bar(
            .progressGoesBack, .ranges, .parallel,
            .init(reports: 90, most: 1, behind: .init(seconds: 1, fraction: 0.4, share: 0.46))),
        bar(.progressGoesBack, .read, whole, .init(reports: 1, most: 1)),
        bar(
            .progressStandsStill, .pauses, .resumed,
            .init(reports: 90, most: 1, standstill: .init(from: 0.3, until: 0.6, fraction: 0.4, share: 0.02))),
        bar(
            .progressStandsStill, .ranges, .parallel,
            .init(reports: 20, most: 1, standstill: .init(from: 0.3, until: 0.6, fraction: 0.4, share: 0.12))),
        bar(
            .progressStandsStill, .read, whole,
            .init(reports: 9, most: 1, standstill: .init(from: 0.3, until: 0.9, fraction: 0.3, share: 0.15))),
    ]

    private static let cancels: [NearMiss] = [
        NearMiss(.ignoresCancel, .pauses, expect: "error within 100 ms", words: [.afterCancelNothing]) {
            $0.fetch([.part(1, bytes: 30_000, at: 0, lasting: 0.3, end: .client)])
            $0.end(.error, at: 0.3, code: 3072, class: .unexpected) { ($0.isToCancel, $0.cancelAt) = (true, 0.3) }
        },
        NearMiss(.ignoresCancel, .ranges) {
            // Everything was received before the cancel could come.
            $0.fetch(.parallel)
            $0.end(.available, at: 1.4) { ($0.isToCancel, $0.cancelAt) = (true, 0.9) }
        },
        NearMiss(.ignoresCancel, .daemon, expect: "error within 100 ms", words: [.afterCancelNothing]) {
            // Another request wants the pack.
            $0.fetch([.part(1, at: 0, lasting: 4)])
            $0.end(.error, at: 0.4, code: 3072, class: .unexpected) { ($0.isToCancel, $0.cancelAt) = (true, 0.2) }
            $0.end(.error, id: "r2", at: 4, code: 3072, class: .unexpected) { $0.beganSeconds = 0.1 }
        },
        NearMiss(.ignoresCancel, .read, expect: "error within 100 ms", words: [.afterCancelNothing]) {
            // Bytes in flight still arrive.
            $0.fetch([.part(1, bytes: 60_000, at: 0, lasting: 1.2, end: .client)])
            $0.end(.error, at: 0.5, code: 3072, class: .unexpected) { ($0.isToCancel, $0.cancelAt) = (true, 0.2) }
        },
    ]

    private static let priorities: [NearMiss] = [
        NearMiss(.ignoresPriority, .pauses, words: [.order(["urgent", "bulk"])]) {
            $0.fetch([
                .part(1, bytes: 30_000, at: 0, lasting: 0.4, end: .client), .part(1, of: "q", at: 0.41, lasting: 0.5),
                .part(2, from: 30_000, bytes: 70_000, at: 1),
            ])
            $0.endUrgent(at: 1, bulk: 2)
        },
        NearMiss(.ignoresPriority, .ranges, words: [.order(["urgent", "bulk"])]) {
            $0.fetch([
                .part(1, bytes: 50_000, at: 0, lasting: 0.25),
                .part(2, from: 50_000, bytes: 50_000, at: 0.01, lasting: 0.25),
                .part(1, of: "q", at: 0.35, lasting: 3),
            ])
            $0.endUrgent(at: 3.4, bulk: 0.3)
        },
        // The client holds the other download back: it receives nothing meanwhile.
        NearMiss(.ignoresPriority, .daemon, expect: "available within 4 s") {
            $0.fetch([.part(1, at: 0, lasting: 9), .part(1, of: "q", at: 0.35, lasting: 4.2)])
            $0.endUrgent(at: 4.6, bulk: 9.1)
        },
        NearMiss(.ignoresPriority, .read, words: [.order(["urgent", "bulk"])]) {
            $0.fetch([.part(1, at: 0, lasting: 0.2), .part(1, of: "q", at: 0.4, lasting: 3)])
            $0.endUrgent(at: 3.5, bulk: 0.3)
        },
    ]

    /// The handling of packs and of memory.
    static let device = pins + packs + memory

    private static let pins: [NearMiss] = [
        NearMiss(.leaksPins, .pauses, words: [.endsBalanced]) {
            $0.fetch(.resumed)
            $0.end(.available) { ($0.isToEnd, $0.isEnded) = (true, true) }
            $0.conduct?.leftInUseBytes = 0
        },
        NearMiss(.leaksPins, .ranges) {
            // The request alone is over the limit.
            $0.fetch(.parallel)
            $0.end(.available, id: "a", at: 1)
            $0.end(.error, id: "b", at: 2, code: 4993, class: .storage, packs: ["q"]) { $0.isWithinLimit = false }
        },
        NearMiss(.leaksPins, .daemon) {
            // The request before it has not ended.
            $0.fetch([.part(1)])
            $0.end(.available, id: "a", at: 1)
            $0.end(.error, id: "b", at: 2, code: 4993, class: .storage, packs: ["q"])
        },
    ]

    private static let packs: [NearMiss] = [
        NearMiss(.deletesGoodPacks, .pauses) {
            $0.fetch([.part(1), .part(1, of: "q", at: 1)])
            $0.conduct?.packs?[0].storedSeconds = 0.5
            $0.end(.available, id: "a", at: 1)
            $0.end(.error, id: "b", at: 2, code: 4992, class: .storage, packs: ["q"])
            $0.conduct?.stored = [.init("p", name: "level")]
        },
        NearMiss(.deletesGoodPacks, .ranges) {
            $0.fetch(.parallel)
            $0.end(.available)
            $0.conduct?.purges = [.init("q", nanoseconds: 2_000_000_000, isInUse: false)]
        },
        NearMiss(.deletesGoodPacks, .daemon, words: [.stored(["level"])]) {
            $0.fetch([.part(1), .part(1, of: "q", at: 1)])
            $0.end(.available, id: "a", at: 1)
            $0.end(.available, id: "b", at: 2, packs: ["q"])
            $0.conduct?.purges = [.init("p", nanoseconds: 2_000_000_000, isInUse: false)]
            $0.conduct?.packs?[0].storedSeconds = 0.5
            $0.conduct?.stored = [.init("q")]
            $0.conduct?.toBeStored = [.init("p", name: "level")]
        },
        NearMiss(.losesCompletedPacks, .pauses, expect: "error within 1 s") {
            $0.fetch([.part(1), .part(1, of: "q", bytes: 14, status: 404, at: 1)])
            $0.conduct?.packs?[0].storedSeconds = 0.5
            $0.end(.error, at: 2, code: -1008, packs: ["p", "q"])
            $0.conduct?.stored = [.init("p", name: "level")]
        },
        NearMiss(.losesCompletedPacks, .ranges, expect: "error within 1 s") {
            // The pack was incomplete.
            $0.fetch([
                .part(1, bytes: 50_000, at: 0, lasting: 1),
                .part(2, from: 50_000, bytes: 40_000, at: 0.01, end: .client),
                .part(1, of: "q", bytes: 14, status: 404, at: 1.2),
            ])
            $0.end(.error, at: 2, code: -1008, packs: ["p", "q"])
            $0.conduct?.stored = []
        },
        NearMiss(.losesCompletedPacks, .daemon) {
            // The client purged the pack first, to make room.
            $0.fetch([.part(1), .part(1, of: "q", bytes: 14, status: 404, at: 1), .part(2, at: 3)])
            $0.conduct?.packs?[0].storedSeconds = 0.5
            $0.conduct?.purges = [.init("p", nanoseconds: 2_000_000_000, isInUse: false)]
            $0.end(.error, id: "a", at: 2, code: -1008, packs: ["p", "q"])
            $0.end(.available, id: "b", at: 4)
            $0.requests[0].result = .available
        },
    ]

    /// A pack of 200 MB, and a peak of memory of `bytes`.
    private static func memory(_ kind: Kind, _ bytes: Double) -> NearMiss {
        NearMiss(.memoryGrows, kind, budgets: ["memory_peak: max <= 64 MB"]) {
            $0.fetch([.part(1, bytes: 200_000_000)])
            $0.conduct?.packs?[0].bytes = 200_000_000
            $0.end(.available)
            $0.samples.set(.memoryPeak, bytes)
        }
    }

    private static let memory = [memory(.pauses, 70e6), memory(.ranges, 90e6), memory(.read, 99e6)]
}

extension AttemptRecord {
    /// Ends a request for `p`, and an urgent one for `q` that began after it.
    fileprivate mutating func endUrgent(at seconds: Double, bulk: Double) {
        end(.available, id: "bulk", at: bulk)
        end(.available, id: "urgent", at: seconds, packs: ["q"]) { ($0.isUrgent, $0.beganSeconds) = (true, 0.3) }
    }
}
