import Results

extension DiagnosisCase {
    /// Wrong content that a client has checked, or accepted for reasons of its own.
    static let checked: [DiagnosisCase] = [
        DiagnosisCase("leaves what it unpacked, and takes it later", .unpacksBeforeChecking, expect: "error -1016") {
            $0.fetch(.part(1, faults: ["corrupt@50000"]), .part(2, faults: ["corrupt@50000"]))
            $0.end(.error, at: 2, code: -1016)
            $0.end(.available, id: "r2")
            $0.store("differs from the pack at byte 50000")
        },
        DiagnosisCase("looks at the hash once, and not later", .ignoresWrongHash, expect: "error -1016") {
            $0.fetch(.part(1, faults: ["corrupt@50000"]), .part(2, faults: ["corrupt@50000"]))
            $0.end(.error, at: 0.6, code: -1016)
            $0.end(.available, id: "r2")
            $0.store("differs from the pack at byte 50000")
        },
        DiagnosisCase("takes another hash that no file shows", .ignoresWrongHash, expect: "error -1016") {
            $0.fetch(.part(1, faults: ["corrupt@10"]))
            $0.end(.available)
        },
        DiagnosisCase("takes another hash behind a part", .ignoresWrongHash) {
            $0.fetch(half, .part(2, from: 39_000, bytes: 61_000, faults: ["corrupt@75000"]))
            $0.end(.available)
            $0.store("differs from the pack at byte 75000")
        },
        DiagnosisCase(
            "takes a short body for the whole, and says that it is wrong", .ignoresShortBody,
            expect: "error -1005"
        ) {
            $0.fetch(half, .part(2, bytes: 40_000, end: .host, faults: ["cut@40000"]))
            $0.end(.error, code: -1016)
            $0.enlarge()
        },
        DiagnosisCase("takes what came before the link was cut for the whole", .ignoresShortBody) {
            $0.fetch(.part(1, bytes: 40_000, lasting: 0.3, end: .client))
            $0.conduct?.outages = [.init("cut", from: 0.31, until: 0.31)]
            $0.end(.available)
            $0.findings = [Finding(.contentIncomplete, "40000 of the 100000 B of 'p' crossed the link")]
        },
        DiagnosisCase("takes what an end of its own had left", .keepsPartialAsWhole) {
            $0.fetch(.part(1, bytes: 40_000, lasting: 0.3, end: .client))
            $0.end(.available)
            $0.store("has 40000 bytes, and not 100000")
        },
    ]

    /// Wrong content that clients find themselves, after a resumed part.
    static let rejected: [DiagnosisCase] = [
        DiagnosisCase("puts the rest elsewhere, and fetches all anew", .resumesWrongOffset, words: [.retries(1...1)]) {
            $0.fetch(half, .part(2, from: 40_000, bytes: 60_000), .part(3))
            $0.end(.available)
        },
        DiagnosisCase("puts the rest elsewhere, and says that it is wrong", .resumesWrongOffset) {
            $0.fetch(half, .part(2, from: 40_000, bytes: 60_000))
            $0.end(.error, at: 2, code: -1016)
        },
        DiagnosisCase("asks too early, and says that it is wrong", .resumesWrongOffset) {
            $0.fetch(half, .part(2, from: 39_488, bytes: 60_512))
            $0.end(.error, at: 2, code: -1016)
        },
        DiagnosisCase("takes as much of the whole as was missing", .takes200For206) {
            $0.fetch(
                half, .part(2, bytes: 61_000, asked: 40_000, status: 200, end: .client, faults: ["ignore-range"]))
            $0.end(.error, at: 2, code: -1016)
        },
        DiagnosisCase("puts editions together, and says that it is wrong", .keepsStaleBytes) {
            $0.fetch(half, .part(2, from: 40_000, bytes: 60_000, faults: ["changed-etag"]))
            $0.end(.error, at: 2, code: -1016)
        },
    ]

    /// Content that clients rightly refuse, or that is wrong for another reason: none has a bug of content.
    static let rightlyRejected: [DiagnosisCase] = [
        DiagnosisCase("finds a wrong byte behind a part", words: [.retries(1...1)]) {
            $0.fetch(half, .part(2, from: 39_000, bytes: 61_000, faults: ["corrupt@75000"]), .part(3))
            $0.end(.available)
        },
        DiagnosisCase("says that there is a wrong byte behind a part", expect: "error -1016 within 1 s") {
            $0.fetch(half, .part(2, from: 39_000, bytes: 61_000, faults: ["corrupt@75000"]))
            $0.end(.error, at: 2, code: -1016)
        },
        DiagnosisCase("puts a whole of other content in the place of a part", words: [.retries(1...1)]) {
            $0.fetch(half, .part(2, asked: 40_000, status: 200, faults: ["changed-content=+0"]), .part(3))
            $0.end(.available)
        },
        DiagnosisCase("finds another pack of the request wrong") {
            $0.fetch(
                half, .part(2, from: 40_000, bytes: 60_000), .part(1, of: "q", at: 2, faults: ["corrupt@50000"]))
            $0.end(.error, code: -1016, packs: ["p", "q"])
        },
        DiagnosisCase("refuses a whole for the rest, and is late") {
            $0.fetch(
                half, .part(2, bytes: 61_000, asked: 40_000, status: 200, end: .client, faults: ["ignore-range"]))
            $0.end(.error, at: 2, code: -1011)
        },
    ]

    private static let half = ConductRecord.Fetch.part(1, bytes: 40_000, end: .host, faults: ["cut@40000"])
}

extension AttemptRecord {
    /// Stores a visible pack that is wrong.
    fileprivate mutating func store(_ problem: String) {
        conduct?.stored = [.init("p", name: "level", problem: problem)]
        findings = [Finding(.contentWrong, "'level' is visible in the store, and \(problem)")]
    }
}
