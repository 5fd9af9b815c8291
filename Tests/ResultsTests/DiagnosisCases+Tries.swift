import Results

extension DiagnosisCase {
    /// Tries that do not bring the pack: when the client ends them, when it asks again, and from which byte.
    static let endings = ownLimits + leavings + storms

    /// A client's own time limits, whatever its patience is.
    private static let ownLimits: [DiagnosisCase] = [
        DiagnosisCase("ends each try after the same time, and goes on", .limitsTotalTime, words: [.retries(0...0)]) {
            $0.fetch(
                slow(1, from: 0, at: 0), slow(2, from: 9000, at: 0.61), .part(3, from: 18_000, bytes: 82_000, at: 1.22))
            $0.end(.available)
        },
        DiagnosisCase(
            "ends each try after the same time, and begins anew", .limitsTotalTime, .noResume, words: [.retries(0...0)]
        ) {
            $0.fetch(slow(1, from: 0, at: 0), slow(2, from: 0, at: 0.61), .part(3, at: 1.22))
            $0.end(.available)
            $0.enlarge()
            $0.enlarge()
        },
        DiagnosisCase(
            "ends each try after the same time, and begins anew until it gives up", .limitsTotalTime, .noResume,
            isCommand: true
        ) {
            $0.fetch(slow(1, from: 0, at: 0), slow(2, from: 0, at: 0.61), slow(3, from: 0, at: 1.22))
            $0.end(.error, at: 1.9, code: 28)
            $0.enlarge()
            $0.enlarge()
        },
        DiagnosisCase("does not wait for a head, again and again", .impatient, words: [.retries(0...0)]) {
            $0.fetch(late(1, at: 0), late(2, at: 0.61), .part(3, at: 1.22))
            $0.end(.available)
        },
        DiagnosisCase("ends tries for reasons of others", words: [.retries(0...0)]) {
            $0.fetch(
                slow(1, from: 0, at: 0, lasting: 0.2), slow(2, from: 9000, at: 0.4, lasting: 0.9),
                .part(3, from: 18_000, bytes: 82_000, at: 1.4))
            $0.end(.available)
        },
        DiagnosisCase("ends tries because their link was cut", words: [.retries(0...0)]) {
            $0.fetch(
                slow(1, from: 0, at: 0), slow(2, from: 9000, at: 0.61), .part(3, from: 18_000, bytes: 82_000, at: 1.22))
            $0.conduct?.outages = [.init("cut", from: 0.6, until: 0.6), .init("cut", from: 1.21, until: 1.21)]
            $0.end(.available)
        },
        DiagnosisCase("does not wait for the error that comes", .impatient, expect: "error NSURLErrorDomain -1008") {
            $0.fetch(late(1, at: 0, faults: ["status=404", "late-head=800ms"]))
            $0.end(.error, at: 0.61, code: -1001)
        },
        DiagnosisCase("waits, and says another error", .wrongErrorCode, expect: "error NSURLErrorDomain -1008") {
            $0.fetch(late(1, at: 0, lasting: 1, faults: ["status=404", "late-head=2s"]))
            $0.end(.error, at: 1, code: -1001)
        },
    ]

    /// What a client keeps of a failed request.
    private static let leavings: [DiagnosisCase] = [
        DiagnosisCase(
            "throws away what a failed request has", .noResume, expect: "either", words: [.refetched(mostBytes: 1024)]
        ) {
            $0.fetch(stalled, .part(2, at: 2))
            $0.end(.error, id: "a", at: 1.3, code: -1001)
            $0.end(.available, id: "b", at: 3)
            $0.samples.set(.redundantBytes, 50_000)
            $0.enlarge()
        },
        DiagnosisCase(
            "gives up a part for want of room", expect: "either", words: [.refetched(mostBytes: 1024)]
        ) {
            $0.fetch(.part(1, bytes: 50_000, at: 0, lasting: 1.3, end: .client), .part(2, at: 2))
            $0.end(.error, id: "a", at: 1.3, code: 4992, class: .storage)
            $0.end(.available, id: "b", at: 3)
            $0.samples.set(.redundantBytes, 50_000)
            $0.enlarge()
        },
        DiagnosisCase("begins anew where no byte is missed", expect: "either", words: [.retries(0...0)]) {
            $0.fetch(stalled, .part(2, at: 2))
            $0.end(.error, id: "a", at: 1.3, code: -1001)
            $0.end(.available, id: "b", at: 3)
            $0.enlarge()
        },
    ]

    /// How soon the next try follows a failed one.
    private static let storms: [DiagnosisCase] = [
        DiagnosisCase(
            "storms a host that resets", .retriesWithoutBackOff, expect: "error -1005", budgets: ["requests: max <= 4"]
        ) {
            $0.fetch(
                cut, .part(2, from: 50_000, bytes: 0, at: 0.51, lasting: 0.01, end: .host),
                .part(3, from: 50_000, bytes: 0, at: 0.53, lasting: 0.01, end: .host),
                .part(4, from: 50_000, bytes: 0, at: 0.55, lasting: 0.01, end: .host),
                .part(5, from: 50_000, bytes: 0, at: 0.57, lasting: 0.01, end: .host),
                .part(6, from: 50_000, bytes: 0, at: 0.59, lasting: 0.01, end: .host))
            $0.end(.error, at: 0.61, code: -1005)
            $0.samples.set(.requests, 6)
        },
        DiagnosisCase("asks three times at once for a short body", .wrongErrorCode, expect: "error -1005") {
            $0.fetch(
                cut, .part(2, from: 50_000, bytes: 0, at: 0.51, lasting: 0.01, end: .host),
                .part(3, from: 50_000, bytes: 0, at: 0.53, lasting: 0.01, end: .host),
                .part(4, from: 50_000, bytes: 0, at: 0.55, lasting: 0.01, end: .host))
            $0.end(.error, at: 0.57, code: -1)
        },
        DiagnosisCase("waits each time as long", .retriesWithoutBackOff, expect: "error", words: [.retries(0...4)]) {
            $0.fetch(
                busy(1, at: 0), busy(2, at: 0.4), busy(3, at: 0.85), busy(4, at: 1.22), busy(5, at: 1.6),
                busy(6, at: 2), busy(7, at: 2.4))
            $0.end(.error, at: 2.5, code: -1011)
        },
        DiagnosisCase(
            "waits each time as long, and for ever", .retriesForever, expect: "error within 3 s",
            words: [.retries(0...4)]
        ) {
            $0.fetch(
                busy(1, at: 0), busy(2, at: 0.4), busy(3, at: 0.8), busy(4, at: 1.2), busy(5, at: 1.6),
                busy(6, at: 2), busy(7, at: 2.4))
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("waits less than a day, and does not end", isCommand: true, isTold: false, expect: "error") {
            $0.fetch(
                busy(1, at: 0, retryAfter: 86_400), busy(2, at: 60, retryAfter: 86_400),
                busy(3, at: 120, retryAfter: 86_400))
            $0.hang(after: 180)
        },
        DiagnosisCase("waits longer each time", expect: "error", words: [.retries(0...2)]) {
            $0.fetch(
                busy(1, at: 0), busy(2, at: 0.25), busy(3, at: 0.6), busy(4, at: 1.1), busy(5, at: 2),
                busy(6, at: 3.7))
            $0.end(.error, at: 3.9, code: -1011)
        },
        DiagnosisCase("asks three times for each of two requests", expect: "error", words: [.retries(0...2)]) {
            $0.fetch(
                busy(1, at: 0), busy(2, at: 0.4), busy(3, at: 0.8), busy(4, at: 1.2), busy(5, at: 1.6),
                busy(6, at: 2))
            $0.end(.error, id: "a", at: 0.95, code: -1011)
            $0.end(.error, id: "b", at: 2.2, code: -1011)
        },
    ]

    private static let cut = ConductRecord.Fetch.part(
        1, bytes: 50_000, at: 0, lasting: 0.5, end: .host, faults: ["cut@50000 rst"])

    /// A try that stalled until the client's patience was over.
    private static let stalled: ConductRecord.Fetch = {
        var fetch = ConductRecord.Fetch.part(
            1, bytes: 50_000, at: 0, lasting: 1.3, end: .client, faults: ["stall@50000"])
        fetch.lastByteSeconds = 0.25
        return fetch
    }()

    private static func slow(
        _ number: Int, from: Int64, at began: Double, lasting seconds: Double = 0.6
    ) -> ConductRecord.Fetch {
        .part(number, from: from, bytes: 9000, at: began, lasting: seconds, end: .client, faults: ["drip=120000bit/s"])
    }

    /// A try that never received a response head.
    private static func late(
        _ number: Int, at began: Double, lasting seconds: Double = 0.6, faults: [String] = ["late-head=800ms"]
    ) -> ConductRecord.Fetch {
        .init(
            "p", number: number, nanoseconds: 1_000_000_000 + Int64(began * 1e9), began: began, ended: began + seconds,
            end: .client, status: nil, bytes: 0, isWhole: false, faults: faults)
    }
}
