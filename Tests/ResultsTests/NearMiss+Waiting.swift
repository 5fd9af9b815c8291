import Results

extension NearMiss {
    /// How long a client waits, and what it reports at the end.
    static let waiting = silences + steady + endless + endings

    private static let silences: [NearMiss] = [
        // The client ends each try at its limit of 1 s.
        NearMiss(.noTimeout, .pauses, expect: "error within 2 s") {
            $0.fetch([
                .stalled(1, bytes: 40_000, at: 0, quiet: 1), .stalled(2, from: 40_000, bytes: 10, at: 1.5, quiet: 1),
            ])
            $0.end(.error, at: 2.8, code: -1001)
        },
        NearMiss(.noTimeout, .ranges, isCommand: true, expect: "error within 1 s") {
            $0.fetch([
                .part(1, bytes: 50_000, at: 0, lasting: 1), .stalled(2, from: 50_000, bytes: 100, at: 0.01, quiet: 1.1),
            ])
            $0.end(.error, at: 1.4, code: 28)
        },
        // The limit of a command that is not given its patience is unknown: wget's is 900 s.
        NearMiss(.noTimeout, .daemon, isCommand: true, isTold: false, expect: "error") {
            $0.fetch([.stalled(1, bytes: 40_000, at: 0, quiet: 40)])
            $0.hang(after: 40.2)
        },
        NearMiss(.noTimeout, .read, isCommand: true, isTold: false, expect: "error") {
            $0.fetch([.silent(1, at: 0, lasting: 600)])
            $0.hang(after: 600)
        },
        NearMiss(.impatient, .pauses, expect: "available within 2 s") {
            $0.fetch([
                .stalled(1, bytes: 40_000, at: 0, quiet: 1), .stalled(2, from: 40_000, bytes: 10, at: 1.3, quiet: 1),
            ])
            $0.end(.error, at: 2.5, code: -1001)
        },
        NearMiss(.impatient, .ranges) {
            // The client leaves at bytes that another part has already brought, which is no time limit.
            $0.fetch([
                slow(1, from: 0, at: 0), slow(2, from: 50_000, at: 0.01), .part(3, from: 9000, bytes: 41_000, at: 0.7),
                .part(4, from: 59_000, bytes: 41_000, at: 0.71),
            ])
            $0.end(.available)
        },
        NearMiss(.impatient, .daemon) {
            $0.fetch([
                slow(1, from: 0, at: 0), slow(2, from: 9000, at: 0.61), .part(3, from: 18_000, bytes: 82_000, at: 1.22),
            ])
            $0.conduct?.outages = [.init("cut", from: 0.6, until: 0.6), .init("cut", from: 1.21, until: 1.21)]
            $0.end(.available)
        },
        NearMiss(.impatient, .read, isCommand: true) {
            $0.fetch([.stalled(1, bytes: 40_000, at: 0, quiet: 1)])
            $0.end(.error, at: 1.3, code: 28)
        },
    ]

    private static let steady: [NearMiss] = [
        // Each try ends after a silence as long as the client's patience.
        NearMiss(.limitsTotalTime, .pauses, expect: "available within 2 s") {
            $0.fetch([
                .stalled(1, bytes: 40_000, at: 0, quiet: 1), .stalled(2, from: 40_000, bytes: 10, at: 1.3, quiet: 1),
            ])
            $0.end(.error, at: 2.5, code: -1001)
        },
        // The client leaves at bytes that another part has already brought, which is no time limit.
        NearMiss(.limitsTotalTime, .ranges, isCommand: true) {
            $0.fetch([
                slow(1, from: 0, at: 0), slow(2, from: 50_000, at: 0.01), .part(3, from: 9000, bytes: 41_000, at: 0.7),
                .part(4, from: 59_000, bytes: 41_000, at: 0.71),
            ])
            $0.end(.available)
        },
        // The client finds at once that it cannot use the bytes.
        NearMiss(.limitsTotalTime, .read, isCommand: true) {
            $0.fetch([
                .part(1, bytes: 4000, at: 0, lasting: 0.05, end: .client, faults: ["drip=800000bit/s"])
            ])
            $0.end(.error, at: 0.06, code: 23)
        },
        // The download is slow, complete and late.
        NearMiss(.limitsTotalTime, .daemon, expect: "available within 1 s") {
            $0.fetch([.part(1, at: 0, lasting: 3, faults: ["drip=266000bit/s"])])
            $0.end(.available, at: 3.1)
        },
    ]

    private static func slow(_ number: Int, from: Int64, at began: Double) -> ConductRecord.Fetch {
        .part(number, from: from, bytes: 9000, at: began, lasting: 0.6, end: .client, faults: ["drip=120000bit/s"])
    }

    private static func busy(_ number: Int, at began: Double, retryAfter: Double? = nil) -> ConductRecord.Fetch {
        DiagnosisCase.busy(number, at: began, retryAfter: retryAfter)
    }

    private static let endless: [NearMiss] = [
        // curl --retry 5 ends after 91 s, wget after 20 tries: a shorter observation does not prove endless tries.
        NearMiss(.retriesForever, .pauses, isCommand: true, isTold: false, expect: "error") {
            $0.fetch([busy(1, at: 0), busy(2, at: 1.1), busy(3, at: 3.2), busy(4, at: 7.3), busy(5, at: 15.4)])
            $0.hang(after: 40)
        },
        NearMiss(.retriesForever, .ranges, isCommand: true, isTold: false, expect: "error") {
            $0.fetch([
                busy(1, at: 0), busy(2, at: 0.01), busy(3, at: 1.1), busy(4, at: 1.11), busy(5, at: 3.2),
                busy(6, at: 3.21),
            ])
            $0.hang(after: 40)
        },
        // The pause before its last try is so long that the client is ended for its silence.
        NearMiss(.retriesForever, .pauses, isCommand: true, expect: "error within 4 s") {
            $0.fetch([])
            $0.conduct?.outages = [DiagnosisCase.outage("silent", from: 0, tries: 4, last: 12.1)]
            $0.conduct?.lastSignSeconds = 12.1
            $0.conduct?.idleTimeoutSeconds = 14
            $0.hang(after: 26.2)
        },
        // The client gives up in time, and says so late.
        NearMiss(.retriesForever, .daemon, expect: "error within 1 s") {
            $0.fetch([busy(1, at: 0), busy(2, at: 0.4), busy(3, at: 1)])
            $0.end(.error, at: 1.2, code: -1011)
        },
        NearMiss(.retriesForever, .read, isCommand: true, isTold: false, expect: "error") {
            // One try at a time, each of which ends by its own limit: aria2c's is 60 s.
            $0.fetch([
                .silent(1, at: 0, lasting: 60), .silent(2, at: 60, lasting: 60), .silent(3, at: 120, lasting: 60),
            ])
            $0.hang(after: 180)
        },
        // Each try ends by the patience that the client is told, as with curl --speed-time {patience} --retry 9.
        NearMiss(.retriesForever, .pauses, isCommand: true, expect: "error") {
            $0.fetch((0...4).map { .silent($0 + 1, at: Double($0) * 1.3, lasting: 1) })
            $0.hang(after: 6.4)
        },
        NearMiss(.retriesForever, .pauses, isCommand: true, expect: "error") {
            $0.fetch([.part(1, bytes: 40_000, at: 0, lasting: 0.3, end: .client)])
            $0.conduct?.outages = [DiagnosisCase.outage("silent", from: 0.2, tries: 6, last: 4.5)]
            $0.hang(after: 5)
        },
        NearMiss(.blocksOnDNS, .pauses, isCommand: true, isTold: false, expect: "error") {
            $0.fetch([])
            $0.conduct?.outages = [DiagnosisCase.outage("no-name", from: 0, tries: 5, last: 31)]
            $0.hang(after: 40)
        },
        NearMiss(.blocksOnDNS, .ranges) {
            $0.fetch(.parallel)
            $0.conduct?.lookupDelaySeconds = 0.3
            $0.end(.available)
        },
        NearMiss(.blocksOnDNS, .daemon, isCommand: true, isTold: false, expect: "error") {
            $0.fetch([])
            $0.conduct?.lookupDelaySeconds = 30
            $0.hang(after: 40)
        },
        NearMiss(.blocksOnDNS, .read, expect: "error within 1 s") {
            $0.fetch([])
            $0.conduct?.lookupDelaySeconds = 30
            $0.end(.error, at: 1.1, code: -1001)
        },
    ]

    private static let endings: [NearMiss] = [
        NearMiss(.neverReportsError, .pauses, expect: "error within 1 s") {
            $0.fetch([busy(1, at: 0), busy(2, at: 0.4), busy(3, at: 1)])
            $0.end(.error, at: 1.2, code: -1011)
        },
        NearMiss(.neverReportsError, .ranges, isCommand: true) {
            $0.fetch(.parallel)
            $0.end(.available)
        },
        // The client waits as long as the host says.
        NearMiss(.neverReportsError, .daemon, expect: "error within 2 s") {
            $0.fetch([busy(1, at: 0, retryAfter: 120)])
            $0.hang()
        },
        // The next try may come after the observation.
        NearMiss(.neverReportsError, .read, isCommand: true, isTold: false, expect: "error") {
            $0.fetch([busy(1, at: 0)])
            $0.hang(after: 40)
        },
        NearMiss(.wrongErrorCode, .pauses, expect: "error NSURLErrorDomain -1011 within 1 s") {
            $0.fetch([busy(1, at: 0), busy(2, at: 0.4), busy(3, at: 1)])
            $0.end(.error, at: 1.2, code: -1011)
        },
        NearMiss(.wrongErrorCode, .daemon, expect: "error NSURLErrorDomain -1008") {
            $0.fetch([.part(1, bytes: 14, status: 404)])
            $0.end(.error, code: -1008)
        },
        // A command may end with any error.
        NearMiss(.wrongErrorCode, .read, isCommand: true, expect: "error within 1 s") {
            $0.fetch([.part(1, bytes: 14, status: 404)])
            $0.end(.error, at: 2, code: 8)
        },
        NearMiss(.callsBackTwice, .pauses, words: [.callbackOnce]) {
            $0.fetch(.resumed)
            $0.end(.available)
        },
        NearMiss(.callsBackTwice, .ranges, words: [.callbackOnce]) {
            $0.fetch(.parallel)
            $0.end(.available)
        },
        NearMiss(.callsBackTwice, .daemon, words: [.callbackOnce]) {
            $0.fetch([.part(1)])
            $0.end(.available, id: "a", at: 1)
            $0.end(.available, id: "b", at: 1)
        },
        NearMiss(.breaksOnFlapping, .pauses) {
            $0.fetch([
                .part(1, bytes: 20_000, at: 0, lasting: 0.3, end: .client), .part(2, from: 20_000, bytes: 80_000),
            ])
            $0.conduct?.outages = [.init("cut", from: 0.3, until: 0.3)]
            $0.end(.available)
        },
        // The client continues, and then meets another fault.
        NearMiss(.breaksOnFlapping, .ranges) {
            $0.fetch([
                .part(1, bytes: 40_000, at: 0, lasting: 0.3, end: .client),
                .part(2, from: 40_000, bytes: 60_000, at: 0.6, lasting: 0.4),
            ])
            $0.conduct?.outages = [.init("cut", from: 0.3, until: 0.3)]
            $0.end(.error, at: 1.1, code: -1)
        },
        NearMiss(.breaksOnFlapping, .daemon) {
            // The link was lost for longer than the client's patience.
            $0.fetch([.part(1, bytes: 40_000, at: 0, lasting: 0.2, end: .client)])
            $0.conduct?.outages = [.init("no-route", from: 0.2, until: nil)]
            $0.end(.error, at: 1.4, code: -1005)
        },
        NearMiss(.breaksOnFlapping, .read) {
            $0.fetch([.stalled(1, bytes: 40_000, at: 0, quiet: 1)])
            $0.conduct?.outages = [.init("silent", from: 0.2, until: nil)]
            $0.end(.error, at: 1.3, code: -1001)
        },
    ]

    private static let asleep: [NearMiss] = [
        // The client says so at once, and too late.
        NearMiss(.sleepsAsTold, .pauses, expect: "error within 1 s") {
            $0.fetch([busy(1, at: 0), busy(2, at: 0.4, retryAfter: 86_400)])
            $0.end(.error, at: 1.5, code: -1011)
        },
        // A client may wait for some minutes.
        NearMiss(.sleepsAsTold, .ranges, expect: "error within 1 s") {
            $0.fetch([
                .part(1, bytes: 50_000, at: 0, lasting: 1),
                .part(2, bytes: 24, asked: 50_000, status: 503, at: 0.01, lasting: 0.1, retryAfter: 600),
            ])
            $0.hang()
        },
        // How long a command sleeps that is not given its patience is unknown.
        NearMiss(.sleepsAsTold, .daemon, isCommand: true, isTold: false, expect: "error") {
            $0.fetch([busy(1, at: 0, retryAfter: 86_400)])
            $0.hang(after: 40)
        },
        // Some clients have a patience of an hour, and this one asks again then.
        NearMiss(.sleepsAsTold, .read, isCommand: true, expect: "error within 2 s") {
            $0.fetch([busy(1, at: 0, retryAfter: 3600), busy(2, at: 3600.1)])
            $0.hang(after: 3600.9)
        },
    ]

    /// When a client asks again.
    static let tries: [NearMiss] =
        asleep + [
            // An immediate first retry means nothing if the next pauses grow.
            NearMiss(
                .retriesWithoutBackOff, .pauses, isCommand: true, isTold: false, expect: "error within 5 s",
                words: [.backOff(leastSeconds: 0.1)]
            ) {
                $0.fetch([busy(1, at: 0), busy(2, at: 0.102), busy(3, at: 2.2), busy(4, at: 6.3), busy(5, at: 14.4)])
                $0.end(.error, at: 14.5, code: 1)
            },
            NearMiss(.retriesWithoutBackOff, .ranges, isCommand: true, isTold: false, expect: "error within 1 s") {
                // Two parts are refused side by side, and requested again side by side.
                $0.fetch([
                    busy(1, at: 0), busy(2, at: 0.01), busy(3, at: 0.5), busy(4, at: 0.51), busy(5, at: 1.6),
                    busy(6, at: 1.61),
                ])
                $0.end(.error, at: 1.8, code: 22)
            },
            // One immediate retry for each of two requests.
            NearMiss(.retriesWithoutBackOff, .daemon, expect: "error within 1 s") {
                $0.fetch([busy(1, at: 0), busy(2, at: 0.11), busy(3, at: 1), busy(4, at: 1.11)])
                $0.end(.error, id: "a", at: 0.25, code: -1011)
                $0.end(.error, id: "b", at: 1.25, code: -1011)
            },
            NearMiss(.retriesWithoutBackOff, .read, isCommand: true) {
                // The client asks for each next rest at once.
                $0.fetch([
                    .part(1, bytes: 40_000, at: 0, lasting: 0.5, end: .host),
                    .part(2, from: 40_000, bytes: 20_000, at: 0.51, lasting: 0.2, end: .host),
                    .part(3, from: 60_000, bytes: 40_000, at: 0.72),
                ])
                $0.end(.available)
            },
            NearMiss(.ignoresRetryAfter, .pauses) {
                $0.fetch([busy(1, at: 0, retryAfter: 1), .part(2, at: 1.11)])
                $0.end(.available)
            },
            NearMiss(.ignoresRetryAfter, .ranges, isCommand: true) {
                // The second part was already requested when the first one was refused.
                $0.fetch([
                    busy(1, at: 0, retryAfter: 1),
                    .part(2, from: 50_000, bytes: 50_000, at: 0.05, lasting: 1),
                    .part(3, bytes: 50_000, asked: 0, at: 1.2),
                ])
                $0.end(.available)
            },
            NearMiss(.ignoresRetryAfter, .daemon, expect: "error within 1 s") {
                $0.fetch([busy(1, at: 0, retryAfter: 120)])
                $0.end(.error, at: 1.1, code: -1011)
            },
            NearMiss(.ignoresRetryAfter, .read, isCommand: true) {
                // Timers of a busy machine are that imprecise.
                $0.fetch([busy(1, at: 0, retryAfter: 1), .part(2, at: 1.09)])
                $0.end(.available)
            },
        ]
}
