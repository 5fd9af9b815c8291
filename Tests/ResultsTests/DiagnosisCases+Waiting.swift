import Results

extension DiagnosisCase {
    /// The outcomes of requests, and their times.
    static let waiting: [DiagnosisCase] = [
        DiagnosisCase("waits for a body that stands", .noTimeout, expect: "error within 4 s") {
            $0.fetch(.part(1, bytes: 40_000, at: 0, lasting: 5, end: .client, faults: ["stall@40000"]))
            $0.conduct?.fetches?[0].lastByteSeconds = 0.3
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("waits for a head that never comes", .noTimeout, isCommand: true, expect: "error within 4 s") {
            $0.fetch(
                .init(
                    "p", number: 1, began: 0, ended: 5, end: .client, status: nil, bytes: 0, isWhole: false,
                    faults: ["no-head"]))
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("waits for a link that is silent", .noTimeout, expect: "error within 4 s") {
            $0.fetch()
            $0.conduct?.outages = [.init("silent", from: 0, until: nil)]
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("tries without end while the link is silent", .retriesForever, isCommand: true) {
            $0.fetch(.part(1, bytes: 40_000, lasting: 0.3, end: .client))
            $0.conduct?.outages = [outage("silent", from: 0.2, tries: 600, last: 910)]
            $0.hang(after: 911)
        },
        DiagnosisCase("tries without end where it is refused", .retriesForever, expect: "error within 4 s") {
            $0.fetch()
            $0.conduct?.outages = [outage("refused", from: 0, tries: 40, last: 4.9)]
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("gives up what is slow", .limitsTotalTime) {
            $0.fetch(.part(1, bytes: 70_000, lasting: 0.7, end: .client, faults: ["drip=1200kbit/s"]))
            $0.end(.error, at: 0.7, code: -1001)
        },
        DiagnosisCase("gives up in a pause of a body", .impatient) {
            $0.fetch(.stalled(1, bytes: 40_000, at: 0, quiet: 0.6))
            $0.end(.error, at: 0.81, code: -1001)
        },
        DiagnosisCase("gives up where a body has just begun to pause", .impatient, isCommand: true) {
            $0.fetch(.stalled(1, bytes: 40_000, at: 0, quiet: 0.1))
            $0.end(.error, at: 0.31, code: 28)
        },
        DiagnosisCase("gives up in a pause, and hears the host go on when it has left", .impatient) {
            $0.fetch(
                .part(
                    1, bytes: 54_000, at: 0, lasting: 0.8, end: .client, faults: ["stall@40000 for=600ms"]))
            $0.end(.error, at: 0.6, code: -1001)
        },
        DiagnosisCase("leaves a steady body for another reason than time") {
            $0.fetch(.part(1, bytes: 10_000, at: 0, lasting: 0.1, end: .client, faults: ["drip=800000bit/s"]))
            $0.end(.error, at: 0.1, code: -1017)
        },
        DiagnosisCase("gives up what is late", .impatient, isCommand: true) {
            $0.fetch(
                .init(
                    "p", number: 1, began: 0, ended: 0.5, end: .client, status: nil, bytes: 0, isWhole: false,
                    faults: ["late-head=800ms"]))
            $0.end(.error, at: 0.5, code: 28)
        },
        DiagnosisCase("gives up where connections are cut", .breaksOnFlapping) {
            $0.fetch(
                .part(1, bytes: 20_000, lasting: 0.3, end: .client),
                .part(2, from: 20_000, bytes: 20_000, at: 0.6, lasting: 0.4, end: .client))
            $0.conduct?.outages = [.init("cut", from: 0.3, until: 0.3), .init("cut", from: 1, until: 1)]
            $0.end(.error, at: 1.01, code: -1005)
        },
        DiagnosisCase("gives up as soon as the link is out", .breaksOnFlapping) {
            $0.fetch(.part(1, bytes: 20_000, lasting: 0.3, end: .client))
            $0.conduct?.outages = [.init("no-route", from: 0.3, until: 0.6)]
            $0.end(.error, at: 0.31, code: -1005)
        },
        DiagnosisCase("waits for a name", .blocksOnDNS, expect: "error within 4 s") {
            $0.fetch()
            $0.conduct?.lookupDelaySeconds = 30
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("says nothing of an error", .neverReportsError, expect: "error -1008 within 2 s") {
            $0.fetch(.part(1, bytes: 14, status: 404, lasting: 0.1))
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("forgets a request, and goes on with the next", .neverReportsError, expect: "error -1008") {
            $0.fetch(
                .part(1, bytes: 14, status: 404, lasting: 0.1),
                .part(2, bytes: 100_000, at: 1, lasting: 0.5))
            $0.conduct?.endedSeconds = 1.6
            $0.clientEnd = ClientEnd(exitStatus: 0)
            $0.end(.noCallback)
            $0.end(.available, id: "r2", at: 1.5) { $0.beganSeconds = 0.9 }
        },
        DiagnosisCase("leaves without a word", .neverReportsError, expect: "error -1008") {
            $0.fetch(.part(1, bytes: 14, status: 404, lasting: 0.1))
            $0.conduct?.endedSeconds = 0.2
            $0.clientEnd = ClientEnd(exitStatus: 1)
            $0.end(.noCallback)
        },
        DiagnosisCase("says another error", .wrongErrorCode, expect: "error network NSURLErrorDomain -1008") {
            $0.fetch(.part(1, bytes: 14, status: 404))
            $0.end(.error, code: -1)
        },
        DiagnosisCase("says it twice", .callsBackTwice, words: [.callbackOnce]) {
            $0.fetch(.part(1))
            $0.end(.available) { $0.repeatedNanoseconds = 5_100_000_000 }
            $0.requests[0].callbacks = 2
        },
    ]

    /// When the client asks again.
    static let tries: [DiagnosisCase] = [
        DiagnosisCase("storms", .retriesWithoutBackOff, words: [.retries(0...1)]) {
            $0.fetch(
                busy(1, at: 0), busy(2, at: 0.11), busy(3, at: 0.22), .part(4, at: 0.33))
            $0.end(.available)
        },
        DiagnosisCase("waits less than asked", .retriesWithoutBackOff, words: [.backOff(leastSeconds: 1)]) {
            $0.fetch(busy(1, at: 0), .part(2, at: 0.6))
            $0.end(.available)
        },
        DiagnosisCase("does not wait for the host", .ignoresRetryAfter, words: [.backOff(leastSeconds: 0.2)]) {
            $0.fetch(busy(1, at: 0, retryAfter: 2), .part(2, at: 0.6))
            $0.end(.available)
        },
        DiagnosisCase("never gives up", .retriesForever, expect: "error -1011 within 3 s") {
            $0.fetch(busy(1, at: 0), busy(2, at: 0.4), busy(3, at: 1), busy(4, at: 2), busy(5, at: 4))
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("sleeps for a day", .sleepsAsTold, expect: "error -1011 within 3 s") {
            $0.fetch(busy(1, at: 0, retryAfter: 86_400))
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("sleeps until 2100, and is told to end", .sleepsAsTold, expect: "error -1011 within 3 s") {
            $0.fetch(.part(1, bytes: 20_000, lasting: 0.3, end: .host), busy(2, at: 0.5, retryAfter: 2.3e9))
            $0.end(.error, at: 4.9, code: 3072, class: .unexpected)
            $0.clientEnd = ClientEnd(exitStatus: 143, wasStopped: true)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("sleeps for a week in the middle of its tries", .sleepsAsTold, isCommand: true, expect: "error") {
            $0.fetch(busy(1, at: 0), busy(2, at: 0.4), busy(3, at: 1.1, retryAfter: 604_800))
            $0.hang()
        },
    ]

    static func outage(_ kind: String, from: Double, tries: Int?, last: Double? = nil) -> ConductRecord.Outage {
        var outage = ConductRecord.Outage(kind, from: from, until: nil)
        (outage.tries, outage.lastTrySeconds) = (tries, last)
        return outage
    }

    static func busy(_ number: Int, at began: Double, retryAfter: Double? = nil) -> ConductRecord.Fetch {
        .part(number, bytes: 24, status: 503, at: began, lasting: 0.1, retryAfter: retryAfter)
    }
}
