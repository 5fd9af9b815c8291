import Results

extension DiagnosisCase {
    /// Content that differs from the served pack.
    static let content = taken + checked
    /// Mistakes when a download is resumed.
    static let resuming = resumed + rejected + rightlyRejected

    private static let taken: [DiagnosisCase] = [
        DiagnosisCase("takes a page for the pack", .followsCaptivePortal, isCommand: true) {
            $0.fetch(.part(1, bytes: 20, faults: ["body=\"<p>Sign in</p>\" type=text/html"]))
            $0.end(.available)
            $0.leave(bytes: 20, wrongByte: 0)
        },
        DiagnosisCase(
            "takes a page for the pack, with requests", .followsCaptivePortal, expect: "error"
        ) {
            $0.fetch(.part(1, bytes: 0, status: 302, faults: ["portal=\"<p>Sign in</p>\""]))
            $0.end(.available)
            $0.findings = [Finding(.contentIncomplete, "20 of the 100000 B of 'p' crossed the link")]
        },
        DiagnosisCase("takes a short body for the whole", .ignoresShortBody, isCommand: true) {
            $0.fetch(.part(1, bytes: 40_000, end: .host, faults: ["cut@40000"]))
            $0.end(.available)
            $0.leave(bytes: 40_000, wrongByte: 40_000)
        },
        DiagnosisCase("believes less than was announced", .ignoresShortBody, isCommand: true) {
            $0.fetch(.part(1, bytes: 40_000, faults: ["wrong-length=+60000"]))
            $0.end(.available)
            $0.findings = [Finding(.contentIncomplete, "40000 of the 100000 B of 'p' crossed the link")]
        },
        DiagnosisCase("leaves half a file, and takes it the next time", .keepsPartialAsWhole, isCommand: true) {
            $0.fetch(
                .part(1, bytes: 40_000, end: .host, faults: ["cut@40000"]),
                .part(2, from: 40_000, bytes: 0, end: .host, faults: ["cut@40000"]))
            $0.end(.available)
            $0.leave(bytes: 40_000, wrongByte: 40_000)
        },
        DiagnosisCase("leaves half a pack in sight", .keepsPartialAsWhole, expect: "error -1005") {
            $0.fetch(.part(1, bytes: 40_000, end: .host, faults: ["cut@40000"]))
            $0.end(.error, code: -1005)
            $0.show("has 40000 bytes, and not 100000")
        },
        DiagnosisCase("puts the first part of another edition before the rest", .keepsStaleBytes, isCommand: true) {
            $0.fetch(
                .part(1, bytes: 40_000, end: .host, faults: ["changed-content", "cut@40000"]),
                .part(2, from: 40_000, bytes: 60_000, faults: ["late-head"]))
            $0.end(.available)
            $0.leave(bytes: 100_000, wrongByte: 1000)
        },
        DiagnosisCase("leaves what came before the link was lost", .keepsPartialAsWhole, expect: "error -1005") {
            $0.fetch(.part(1, bytes: 40_000, end: .client))
            $0.conduct?.outages = [.init("no-route", from: 0.3, until: 4)]
            $0.end(.error, code: -1001)
            $0.show("has 40000 bytes, and not 100000")
        },
        DiagnosisCase("takes another hash", .ignoresWrongHash, expect: "error -1016") {
            $0.fetch(.part(1, faults: ["corrupt@50000"]))
            $0.end(.available)
            $0.show("differs from the pack at byte 50000")
        },
        DiagnosisCase("shows a pack before it is checked", .unpacksBeforeChecking, expect: "error -1016") {
            $0.fetch(.part(1, faults: ["corrupt@50000"]), .part(2, faults: ["corrupt@50000"]))
            $0.end(.error, code: -1016)
            $0.show("differs from the pack at byte 50000")
        },
        DiagnosisCase("tells success after an error", .neverReportsError, isCommand: true) {
            $0.fetch(.part(1, bytes: 14, status: 404))
            $0.end(.available)
            $0.leave(bytes: 14, wrongByte: 0)
        },
        DiagnosisCase("tells success where nothing was asked for", .neverReportsError, isCommand: true) {
            $0.fetch()
            $0.end(.available)
            $0.conduct?.outages = [.init("refused", from: 0, until: nil)]
            $0.findings = [Finding(.contentIncomplete, "0 of the 100000 B of 'p' crossed the link")]
        },
    ]

    private static let resumed: [DiagnosisCase] = [
        DiagnosisCase("puts the whole behind a part", .takes200For206, isCommand: true) {
            $0.fetch(cut, .part(2, asked: 40_000, status: 200, faults: ["ignore-range"]))
            $0.end(.available)
            $0.leave(bytes: 140_000, wrongByte: 40_000)
        },
        DiagnosisCase("puts the whole of a new edition behind a part", .takes200For206, isCommand: true) {
            $0.fetch(
                .part(1, bytes: 40_000, end: .host, faults: ["changed-content=+0", "cut@40000"]),
                .part(2, asked: 40_000, status: 200))
            $0.end(.available)
            $0.leave(bytes: 140_000, wrongByte: 0)
        },
        DiagnosisCase(
            "puts the whole behind a part, and sees that it is wrong", .takes200For206, words: [.retries(1...1)]
        ) {
            $0.fetch(cut, .part(2, asked: 40_000, status: 200, faults: ["ignore-range"]), .part(3))
            $0.end(.available)
        },
        DiagnosisCase("asks a byte too early", .resumesWrongOffset, isCommand: true) {
            $0.fetch(cut, .part(2, from: 39_999, bytes: 60_001))
            $0.end(.available)
            $0.leave(bytes: 100_001, wrongByte: 40_000)
        },
        DiagnosisCase("leaves bytes out", .resumesWrongOffset, isCommand: true) {
            $0.fetch(cut, .part(2, from: 41_000, bytes: 59_000))
            $0.end(.available)
            $0.leave(bytes: 99_000, wrongByte: 40_000)
        },
        DiagnosisCase("takes a part that was not asked for", .resumesWrongOffset, isCommand: true) {
            $0.fetch(
                cut, .part(2, from: 40_100, bytes: 59_900, asked: 40_000, status: 206, faults: ["wrong-range=+100"]))
            $0.end(.available)
            $0.leave(bytes: 99_900, wrongByte: 40_000)
        },
        DiagnosisCase("takes one of several parts that was not asked for", .resumesWrongOffset, isCommand: true) {
            $0.fetch(
                .part(1, from: 1, bytes: 49_999, asked: 0, status: 206, at: 0.1, faults: ["wrong-range=+1"]),
                .part(2, from: 50_000, bytes: 50_000, at: 0.2))
            $0.end(.available)
            $0.leave(bytes: 100_000, wrongByte: 0)
        },
        DiagnosisCase(
            "asks too early, and sees that it is wrong", .resumesWrongOffset, words: [.refetched(mostBytes: 0)]
        ) {
            $0.fetch(cut, .part(2, from: 39_488, bytes: 60_512), .part(3))
            $0.end(.available)
            $0.samples.set(.redundantBytes, 40_000)
        },
        DiagnosisCase("puts editions together", .keepsStaleBytes, isCommand: true) {
            $0.fetch(cut, .part(2, from: 40_000, bytes: 60_000, faults: ["changed-etag"]))
            $0.end(.available)
            $0.leave(bytes: 100_000, wrongByte: 10_000)
        },
        DiagnosisCase("has half of it for a 200 that has the other half", .keepsPartialAsWhole, isCommand: true) {
            $0.fetch(
                cut, .part(2, bytes: 0, asked: 40_000, status: 200, end: .client, faults: ["range-as-whole"]))
            $0.end(.available)
            $0.leave(bytes: 40_000, wrongByte: 40_000)
        },
        DiagnosisCase("puts editions together that have no ETag", .keepsStaleBytes, isCommand: true, expect: "either") {
            $0.fetch(
                .part(1, bytes: 40_000, end: .host, faults: ["changed-content=+1000", "no-validators", "cut@40000"]),
                .part(2, from: 40_000, bytes: 60_000, faults: ["no-validators"]))
            $0.end(.available)
            $0.leave(bytes: 100_000, wrongByte: 0)
        },
        DiagnosisCase("puts editions together that share a weak ETag", .keepsStaleBytes, isCommand: true) {
            $0.fetch(
                .part(1, bytes: 40_000, end: .host, faults: ["changed-content=+1000", "weak-etag", "cut@40000"]),
                .part(2, from: 40_000, bytes: 60_000, faults: ["weak-etag"]))
            $0.end(.available)
            $0.leave(bytes: 100_000, wrongByte: 0)
        },
        DiagnosisCase(
            "puts editions together, and sees that it is wrong", .keepsStaleBytes, words: [.retries(1...1)]
        ) {
            $0.fetch(cut, .part(2, from: 40_000, bytes: 60_000, faults: ["changed-content=+0"]), .part(3))
            $0.end(.available)
        },
        DiagnosisCase("begins anew", .noResume, words: [.refetched(mostBytes: 1024)]) {
            $0.fetch(cut, .part(2))
            $0.end(.available)
            $0.samples.set(.redundantBytes, 40_000)
            $0.enlarge()
        },
        DiagnosisCase("begins anew where a buffer may have had all that came", words: [.refetched(mostBytes: 1024)]) {
            $0.fetch(cut, .part(2))
            $0.end(.available)
            $0.samples.set(.redundantBytes, 40_000)
        },
        DiagnosisCase("gives up where it was cut", .noResume, isCommand: true) {
            $0.fetch(cut)
            $0.end(.error, at: 0.6, code: 18)
        },
    ]

    private static let cut = ConductRecord.Fetch.part(1, bytes: 40_000, end: .host, faults: ["cut@40000"])
}

extension AttemptRecord {
    /// Stores a visible pack that is wrong.
    fileprivate mutating func show(_ problem: String) {
        conduct?.stored = [.init("p", name: "level", problem: problem, wrongByte: 50_000)]
        findings = [Finding(.contentWrong, "'level' is visible in the store, and \(problem)")]
    }
}
