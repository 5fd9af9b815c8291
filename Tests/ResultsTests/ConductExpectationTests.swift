import Testing

@testable import Results

/// Expectations of a client's conduct against hand-made attempts: kept, broken, and not observable.
@Suite("Expectations of conduct")
struct ConductExpectationTests {
    typealias Fetch = ConductRecord.Fetch
    typealias Request = ConductRecord.Request

    struct Case: Sendable, CustomTestStringConvertible {
        var expectation: ConductExpectation
        var verdict: Verdict
        var sentence: String
        var attempt: AttemptRecord

        init(
            _ expectation: ConductExpectation, _ verdict: Verdict, _ sentence: String,
            _ change: (inout AttemptRecord) -> Void
        ) {
            (self.expectation, self.verdict, self.sentence) = (expectation, verdict, sentence)
            attempt = AttemptRecord(number: 1, seed: Seed(1), conduct: ConductRecord())
            change(&attempt)
        }

        var testDescription: String { "\(expectation.word.rawValue): \(sentence)" }
    }

    static let calls: [Case] = [
        Case(.callbackOnce, .pass, "every request was called back once") {
            $0.requests = [.init(id: "r1", result: .available), .init(id: "r2", result: .error)]
        },
        Case(.callbackOnce, .fail, "attempt 1: 'r1' was called back 2 times") {
            $0.requests = [.init(id: "r1", result: .available, callbacks: 2)]
        },
        Case(.callbackOnce, .fail, "attempt 1: 'r1' was not called back") {
            $0.requests = [.init(id: "r1", result: .noCallback)]
        },
        Case(.callbackOnce, .infrastructure, "not evaluated: the outcome of the requests is unknown in attempt 1") {
            $0.requests = [.init(id: "r1", result: .unknown)]
        },
        Case(.endsBalanced, .pass, "every request that ended was reported as ended") {
            $0.conduct?.requests = [request("a", 1, isToEnd: true, isEnded: true), request("b", 2)]
        },
        Case(.endsBalanced, .pass, "the client reports no end") { $0.conduct?.requests = [request("a", 1)] },
        Case(.endsBalanced, .fail, "attempt 1: 'a' was not ended") {
            $0.conduct?.requests = [request("a", 1, isToEnd: true)]
        },
        Case(.endsBalanced, .fail, "attempt 1: a call was out of order: 'a': ended twice") {
            $0.conduct?.requests = [request("a", 1, isToEnd: true, isEnded: true)]
            $0.findings = [Finding(.requestMisused, "'a': ended twice")]
        },
        Case(.endsBalanced, .infrastructure, "not evaluated: the client reported no request in attempt 1") { _ in },
        Case(.notification(isPosted: true), .pass, "the low-space notification was posted once") {
            $0.conduct?.notifications = [.init(ConductRecord.Notification.lowSpace)]
        },
        Case(.notification(isPosted: true), .fail, "attempt 1: the low-space notification was not posted") {
            $0.conduct?.notifications = [.init("another")]
        },
        Case(
            .notification(isPosted: true), .fail,
            "attempt 1: the low-space notification was posted 3 times, for 2 requests"
        ) {
            $0.conduct?.requests = [request("a", 1), request("b", 1)]
            $0.conduct?.notifications = Array(repeating: .init(ConductRecord.Notification.lowSpace), count: 3)
        },
        Case(.notification(isPosted: false), .pass, "the low-space notification was not posted") {
            $0.conduct?.notifications = []
        },
        Case(.notification(isPosted: false), .fail, "attempt 1: the low-space notification was posted once") {
            $0.conduct?.notifications = [.init(ConductRecord.Notification.lowSpace)]
        },
        Case(
            .notification(isPosted: false), .infrastructure, "not evaluated: the client sent no events in attempt 1"
        ) { _ in },
        Case(.notification(isPosted: true), .pass, "the client reports no notification") {
            $0.conduct?.requests = [request("a", 1)]
        },
        Case(.order(["a", "b"]), .pass, "in this order") {
            $0.conduct?.requests = [request("b", 2), request("a", 1)]
        },
        Case(.order(["a", "b"]), .fail, "attempt 1: 'b' became available 1 s before 'a'") {
            $0.conduct?.requests = [request("a", 2), request("b", 1)]
        },
        Case(.order(["a", "b"]), .fail, "attempt 1: 'b' did not become available") {
            $0.conduct?.requests = [request("a", 1), .init("b", began: 0, calledBack: 2, isAvailable: false)]
        },
        Case(.order(["a", "b"]), .infrastructure, "not evaluated: the client reported no request in attempt 1") { _ in
        },
    ]

    static let storage: [Case] = [
        Case(.stored(["red"]), .pass, "stored: red") {
            $0.set(stored: [.init("p", name: "red")], wanted: [.init("p", name: "red")])
        },
        Case(.stored([]), .pass, "stored: none") { $0.set(stored: [], wanted: []) },
        Case(.stored(["red"]), .fail, "attempt 1: 'red' is not stored") {
            $0.set(stored: [], wanted: [.init("p", name: "red")])
        },
        Case(.stored([]), .fail, "attempt 1: 'red' is stored and should not be") {
            $0.set(stored: [.init("p", name: "red")], wanted: [])
        },
        Case(.stored(["red"]), .fail, "attempt 1: 'red' is stored, but has 3 bytes, and not 4") {
            $0.conduct?.stored = [.init("p", name: "red", problem: "has 3 bytes, and not 4")]
            $0.conduct?.toBeStored = [.init("p", name: "red")]
        },
        Case(
            .stored(["red"]), .infrastructure, "not evaluated: the client's store could not be read in attempt 1"
        ) { $0.conduct?.toBeStored = [.init("p", name: "red")] },
        Case(.refetched(mostBytes: 1024), .pass, "1 KiB crossed more than once") {
            $0.samples.set(.redundantBytes, 1024)
        },
        Case(.refetched(mostBytes: 1024), .fail, "attempt 1: 2 KiB crossed more than once (limit 1 KiB)") {
            $0.samples.set(.redundantBytes, 2048)
        },
        Case(
            .refetched(mostBytes: 0), .infrastructure,
            "not evaluated: it is unknown which bytes crossed more than once in attempt 1"
        ) { _ in },
        Case(.keeps([.otherFile]), .pass, "the earlier files are unchanged") {
            $0.conduct?.before = [.init(.otherFile, name: "a.txt")]
        },
        Case(.keeps([.otherFile]), .fail, "attempt 1: the earlier file 'a.txt' does not exist") {
            $0.conduct?.before = [.init(.otherFile, name: "a.txt", problem: "does not exist")]
        },
        Case(
            .keeps([.oldEdition]), .infrastructure,
            "not evaluated: nothing was put into the client's folders before it started in attempt 1"
        ) { $0.conduct?.before = [.init(.otherFile, name: "a.txt", problem: "does not exist")] },
        Case(.leavesNothing, .pass, "1 file begins like the pack") { $0.conduct?.copies = 1 },
        Case(.leavesNothing, .pass, "2 files begin like the pack") { $0.conduct?.copies = 2 },
        Case(.leavesNothing, .fail, "attempt 1: 3 files begin like the pack") { $0.conduct?.copies = 3 },
        Case(
            .leavesNothing, .infrastructure,
            "not evaluated: the remaining files could not be checked in attempt 1"
        ) { _ in },
        Case(.output("x"), .pass, "a line of the output matches") {
            $0.conduct?.output = .init(pattern: "x", isFound: true)
        },
        Case(.output("x"), .fail, "attempt 1: no line of the output matches") {
            $0.conduct?.output = .init(pattern: "x", isFound: false)
        },
        Case(.oracle("cmp a b"), .pass, "the oracle accepts what the command left") {
            $0.conduct?.oracle = .init(status: 0)
        },
        Case(.oracle("cmp a b"), .fail, "attempt 1: the oracle ended with status 1: a b differ") {
            $0.conduct?.oracle = .init(status: 1, says: "a b differ")
        },
        Case(.oracle("cmp a b"), .infrastructure, "not evaluated: the oracle could not be run in attempt 1") {
            $0.conduct?.oracle = .init(trouble: "the oracle could not be run")
        },
        Case(.output("x"), .infrastructure, "not evaluated: there was too much in attempt 1") {
            $0.conduct?.output = .init(pattern: "x", isFound: nil, trouble: "there was too much")
        },
    ]

    static let tries: [Case] = [
        Case(.retries(1...2), .pass, "each pack was requested once more") { $0.conduct?.packs = [pack("p", 2)] },
        Case(.retries(1...2), .pass, "packs were requested 1 to 2 times more") {
            $0.conduct?.packs = [pack("p", 2), pack("q", 3)]
        },
        Case(.retries(1...2), .fail, "attempt 1: 'q' was requested 3 times more, instead of 1-2") {
            $0.conduct?.packs = [pack("p", 2), pack("q", 4)]
        },
        Case(.retries(1...2), .fail, "attempt 1: 'p' was requested 0 times more, instead of 1-2") {
            $0.conduct?.packs = [pack("p", 1), pack("q", 2)]
        },
        Case(.retries(0...0), .pass, "no pack was requested") { $0.conduct?.packs = [] },
        Case(.retries(1...1), .fail, "attempt 1: no pack was requested") { $0.conduct?.packs = [] },
        Case(
            .retries(0...0), .infrastructure, "not evaluated: the host is not Headwind's in attempt 1"
        ) { _ in },
        Case(.backOff(leastSeconds: 0.5), .pass, "the shortest pause was 600 ms") {
            $0.conduct?.fetches = [failed(1, 0, 1), Fetch("p", number: 2, began: 1.6, ended: 2, bytes: 9)]
        },
        Case(
            .backOff(leastSeconds: 0.5), .fail,
            "attempt 1: try 2 for 'p' came 300 ms after try 1, instead of at least 500 ms"
        ) { $0.conduct?.fetches = [failed(1, 0, 1), Fetch("p", number: 2, began: 1.3, ended: 2, bytes: 9)] },
        Case(
            .backOff(leastSeconds: 0.5), .fail,
            "attempt 1: try 2 for 'p' came 0.6 s after try 1, instead of at least 2 s"
        ) {
            $0.conduct?.fetches = [
                failed(1, 0, 1, retryAfter: 2), Fetch("p", number: 2, began: 1.6, ended: 2, bytes: 9),
            ]
        },
        // The first retry of a command may come at once, and no other.
        Case(.backOff(leastSeconds: 0.5), .pass, "one more try came at once, and none after it") {
            $0.conduct?.isCommand = true
            $0.conduct?.fetches = [failed(1, 0, 1), Fetch("p", number: 2, began: 1, ended: 2, bytes: 9)]
        },
        Case(.backOff(leastSeconds: 0.5), .pass, "the shortest pause was 700 ms") {
            $0.conduct?.isCommand = true
            $0.conduct?.fetches = [
                failed(1, 0, 1), failed(2, 1, 2), Fetch("p", number: 3, began: 2.7, ended: 3, bytes: 9),
            ]
        },
        Case(
            .backOff(leastSeconds: 0.5), .fail,
            "attempt 1: try 3 for 'p' came 0 ms after try 2, instead of at least 500 ms"
        ) {
            $0.conduct?.isCommand = true
            $0.conduct?.fetches = [
                failed(1, 0, 1), failed(2, 1, 2), Fetch("p", number: 3, began: 2, ended: 3, bytes: 9),
            ]
        },
        Case(.backOff(leastSeconds: 0.5), .pass, "no try followed a failed one") {
            $0.conduct?.fetches = [
                Fetch("p", number: 1, began: 0, ended: 1, bytes: 9),
                Fetch("q", number: 1, began: 0.5, ended: 2, bytes: 9),
            ]
        },
        Case(
            .backOff(leastSeconds: 0.5), .infrastructure,
            "not evaluated: it is unknown when a failed try ended in attempt 1"
        ) {
            $0.conduct?.fetches = [failed(1, 0, 3), Fetch("p", number: 2, began: 3.1, ended: 4, bytes: 9)]
            $0.conduct?.outages = [.init("silent", from: 1, until: 2)]
        },
        Case(
            .backOff(leastSeconds: 0.5), .infrastructure, "not evaluated: the host is not Headwind's in attempt 1"
        ) { _ in },
    ]

    @Test("an attempt is judged", arguments: calls + storage + purging + tries + cancels)
    func judged(_ test: Case) {
        let check = test.expectation.judge([test.attempt])
        #expect(check.verdict == test.verdict)
        #expect(check.sentence == test.sentence)
        #expect(check.name == test.expectation.word.rawValue && check.kind == .expectation)
        #expect(check.brokenIn == (test.verdict == .fail ? [1] : []))
    }

    @Test("each word has a case of each verdict")
    func isComplete() {
        let all = Self.calls + Self.storage + Self.purging + Self.tries + Self.cancels
        for word in ConductExpectation.Word.allCases {
            let verdicts = Set(all.filter { $0.expectation.word == word }.map(\.verdict))
            #expect(verdicts == [.pass, .fail, .infrastructure], "\(word)")
        }
    }

    @Test("an unobserved attempt never passes", arguments: calls + storage + purging + tries + cancels)
    func unseen(_ test: Case) {
        #expect(test.expectation.judge([]).verdict == .infrastructure)
        let old = AttemptRecord(number: 1, seed: 1)
        #expect(test.expectation.judge([old]).verdict == .infrastructure)
        let crashed = AttemptRecord(number: 1, seed: Seed(1), findings: [Finding(.clientCrashed, "signal 11")])
        #expect(test.expectation.judge([crashed]).verdict == .fail)
    }

    private static func request(
        _ id: String, _ at: Double, isToEnd: Bool = false, isEnded: Bool = false
    ) -> Request {
        Request(id, began: 0, calledBack: at, isAvailable: true, isToEnd: isToEnd, isEnded: isEnded)
    }

    private static func pack(_ name: String, _ requests: Int) -> ConductRecord.Pack {
        .init(name, bytes: 9, requests: requests)
    }

    private static func failed(_ number: Int, _ from: Double, _ to: Double, retryAfter: Double? = nil) -> Fetch {
        Fetch("p", number: number, began: from, ended: to, status: 503, bytes: 4, retryAfter: retryAfter)
    }
}

extension AttemptRecord {
    fileprivate mutating func set(stored: [ConductRecord.Stored], wanted: [ConductRecord.Name]) {
        conduct?.stored = stored
        conduct?.toBeStored = wanted
    }
}
