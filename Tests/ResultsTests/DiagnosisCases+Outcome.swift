import Results

extension DiagnosisCase {
    /// Failures that are never reported, and outcomes that come too late.
    static let outcomes: [DiagnosisCase] = [
        DiagnosisCase("leaves, and makes no other request", .neverReportsError, expect: "error -1008") {
            $0.fetch(.part(1, bytes: 14, status: 404, lasting: 0.1))
            $0.conduct?.endedSeconds = 0.2
            $0.clientEnd = ClientEnd(exitStatus: 1)
            $0.end(.noCallback)
            $0.requests.append(.init(id: "again", result: .unknown))
            $0.findings = [Finding(.clientFailed, "'client' ended with status 1 and never began 'again'")]
        },
        DiagnosisCase(
            "calls back only when it is ended", .neverReportsError,
            expect: "error network NSURLErrorDomain -1008 within 2 s"
        ) {
            $0.fetch(.part(1, bytes: 14, status: 404, lasting: 0.1))
            $0.end(.error, at: 4.9, code: 3072, class: .unexpected)
            $0.clientEnd = ClientEnd(exitStatus: 143, wasStopped: true)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("fetches what is wrong for ever", .refetchesWhole, expect: "error -1016 within 4 s") {
            $0.fetch(wrong(1), wrong(2), wrong(3), wrong(4), wrong(5))
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("goes where it is sent for ever", .retriesForever, expect: "error -1007 within 4 s") {
            $0.fetch(sent(1), sent(2), sent(3), sent(4), sent(5))
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("says nothing of a wrong hash", .neverReportsError, expect: "error -1016 within 4 s") {
            $0.fetch(wrong(1), wrong(2))
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase(
            "says nothing of a certificate", .neverReportsError, expect: "error NSURLErrorDomain -1201 within 3 s"
        ) {
            $0.fetch()
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("says nothing of a name that is none", .neverReportsError, expect: "error -1003 within 3 s") {
            $0.fetch()
            $0.conduct?.outages = [past("no-name", from: 0, until: 3, tries: 1, last: 0.1)]
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("asks for a name that is none for ever", .blocksOnDNS, expect: "error -1003 within 3 s") {
            $0.fetch()
            $0.conduct?.outages = [outage("no-name", from: 0, tries: 30, last: 4.8)]
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("sits a silent link out", .noTimeout, expect: "error -1001 within 4 s") {
            $0.fetch(
                .part(1, bytes: 40_000, lasting: 0.3, end: .client),
                .part(2, from: 40_000, bytes: 60_000, at: 3.4, lasting: 0.4))
            $0.conduct?.outages = [past("silent", from: 0.3, until: 3.3, tries: 1, last: 0.4)]
            $0.end(.available, at: 3.9)
        },
        DiagnosisCase("asks until a link comes back", .retriesForever, expect: "error -1005 within 4 s") {
            $0.fetch(
                .part(1, bytes: 40_000, lasting: 0.3, end: .client),
                .part(2, from: 40_000, bytes: 60_000, at: 3.4, lasting: 0.4))
            $0.conduct?.outages = [past("refused", from: 0.3, until: 3.3, tries: 5, last: 3)]
            $0.end(.available, at: 3.9)
        },
        DiagnosisCase("sits a lookup out", .blocksOnDNS, expect: "error -1001 within 4 s") {
            $0.fetch(.part(1, at: 2.1))
            $0.conduct?.lookupDelaySeconds = 2
            $0.end(.available, at: 2.7)
        },
        DiagnosisCase("ends well by its own limit", .neverReportsError, isCommand: true, expect: "error") {
            $0.fetch(.part(1, bytes: 40_000, lasting: 2, end: .client, faults: ["stall@40000"]))
            $0.end(.available, at: 2)
            $0.findings = [Finding(.contentIncomplete, "")]
        },
        DiagnosisCase("ends well where it is refused", .neverReportsError, isCommand: true, expect: "error") {
            $0.fetch()
            $0.conduct?.firstConnectionSeconds = 0.1
            $0.end(.available, at: 0.3)
            $0.findings = [Finding(.contentIncomplete, "")]
        },
    ]

    /// Clients that do right what these rules check, and fail for another reason.
    static let goodOutcomes: [DiagnosisCase] = [
        DiagnosisCase("gets over a cut, and then says an error") {
            $0.fetch(
                .part(1, bytes: 40_000, lasting: 0.3, end: .client),
                .part(2, from: 40_000, bytes: 60_000, at: 0.6, lasting: 0.4))
            $0.conduct?.outages = [.init("cut", from: 0.3, until: 0.3)]
            $0.end(.error, at: 1.1, code: -1)
        },
        DiagnosisCase("waits as long as the host says", expect: "error -1011 within 2 s") {
            $0.fetch(busy(1, at: 0, retryAfter: 120))
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("may wait for what nobody sees", expect: "error -1001 within 3 s") {
            $0.fetch()
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("does not look a name up that nobody sees", expect: "error -1003 within 3 s") {
            $0.fetch()
            $0.conduct?.outages = [past("no-name", from: 0, until: 3, tries: 0, last: nil)]
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("goes on where the link was out for a moment", expect: "error -1005 within 4 s") {
            $0.fetch(
                .part(1, bytes: 40_000, lasting: 0.3, end: .client),
                .part(2, from: 40_000, bytes: 60_000, at: 1.5, lasting: 0.4))
            $0.conduct?.outages = [past("silent", from: 0.3, until: 1.4, tries: 1, last: 0.4)]
            $0.end(.available, at: 2)
        },
        DiagnosisCase("has what it needs before the link is out", expect: "error -1001 within 4 s") {
            $0.fetch(.part(1, lasting: 0.3))
            $0.conduct?.outages = [past("silent", from: 0.35, until: 3.3, tries: 0, last: nil)]
            $0.end(.available, at: 3.5)
        },
        DiagnosisCase("fetches once more from zero, and says it late", expect: "error -1016 within 1 s") {
            $0.fetch(wrong(1), wrong(2))
            $0.end(.error, at: 1.6, code: -1016)
        },
    ]

    /// An outage that ended before the client did.
    private static func past(
        _ kind: String, from: Double, until: Double, tries: Int?, last: Double?
    ) -> ConductRecord.Outage {
        var past = outage(kind, from: from, tries: tries, last: last)
        past.untilSeconds = until
        return past
    }

    /// The whole pack with one changed byte.
    private static func wrong(_ number: Int) -> ConductRecord.Fetch { .part(number, faults: ["corrupt@500"]) }

    /// A redirect to another address, which redirects back.
    private static func sent(_ number: Int) -> ConductRecord.Fetch {
        .part(number, bytes: 0, status: 302, lasting: 0.1, faults: ["redirect='?again' status=302"])
    }
}
