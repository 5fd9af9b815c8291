import Testing

@testable import Results

/// What a run must have observed before a check holds.
@Suite("ClientReport.Need: no check holds unobserved")
struct ClientNeedTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var need: ClientReport.Need
        /// The reason why the check is not observable, or nil if it holds.
        var lack: String?
        var conduct: ConductRecord

        init(_ name: String, _ need: ClientReport.Need, _ lack: String? = nil, _ change: (inout ConductRecord) -> Void)
        {
            (testDescription, self.need, self.lack) = (name, need, lack)
            conduct = ConductRecord(isCommand: true, endedSeconds: 9, fetches: [])
            change(&conduct)
        }
    }

    private static let cut = ConductRecord.Fetch.part(
        1, bytes: 40_000, end: .host, faults: ["changed-content=+10", "cut@40000"])

    private static let alone = "two instances never downloaded at once"

    static let cases = [
        Case("known before", .digest) { _ in },
        Case("gives its token to one host", .credentials) {
            $0.fetches = [redirect(at: "http://a", with: "authorization"), part(2, at: "http://b")]
        },
        Case("asks first where it is led", .credentials) {
            $0.heads = [redirect(at: "http://a", with: "authorization")]
            $0.fetches = [part(2, at: "http://b")]
        },
        Case("does not send its token", .credentials, "no request with its credentials was redirected") {
            $0.fetches = [redirect(at: "http://a"), part(2, at: "http://b")]
        },
        Case("does not go where it is led", .credentials, "it never followed the redirect") {
            $0.fetches = [
                redirect(at: "http://a", with: "cookie"), part(2, at: "http://a", with: "cookie"),
            ]
        },
        Case("connects", .connection) { $0.firstConnectionSeconds = 0.1 },
        Case("connects nowhere", .connection, "it never connected") { _ in },
        Case("tries what is dead", .deadAddress) {
            $0.addresses = [.v4(.reachable, [0.4]), .v6(.silent, [0.1])]
        },
        Case("does not ask for what is dead", .deadAddress, "it never looked up an IPv6 address") {
            $0.addresses = [.v4(.reachable, [0.4]), .v6(.silent, lookups: 0)]
        },
        Case("takes the other one first", .deadAddress, "it never tried the IPv6 address") {
            $0.addresses = [.v4(.reachable, [0.4]), .v6(.silent)]
        },
        Case("is seen by nobody", .deadAddress, "the addresses that it tried are unknown") { _ in },
        Case("waits beside a free processor", .freeProcessor) {
            $0.silences = [.init(from: 1, until: 5, ran: 0.1), .init(from: 6, until: 10, ran: 3.9, waited: 0.1)]
        },
        Case(
            "waits for a processor", .freeProcessor,
            "it waited for a processor for 2.1 s of the 4 s in which the host was silent"
        ) { $0.silences = [.init(from: 1, until: 5), .init(from: 6, until: 10, ran: 1, waited: 2.1)] },
        Case("meets no silence", .freeProcessor, "it never waited for a silent host") { $0.silences = [] },
        Case(
            "is not looked at", .freeProcessor, "its processor time was not measured while the host was silent"
        ) { _ in },
        Case("asks over HTTP/2", .http2) {
            $0.fetches = [.part(1)]
            $0.fetches?[0].httpVersion = "HTTP/2"
        },
        Case("asks over HTTP/1.1", .http2, "it never sent a request over HTTP/2") { $0.fetches = [.part(1)] },
        Case("asks again", .secondTry) { $0.fetches = [.part(1, bytes: 0, status: 503), .part(2)] },
        Case("asks again when it was killed, of which the host hears late", .secondTry) {
            $0.fetches = [.part(1, bytes: 40_000, lasting: 3), .part(2, at: 1)]
            $0.fetches?[0].lastByteSeconds = 0.9
        },
        Case("asks once", .secondTry, "it never sent a second request") { $0.fetches = [.part(1)] },
        Case("asks twice more", .thirdTry) {
            $0.fetches = [.part(1, bytes: 0, status: 503), .part(2, bytes: 0, status: 503), .part(3)]
        },
        Case("asks again once", .thirdTry, "it never sent a third request") {
            $0.fetches = [.part(1, bytes: 0, status: 503), .part(2)]
        },
        Case("asks for parts at once", .secondTry, "it never sent a second request") {
            $0.fetches = [.part(1, lasting: 4), .part(2, from: 50_000, at: 0.1, lasting: 4)]
        },
        Case("asks for two packs", .secondTry, "it never sent a second request") {
            $0.fetches = [.part(1), .part(1, of: "q", at: 3)]
        },
        Case("leaves a part, and is started again", .failedStart) { $0.starts = again(after: 18) },
        Case("is through before it is started again", .failedStart, "its first start ended with status 0") {
            $0.fetches = [cut, .part(2, from: 40_000)]
            $0.starts = again(after: 0)
        },
        Case("is started beside one that downloads, and asks", .sideBySide) {
            $0.fetches = [.part(1, lasting: 4), .part(2, at: 1.5, lasting: 4)]
            $0.starts = [.init(began: 0, ended: 4, exitStatus: 0), .init(began: 1, ended: 6, exitStatus: 0)]
        },
        Case("is locked out", .sideBySide) {
            $0.fetches = [.part(1, lasting: 4)]
            $0.starts = [.init(began: 0, ended: 4, exitStatus: 0), .init(began: 1, ended: 1.2, exitStatus: 1)]
        },
        Case("is through before the other one begins", .sideBySide, Self.alone) {
            $0.fetches = [.part(1), .part(2, at: 1)]
            $0.starts = [.init(began: 0, ended: 0.9, exitStatus: 0), .init(began: 1, ended: 2, exitStatus: 0)]
        },
        Case("is slow to ask", .sideBySide, Self.alone) {
            $0.fetches = [.part(1, lasting: 2), .part(2, at: 3)]
            $0.starts = [.init(began: 0, ended: 2, exitStatus: 0), .init(began: 1, ended: 4, exitStatus: 0)]
        },
        Case("takes its time to ask, both times", .sideBySide) {
            $0.fetches = [.part(1, at: 1.5, lasting: 4), .part(2, at: 2.5, lasting: 4)]
            $0.starts = [.init(began: 0, ended: 6, exitStatus: 0), .init(began: 1, ended: 7, exitStatus: 0)]
        },
        Case("asks for parts at once, and is slow to", .sideBySide, Self.alone) {
            $0.fetches = [
                .part(1, bytes: 50_000, at: 1.5, lasting: 4),
                .part(2, from: 50_000, bytes: 50_000, at: 1.6, lasting: 4),
            ]
            $0.starts = [.init(began: 0, ended: 6, exitStatus: 0), .init(began: 1, ended: 7, exitStatus: 0)]
        },
        Case("is started once", .sideBySide, Self.alone) { $0.fetches = [.part(1)] },
        Case("goes on", .partialRequest) { $0.fetches = [cut, .part(2, from: 40_000, bytes: 60_000)] },
        Case("goes on, and gets the whole", .partialRequest) {
            $0.fetches = [cut, .part(2, asked: 40_000, status: 200)]
        },
        Case("begins anew", .partialRequest, "it never requested the rest of a pack") { $0.fetches = [cut, .part(2)] },
        Case("asks for a part of what never came", .partialRequest, "it never requested the rest of a pack") {
            $0.fetches = [.part(1, bytes: 0, status: 503), .part(2, from: 40_000, bytes: 60_000)]
        },
        Case("gets another edition", .changedEdition) { $0.fetches = [cut, .part(2, asked: 40_000, status: 200)] },
        Case("gets one edition", .changedEdition, "it never got two versions of a pack") { $0.fetches = [cut] },
        Case("gets nothing of the first edition", .changedEdition, "it never got two versions of a pack") {
            $0.fetches = [.part(1, bytes: 0, end: .host, faults: ["changed-content=+10", "cut@0"]), .part(2)]
        },
        Case("downloads when the link goes", .outage) {
            $0.fetches = [.part(1, at: 1, lasting: 2)]
            $0.outages = [out(from: 2, tries: 0)]
        },
        Case("tries while it is gone", .outage) { $0.outages = [out(from: 0, tries: 2)] },
        Case("tries where nobody sees it", .outage) { $0.outages = [out(from: 0, tries: nil)] },
        Case("is through before", .outage, "it never tried to download while the link was out") {
            $0.fetches = [.part(1, at: 0.5)]
            $0.outages = [out(from: 2, tries: 0)]
        },
        Case("is cut, which is not an outage", .outage, "it never tried to download while the link was out") {
            $0.outages = [.init("cut", from: 1, until: 1)]
        },
        Case("is killed with a part", .savedPart) { $0.kills = [.init(seconds: 1, savedBytes: 1_048_576)] },
        Case("is killed with nothing", .savedPart, "it had saved nothing when it was killed") {
            $0.kills = [.init(seconds: 1, savedBytes: 1_048_576), .init(seconds: 2, savedBytes: 300)]
        },
        Case("keeps its part where nobody looks", .savedPart) {
            $0.kills = [.init(seconds: 1, savedBytes: nil)]
            $0.fetches = [cut, .part(2, from: 40_000, bytes: 60_000)]
        },
        Case("is not killed", .savedPart, "it was not killed") { _ in },
    ]

    private static func again(after status: Int) -> [ConductRecord.Start] {
        [.init(began: 0, ended: 1, exitStatus: status), .init(began: 3, ended: 4, exitStatus: 0)]
    }

    private static func redirect(at origin: String, with credentials: String? = nil) -> ConductRecord.Fetch {
        part(1, at: origin, with: credentials, status: 302)
    }

    private static func part(
        _ number: Int, at origin: String, with credentials: String? = nil, status: Int = 200
    ) -> ConductRecord.Fetch {
        var fetch = ConductRecord.Fetch.part(number, status: status)
        (fetch.origin, fetch.credentials) = (origin, credentials)
        return fetch
    }

    private static func out(from: Double, tries: Int?) -> ConductRecord.Outage {
        var outage = ConductRecord.Outage("silent", from: from, until: from + 1)
        outage.tries = tries
        return outage
    }

    @Test(arguments: cases) func isSeen(_ test: Case) {
        #expect(test.need.lack(in: test.conduct) == test.lack)
    }

    @Test func everyNeedHasCases() {
        #expect(Set(Self.cases.map(\.need)).union([.authority]) == Set(ClientReport.Need.allCases))
    }

    /// Only a check that would hold is changed: a failure stays one, whatever was not observed.
    @Test(arguments: [(true, ClientReport.Answer.notObservable), (false, .fails)])
    func aLackChangesOnlyHoldingChecks(_ isAsExpected: Bool, _ answer: ClientReport.Answer) {
        let plan = CellPlan(expectations: [RequestExpectation(.available())], attempts: 1)
        let outcome = RequestOutcome(
            id: "command", result: isAsExpected ? .available : .error, seconds: 1,
            domain: isAsExpected ? nil : "exit", code: isAsExpected ? nil : 1)
        let conduct = ConductRecord(isCommand: true, endedSeconds: 1, fetches: [.part(1)])
        let attempt = AttemptRecord(number: 1, seed: Seed(1), requests: [outcome], conduct: conduct)
        let cell = CellResult(
            scenario: "a", link: LinkFacts(profile: "p", backend: "packet", fidelity: "packet"), plan: plan,
            attempts: [attempt], startedAt: "", durationSeconds: 1)
        let row = ClientReport.Row(name: "a", says: "A", of: cell, needs: [.secondTry])
        #expect(row.answer == answer, "\(row)")
        #expect(row.detail.contains("it never sent a second request") == isAsExpected, "\(row)")
        #expect(ClientReport.Row(name: "a", says: "A", of: cell).answer == (isAsExpected ? .holds : .fails))
    }
}
