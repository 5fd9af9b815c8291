import Results

extension DiagnosisCase {
    /// Downloads that continue after a cancel or despite an urgent one, and what stays after a request.
    static let leaving: [DiagnosisCase] = [
        DiagnosisCase("goes on after its callback", .ignoresCancel, expect: "error", words: [.afterCancelNothing]) {
            $0.fetch(.part(1, lasting: 3))
            $0.cancel(at: 0.2, called: 0.4)
        },
        DiagnosisCase("looks for a cancel when all is there", .ignoresCancel, expect: "error 3072 within 3 s") {
            $0.fetch(.part(1, lasting: 6.2, faults: ["stall@95000 for=6s"]))
            $0.cancel(at: 0.9, called: 6.3)
        },
        DiagnosisCase("looks for a cancel between tries", .ignoresCancel, expect: "error 3072 within 3 s") {
            $0.fetch(.part(1, bytes: 80_000, lasting: 3.2, end: .host, faults: ["cut@80000"]))
            $0.cancel(at: 0.2, called: 3.3)
        },
        DiagnosisCase("is deaf where little is left", .ignoresCancel, expect: "error 3072 within 3 s") {
            $0.fetch(.part(1, lasting: 6.2, faults: ["stall@95000 for=6s"]))
            $0.end(.available, at: 6.3) { ($0.isToCancel, $0.cancelAt) = (true, 0.9) }
        },
        DiagnosisCase("shares the link to the end", .ignoresPriority, expect: "available within 4 s") {
            $0.fetch(.part(1, at: 0, lasting: 6.1), .part(1, of: "q", bytes: 80_000, at: 0.35, lasting: 5.1))
            $0.endUrgent(at: 5.5, bulk: 6.2)
        },
        DiagnosisCase("shares the link, and is sooner", .ignoresPriority, expect: "available within 4 s") {
            $0.fetch(.part(1, at: 0, lasting: 4.5), .part(1, of: "q", at: 0.35, lasting: 5))
            $0.endUrgent(at: 5.4, bulk: 4.6)
        },
        DiagnosisCase("drops what had come whole, and told nobody", .losesCompletedPacks, words: [.stored(["level"])]) {
            $0.fetch(.part(1), .part(1, of: "q", bytes: 14, status: 404, at: 3))
            $0.end(.error, id: "a", at: 3.2, code: -1008, packs: ["p", "q"])
            $0.conduct?.stored = []
            $0.conduct?.toBeStored = [.init("p", name: "level")]
        },
        DiagnosisCase("fetches anew what had come whole, and told nobody", .losesCompletedPacks) {
            $0.fetch(.part(1), .part(1, of: "q", bytes: 14, status: 404, at: 3), .part(2, at: 3.5))
            $0.end(.error, id: "a", at: 3.2, code: -1008, packs: ["p", "q"])
            $0.end(.available, id: "b", at: 4.1) { $0.beganSeconds = 3.3 }
        },
        DiagnosisCase("refuses for what was ended, and tells no usage", .leaksPins) {
            $0.fetch(.part(1))
            $0.end(.available, id: "a", at: 1)
            $0.end(.error, id: "b", at: 2, code: 4993, class: .storage, packs: ["q"]) { $0.isWithinLimit = true }
        },
    ]

    /// Clients that do all of this right, and fail for another reason.
    static let goodLeaving: [DiagnosisCase] = [
        DiagnosisCase("cancels when it has come so far, which is late", expect: "error 3072 within 3 s") {
            $0.fetch(.part(1, bytes: 52_000, lasting: 4, end: .client))
            $0.cancel(at: 0.5, called: 4.05)
        },
        DiagnosisCase("has a second to hear of a cancel", expect: "error 3072") {
            $0.fetch(.part(1, lasting: 1))
            $0.end(.available, at: 1) { ($0.isToCancel, $0.cancelAt) = (true, 0.2) }
        },
        DiagnosisCase("leaves its download to who wants it too", expect: "error 3072 within 1 s") {
            $0.fetch(.part(1, lasting: 4))
            $0.cancel(at: 0.2, called: 1.1)
            $0.end(.error, id: "r2", at: 4, code: 3072, class: .unexpected) { $0.beganSeconds = 1.2 }
        },
        DiagnosisCase("holds others back for what is urgent", expect: "available within 4 s") {
            $0.fetch(.part(1, at: 0, lasting: 9), .part(1, of: "q", at: 0.35, lasting: 4.2))
            $0.endUrgent(at: 4.6, bulk: 9.1)
        },
        DiagnosisCase("ends others for what is urgent, on a slow link", expect: "available within 4 s") {
            $0.fetch(
                .part(1, bytes: 20_000, at: 0, lasting: 0.4, end: .client), .part(1, of: "q", at: 0.41, lasting: 4.6),
                .part(2, from: 20_000, bytes: 80_000, at: 5.1, lasting: 3))
            $0.endUrgent(at: 5.1, bulk: 8.2)
        },
        DiagnosisCase("refuses what is too much") {
            $0.fetch(.part(1))
            $0.end(.available, id: "a", at: 1)
            $0.end(.error, id: "b", at: 2, code: 4993, class: .storage, packs: ["q"]) { $0.isWithinLimit = false }
        },
        DiagnosisCase("drops what it could not store") {
            $0.fetch(.part(1))
            $0.end(.error, id: "a", at: 1, code: 4992, class: .storage, packs: ["p", "q"])
        },
        DiagnosisCase("has a large runtime", budgets: ["memory_peak: max <= 64 MB"]) {
            $0.fetch(.part(1, bytes: 200_000_000))
            $0.conduct?.packs?[0].bytes = 200_000_000
            $0.end(.available)
            $0.samples.set(.memoryPeak, 80_000_000)
        },
    ]
}

extension AttemptRecord {
    /// Calls the request for `p` back as cancelled after `seconds`.
    ///
    /// The test cancels it at `share` of its progress.
    fileprivate mutating func cancel(at share: Double, called seconds: Double) {
        end(.error, at: seconds, code: 3072, class: .unexpected) { ($0.isToCancel, $0.cancelAt) = (true, share) }
    }

    /// Ends a request for `p`, and an urgent one for `q` that began after it.
    fileprivate mutating func endUrgent(at seconds: Double, bulk: Double) {
        end(.available, id: "bulk", at: bulk)
        end(.available, id: "urgent", at: seconds, packs: ["q"]) { ($0.isUrgent, $0.beganSeconds) = (true, 0.3) }
    }
}
