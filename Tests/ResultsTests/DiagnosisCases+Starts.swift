import Results

extension DiagnosisCase {
    /// A command that is started more than once, and files that only their owner may read: three forms of each bug.
    static let startedTwice = caching + widening + mixing + unwritten + shorter + stuck

    private static let caching: [DiagnosisCase] = [
        DiagnosisCase("keeps that there is none", .cachesErrors, isCommand: true) {
            $0.fetch(.gone(1))
            $0.start(again: 2.6)
            $0.end(.error, at: 3, code: 1)
        },
        DiagnosisCase("keeps it when it has asked three times", .cachesErrors, isCommand: true, isTold: false) {
            $0.fetch(.gone(1), .gone(2), .gone(3))
            $0.start(again: 5)
            $0.end(.error, at: 5.2, code: 22)
        },
        DiagnosisCase("keeps it at the new address", .cachesErrors, isCommand: true) {
            $0.fetch(.part(1, bytes: 0, status: 302, lasting: 0.1, faults: ["redirect=?again status=302"]), .gone(2))
            $0.start(again: 3.6)
            $0.end(.error, at: 4, code: 1)
        },
        // The cause is another than the missing pack.
        DiagnosisCase("says then that all is well", .neverReportsError, isCommand: true) {
            $0.fetch(.gone(1))
            $0.start(again: 2.6, status: 0)
            $0.end(.available, at: 3)
            $0.findings = [Finding(.contentIncomplete, "0 B crossed the link")]
        },
        DiagnosisCase("keeps a part as the whole", .keepsPartialAsWhole, isCommand: true) {
            $0.fetch(.part(1, bytes: 40_000, end: .host, faults: ["cut@40000"]))
            $0.start(again: 2.6, status: 0)
            $0.end(.available, at: 3)
            $0.leave(bytes: 40_000, wrongByte: 40_000)
        },
    ]

    private static let unwritten: [DiagnosisCase] = [
        DiagnosisCase("does not look whether it could write", .ignoresWriteErrors, isCommand: true, expect: "error") {
            $0.fetch(.part(1))
            $0.end(.available)
            $0.leave(bytes: 57_344, wrongByte: 57_344)
        },
        DiagnosisCase("does not look when it resumes", .ignoresWriteErrors, isCommand: true) {
            $0.fetch(
                .part(1, bytes: 40_000, end: .host, faults: ["cut@40000"]), .part(2, from: 40_000, bytes: 60_000))
            $0.end(.available)
            $0.leave(bytes: 40_960, wrongByte: 40_960)
        },
        DiagnosisCase("writes nothing at all", .ignoresWriteErrors, isCommand: true, isTold: false, expect: "error") {
            $0.fetch(.part(1))
            $0.end(.available)
            $0.leave(bytes: 0, wrongByte: 0)
        },
    ]

    private static let shorter: [DiagnosisCase] = [
        DiagnosisCase("takes a longer edition for the whole", .takes416ForSuccess, isCommand: true) {
            $0.fetch(
                .part(1, bytes: 120_000, end: .host, faults: ["changed-content=+50000", "cut@120000"]),
                .part(2, bytes: 0, asked: 120_000, status: 416))
            $0.end(.available)
            $0.leave(bytes: 120_000, wrongByte: 0)
        },
        DiagnosisCase("does not cut off the end of a longer edition", .keepsStaleBytes, isCommand: true) {
            $0.fetch(
                .part(1, bytes: 120_000, end: .host, faults: ["changed-content=+50000", "cut@120000"]),
                .part(2, asked: 120_000))
            $0.end(.available)
            $0.leave(bytes: 120_000, wrongByte: 100_000)
        },
    ]

    private static let stuck: [DiagnosisCase] = [
        DiagnosisCase("leaves its lock", .stuckAfterKill, isCommand: true) {
            $0.fetch(.part(1, bytes: 60_000, lasting: 1, end: .client, faults: ["stall@60000"]))
            $0.conduct?.kills = [.init(seconds: 1.01, savedBytes: 60_000)]
            $0.end(.error, at: 1.3)
        },
        DiagnosisCase("cannot read what it left", .stuckAfterKill, isCommand: true, isTold: false) {
            $0.fetch(.part(1, bytes: 60_000, lasting: 1, end: .client))
            $0.conduct?.kills = [.init(seconds: 1.01, savedBytes: 60_000)]
            $0.end(.error, at: 1.3, code: 2)
        },
        // Its record of received bytes is ahead of the file; the host notices the kill late.
        DiagnosisCase("goes on behind a gap", .resumesWrongOffset, isCommand: true) {
            $0.fetch(
                .part(1, bytes: 40_000, at: 0, lasting: 4, end: .client, faults: ["stall@40000"]),
                .part(2, from: 60_000, bytes: 40_000, at: 1.5))
            $0.conduct?.fetches?[0].lastByteSeconds = 0.5
            $0.conduct?.kills = [.init(seconds: 1, savedBytes: 40_000)]
            $0.end(.available)
            $0.leave(bytes: 100_000, wrongByte: 40_000)
        },
        DiagnosisCase("writes to another file the second time", .keepsPartialAsWhole, isCommand: true) {
            fetchAnew(&$0, left: 40_000)
        },
        DiagnosisCase("does not look whether it could write when it was killed", .ignoresWriteErrors, isCommand: true) {
            fetchAnew(&$0, left: 57_344)
        },
        DiagnosisCase("does not look, and the device was full before the kill", .ignoresWriteErrors, isCommand: true) {
            $0.fetch(
                .part(1, bytes: 60_000, at: 0, lasting: 1, end: .client, faults: ["stall@60000"]),
                .part(2, from: 40_960, bytes: 59_040, at: 1.5))
            $0.conduct?.kills = [.init(seconds: 1, savedBytes: 40_960)]
            $0.conduct?.deviceFullSeconds = 0.5
            $0.end(.available)
            $0.leave(bytes: 40_960, wrongByte: 40_960)
        },
        DiagnosisCase("is stuck the second time", .stuckAfterKill, isCommand: true) {
            $0.fetch(
                .part(1, bytes: 20_000, at: 0, lasting: 1, end: .client),
                .part(2, from: 20_000, bytes: 20_000, at: 1.5, lasting: 1, end: .client, faults: ["stall@40000"]))
            $0.conduct?.kills = [.init(seconds: 1, savedBytes: 20_000), .init(seconds: 2.6, savedBytes: 40_000)]
            $0.end(.error, at: 3)
        },
    ]

    /// Kills it at byte 40,000; it then fetches the whole pack, and leaves a file of so many bytes.
    private static func fetchAnew(_ attempt: inout AttemptRecord, left: Int64) {
        attempt.fetch(
            .part(1, bytes: 40_000, at: 0, lasting: 1, end: .client, faults: ["stall@40000"]),
            .part(2, bytes: 100_000, at: 1.5))
        attempt.conduct?.kills = [.init(seconds: 1, savedBytes: 40_000)]
        attempt.end(.available)
        attempt.leave(bytes: left, wrongByte: left)
    }

    private static let problem = "had mode 0600, and others can write to it now (0666)"

    private static let widening: [DiagnosisCase] = [
        DiagnosisCase(
            "gives all to everybody", .widensPermissions, isCommand: true, words: [.keeps([.privateEdition])]
        ) {
            $0.fetch(.part(1))
            $0.end(.available)
            $0.conduct?.before = [.init(.privateEdition, name: "p", problem: problem)]
        },
        DiagnosisCase(
            "gives it away when it resumes", .widensPermissions, isCommand: true, isTold: false,
            words: [.keeps([.privateEdition])]
        ) {
            $0.fetch(.resumed)
            $0.end(.available)
            $0.conduct?.before = [.init(.privateEdition, name: "p", problem: problem)]
        },
        DiagnosisCase(
            "gives it away, and gets nothing", .widensPermissions, isCommand: true, expect: "error within 4 s",
            words: [.keeps([.privateEdition])]
        ) {
            $0.fetch(.part(1, bytes: 0, status: 404))
            $0.end(.error, at: 1, code: 22)
            $0.conduct?.before = [.init(.privateEdition, name: "p", problem: problem)]
        },
    ]

    private static let mixing: [DiagnosisCase] = [
        DiagnosisCase("appends to one file", .mixesDownloads, isCommand: true, expect: "either") {
            $0.fetch(.part(1, at: 0.1, lasting: 2), .part(2, from: 50_000, bytes: 50_000, at: 1.1, lasting: 1))
            $0.start(beside: 1)
            $0.end(.available)
            $0.leave(bytes: 150_000, wrongByte: 60_000)
        },
        DiagnosisCase("begins anew in the file of the other one", .mixesDownloads, isCommand: true, expect: "either") {
            $0.fetch(.part(1, at: 0.1, lasting: 2), .part(2, at: 1.1, lasting: 2))
            $0.start(beside: 1)
            $0.end(.available)
            $0.leave(bytes: 100_000, wrongByte: 0)
        },
        DiagnosisCase("takes it from the other one", .mixesDownloads, isCommand: true, isTold: false, expect: "either")
        {
            $0.fetch(
                .part(1, at: 0.1, lasting: 2), .part(2, at: 1.1, lasting: 0.3, end: .host, faults: ["cut@40000"]),
                .part(3, from: 40_000, bytes: 60_000, at: 1.6, lasting: 1))
            $0.start(beside: 1)
            $0.end(.available)
            $0.leave(bytes: 90_000, wrongByte: 90_000)
        },
    ]
}

extension AttemptRecord {
    /// Starts the command a second time at `seconds`, half a second after the first start ended with an error.
    mutating func start(again seconds: Double, status: Int = 1) {
        conduct?.starts = [
            .init(began: 0, ended: seconds - 0.5, exitStatus: 1),
            .init(began: seconds, ended: seconds + 0.2, exitStatus: status),
        ]
    }

    /// Starts the command a second time at `seconds`, 1.5 s before the first one ends.
    mutating func start(beside seconds: Double) {
        conduct?.starts = [
            .init(began: 0, ended: seconds + 1.5, exitStatus: 0),
            .init(began: seconds, ended: seconds + 2, exitStatus: 1),
        ]
    }
}

extension ConductRecord.Fetch {
    /// An answer that there is no such pack, which the host lets caches keep for a second.
    static func gone(_ number: Int, faults: [String] = ["status=404", #"cache-control="max-age=1""#]) -> Self {
        .part(number, bytes: 0, status: 404, lasting: 0.1, faults: faults)
    }
}
