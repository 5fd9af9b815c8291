@testable import Results

extension DiagnosisCase {
    /// More clients for bugs that have only one or two other cases.
    static let more: [DiagnosisCase] = trust + bytes + told + storage

    private static let trust: [DiagnosisCase] = [
        DiagnosisCase("takes a certificate of another name", .acceptsWrongCertificate, isCommand: true, expect: "error")
        {
            $0.fetch(.part(1))
            $0.conduct?.certificateFault = "wrong-name"
            $0.end(.available)
        },
        DiagnosisCase("takes an old certificate, and is called back", .acceptsWrongCertificate, expect: "error -1201") {
            $0.fetch(.part(1))
            $0.conduct?.certificateFault = "expired"
            $0.end(.available)
        },
        // The client's later hang does not matter.
        DiagnosisCase("asks anybody, and hangs", .acceptsWrongCertificate, isCommand: true, expect: "error within 1 s")
        {
            $0.fetch(.stalled(1, bytes: 40_000, at: 0, quiet: 4))
            $0.conduct?.certificateFault = "unknown-authority"
            $0.hang()
        },
        DiagnosisCase(
            "asks anybody, and tells another error", .acceptsWrongCertificate, expect: "error NSURLErrorDomain -1202"
        ) {
            $0.fetch(.part(1, bytes: 14, status: 404))
            $0.conduct?.certificateFault = "wrong-name"
            $0.end(.error, code: -1008)
        },
    ]

    private static let bytes: [DiagnosisCase] = [
        DiagnosisCase("fetches all of it time and again", .refetchesWhole, isCommand: true, expect: "available") {
            $0.fetch(.part(1), .part(2), .part(3), .part(4))
            $0.hang()
        },
        DiagnosisCase("has it at the fourth time", .refetchesWhole, budgets: ["requests: max <= 2"]) {
            $0.fetch(.part(1), .part(2), .part(3), .part(4))
            $0.end(.available, at: 4)
            $0.samples.set(.requests, 4)
        },
        DiagnosisCase("puts the whole behind a part, by a request", .takes200For206) {
            $0.fetch(
                .part(1, bytes: 40_000, end: .host, faults: ["cut@40000"]),
                .part(2, asked: 40_000, status: 200, faults: ["ignore-range"]))
            $0.end(.available)
            $0.conduct?.stored = [
                .init("p", name: "level", problem: "has 140000 bytes, and not 100000", wrongByte: 40_000)
            ]
            $0.findings = [Finding(.contentWrong, "'level' is visible in the store")]
        },
        DiagnosisCase("takes a page behind a redirect", .followsCaptivePortal, isCommand: true) {
            $0.fetch(.part(1, bytes: 0, status: 302, faults: ["portal=\"<p>Sign in</p>\""]))
            $0.end(.available)
            $0.leave(bytes: 20, wrongByte: 0)
        },
        DiagnosisCase("shows it wrong while it fetches it anew", .unpacksBeforeChecking, expect: "error -1016") {
            $0.fetch(.part(1, faults: ["corrupt@7"]))
            $0.end(.error, at: 2, code: -1016)
            $0.conduct?.stored = [
                .init("p", name: "level", problem: "differs from the pack at byte 7", wrongByte: 7)
            ]
            $0.findings = [Finding(.contentWrong, "'level' is visible in the store")]
        },
        // Without a file no file is kept, so the bug is that the failure is not reported.
        DiagnosisCase("asks for the rest, leaves nothing, and tells success", .neverReportsError, isCommand: true) {
            $0.fetch(
                .part(1, bytes: 40_000, end: .host, faults: ["cut@40000"]),
                .part(2, from: 40_000, bytes: 10_490, end: .host, faults: ["cut@50490"]))
            $0.endWithoutFile()
        },
        DiagnosisCase("refuses a page, leaves nothing, and tells success", .neverReportsError, isCommand: true) {
            $0.fetch(.part(1, bytes: 20, faults: ["body=\"<p>Sign in</p>\" type=text/html"]))
            $0.endWithoutFile()
        },
        DiagnosisCase("is refused the rest, leaves nothing, and tells success", .neverReportsError, isCommand: true) {
            $0.fetch(
                .part(1, bytes: 40_000, end: .host, faults: ["cut@40000"]),
                .part(2, bytes: 0, asked: 40_000, status: 416, faults: ["refuse-range"]))
            $0.endWithoutFile()
        },
    ]

    private static let told: [DiagnosisCase] = [
        DiagnosisCase(
            "goes on without end, as it was seen for so long", .retriesForever, isCommand: true, isTold: false
        ) {
            $0.fetch((1...40).map { busy($0, at: Double($0) * 25) })
            $0.hang(after: 1010)
        },
        DiagnosisCase("is silent for longer than anybody", .noTimeout, isCommand: true, isTold: false, expect: "error")
        {
            $0.fetch(.silent(1, at: 0, lasting: 910))
            $0.hang(after: 910)
        },
        DiagnosisCase("says it three times", .callsBackTwice, words: [.callbackOnce]) {
            $0.fetch(.resumed)
            $0.end(.available)
            $0.requests[0].callbacks = 3
        },
        DiagnosisCase("says that it is there, and then that it is not", .callsBackTwice, words: [.callbackOnce]) {
            $0.fetch(.part(1))
            $0.end(.error, code: -1005) { $0.repeatedNanoseconds = 5_100_000_000 }
            $0.requests[0].callbacks = 2
        },
        DiagnosisCase("gives up at the second cut, though bytes came", .breaksOnFlapping, isCommand: true) {
            $0.fetch(
                .part(1, bytes: 20_000, at: 0, lasting: 0.3, end: .client),
                .part(2, from: 20_000, bytes: 30_000, at: 0.5, lasting: 0.4, end: .client))
            $0.conduct?.outages = [.init("cut", from: 0.3, until: 0.3), .init("cut", from: 0.9, until: 0.9)]
            $0.end(.error, at: 0.95, code: 56)
        },
        bar("is complete before anything came", .progressJumpsEarly) {
            $0.ahead = .init(seconds: 0.1, fraction: 1, share: 0.01)
        },
        bar("falls to nothing at a retry", .progressGoesBack) {
            $0.fall = .init(seconds: 0.7, fraction: 0, fractionBefore: 0.4)
        },
        bar("falls by a part that is dropped", .progressGoesBack) {
            $0.fall = .init(seconds: 0.7, fraction: 0.3, fractionBefore: 0.35)
        },
        bar("tells only the end", .progressStandsStill) {
            $0.standstill = .init(from: 0, until: 4, fraction: 0, share: 1)
        },
        DiagnosisCase(
            "has its own pause, and not the host's", .ignoresRetryAfter, isCommand: true, expect: "error",
            words: [.retries(0...0)]
        ) {
            $0.fetch(busy(1, at: 0, retryAfter: 10), busy(2, at: 1.1, retryAfter: 10), busy(3, at: 3.2, retryAfter: 10))
            $0.end(.error, at: 3.4, code: 22)
        },
        DiagnosisCase("asks other parts of a host that is busy", .ignoresRetryAfter, words: [.retries(0...0)]) {
            $0.fetch(busy(1, at: 0, retryAfter: 30), busy(2, at: 20, retryAfter: 30), .part(3, at: 51))
            $0.end(.available, at: 52)
        },
    ]

    /// Progress that is far off.
    private static func bar(
        _ name: String, _ bug: ClientBug, _ change: (inout ConductRecord.Progress) -> Void
    ) -> DiagnosisCase {
        DiagnosisCase(name, bug, budgets: ["progress: honest within 5%"]) {
            var progress = ConductRecord.Progress(reports: 9, most: 1)
            change(&progress)
            $0.fetch(.resumed)
            $0.end(.available) { $0.progress = progress }
            $0.samples.set(.progressDeviation, 0.5)
        }
    }

    private static let storage: [DiagnosisCase] = [
        DiagnosisCase("removes what a second request has", .deletesGoodPacks) {
            $0.fetch(.part(1), .part(1, of: "q", at: 1))
            $0.end(.available, id: "a", at: 1)
            $0.end(.error, id: "b", at: 2, code: 4992, class: .storage, packs: ["q"])
            $0.conduct?.purges = [.init("p", nanoseconds: 2_500_000_000, isInUse: true)]
        },
        DiagnosisCase("has it in memory, and once more", .memoryGrows, isCommand: true, budgets: budget) {
            $0.fetch(.part(1))
            $0.end(.available)
            $0.samples.set(.memoryPeak, 280_000)
        },
        DiagnosisCase("has every part in memory", .memoryGrows, budgets: budget) {
            $0.fetch(.parallel)
            $0.end(.available)
            $0.samples.set(.memoryPeak, 101_000)
        },
    ]

    private static let budget = ["memory_peak: max <= 50 kB"]
}

extension AttemptRecord {
    /// Ends with success, without a file and without all bytes.
    fileprivate mutating func endWithoutFile() {
        end(.available)
        conduct?.files = [.init("p", pack: "p", problem: "does not exist")]
        findings = [
            Finding(.contentWrong, "'p' does not exist"),
            Finding(.contentIncomplete, "not all of the 100000 B of 'p' crossed"),
        ]
    }
}
