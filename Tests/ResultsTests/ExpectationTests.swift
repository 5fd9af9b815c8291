import Testing

@testable import Results

/// Headwind's type; the testing library has one of the same name.
private typealias Expectation = Results.Expectation

@Suite("Expectation")
struct ExpectationTests {
    private static let texts: [(String, Expectation)] = [
        ("available", .available()),
        ("available within 30 s", .available(withinSeconds: 30)),
        ("error", .error(.init())),
        ("error -1009", .error(.init(code: -1009))),
        ("error network", .error(.init(errorClass: .network))),
        (
            "error network NSURLErrorDomain -1009 within 20 s",
            .error(.init(domain: "NSURLErrorDomain", code: -1009, errorClass: .network), withinSeconds: 20)
        ),
        ("error exit 22", .error(.init(domain: "exit", code: 22))),
        // Domains of users, however similar to known ones.
        ("error MyURLErrorDomain -1", .error(.init(domain: "MyURLErrorDomain", code: -1))),
        ("error GameErrorDomain", .error(.init(domain: "GameErrorDomain"))),
        ("error NSXMLErrorDomain 2", .error(.init(domain: "NSXMLErrorDomain", code: 2))),
        ("error SKErrorDomain 2", .error(.init(domain: "SKErrorDomain", code: 2))),
        ("error URLError -1", .error(.init(domain: "URLError", code: -1))),
        ("error NSHTTPErrorDomain", .error(.init(domain: "NSHTTPErrorDomain"))),
        ("no callback", .noCallback()),
        ("no callback within 500 ms", .noCallback(withinSeconds: 0.5)),
        ("here", .answer(isHere: true)), ("not-here", .answer(isHere: false)),
    ]

    @Test("is read, and printed so that it reads back", arguments: texts)
    private func reads(_ text: String, _ expected: Expectation) throws {
        #expect(try Expectation(text) == expected)
        #expect(try text.wholeMatch(of: Regex(Expectation.pattern)) != nil)
        #expect(expected.description == text)
    }

    /// The pattern still accepts a wrong domain, and 0 s.
    @Test func thePatternRefusesMostMistakes() throws {
        let missed = try Self.mistakes.map(\.0).filter { try $0.wholeMatch(of: Regex(Expectation.pattern)) != nil }
        #expect(missed.allSatisfy { $0.hasPrefix("error ") || $0 == "available within 0 s" }, "\(missed)")
        #expect(missed.count == 10)
    }

    static let mistakes: [(String, ExpectationError.Piece, String?)] = [
        ("availible", .outcome, "available"), ("", .outcome, nil), ("erorr -1009", .outcome, "error"),
        ("available network", .class, nil), ("available -1009", .code, nil), ("available soon", .domain, nil),
        ("error a b c", .outcome, nil), ("available within", .within, nil), ("available within 20", .within, nil),
        ("available within 20 kB", .within, nil), ("available within 0 s", .within, nil),
        ("error NSURLErorDomain -1009", .domain, "NSURLErrorDomain"),
        ("error nsurlerrordomain", .domain, "NSURLErrorDomain"), ("error NSURLError", .domain, "NSURLErrorDomain"),
        ("error NURLErrorDomain", .domain, "NSURLErrorDomain"),
        ("error NSCocoaErrorDomian 4994", .domain, "NSCocoaErrorDomain"),
        ("error NSPosixErrorDomain 28", .domain, "NSPOSIXErrorDomain"),
        ("error NSBundleResourceRequestErrorDomain 100", .domain, "_NSBundleResourceRequestErrorDomain"),
        ("not-heer", .outcome, "not-here"), ("here within 1 s", .within, nil), ("here -1009", .code, nil),
        ("error netwrk -1009", .class, "network"), ("error Storage", .class, "storage"),
    ]

    @Test("is refused, with the wrong piece", arguments: mistakes)
    func refuses(_ text: String, _ piece: ExpectationError.Piece, _ hint: String?) throws {
        let error = try #require(throws: ExpectationError.self) { try Expectation(text) }
        #expect(error.piece == piece, "\(error)")
        #expect(error.suggestion == hint, "\(error)")
    }

    @Test("is built from the pieces of a scenario")
    func pieces() throws {
        let made = try Expectation(
            outcome: "error", domain: "NSCocoaErrorDomain", code: "4994", errorClass: "storage", within: "2 s")
        let pattern = Expectation.ErrorPattern(domain: "NSCocoaErrorDomain", code: 4994, errorClass: .storage)
        #expect(made == .error(pattern, withinSeconds: 2))
        let error = try #require(throws: ExpectationError.self) {
            try Expectation(outcome: "error", errorClass: "storge")
        }
        #expect(error.suggestion == "storage")
        #expect(throws: ExpectationError.self) { try Expectation(outcome: "error", code: "x") }
        #expect(throws: ExpectationError.self) { try Expectation(outcome: "available", domain: "x") }
    }

    static let available = RequestOutcome(id: "r", result: .available, seconds: 4)
    static let error = RequestOutcome(
        id: "r", result: .error, seconds: 4, domain: "NSURLErrorDomain", code: -1009, errorClass: .network)
    static let silent = RequestOutcome(id: "r", result: .noCallback)
    static let unknown = RequestOutcome(id: "r", result: .unknown)

    static let meetings: [(String, RequestOutcome, Bool)] = [
        ("available", available, true), ("available", error, false), ("available", silent, false),
        ("available", unknown, false), ("available within 4 s", available, true),
        ("available within 3.9 s", available, false),
        ("error", error, true), ("error", available, false), ("error", silent, false),
        ("error -1009", error, true), ("error -1001", error, false), ("error storage", error, false),
        ("error network NSURLErrorDomain -1009 within 5 s", error, true), ("error within 1 s", error, false),
        ("error NSCocoaErrorDomain", error, false),
        ("no callback", silent, true), ("no callback", available, false), ("no callback", unknown, false),
        ("no callback within 3 s", available, true), ("no callback within 4 s", available, false),
    ]

    @Test("is met, or not", arguments: meetings)
    func isMet(_ text: String, _ outcome: RequestOutcome, _ expected: Bool) throws {
        #expect(try Expectation(text).isMet(by: outcome) == expected)
    }

    /// An answer is judged apart from callbacks, and fails if a byte crossed the link for it.
    @Test(arguments: [
        (true, 0, Verdict.pass, Verdict.fail), (false, 0, .fail, .pass), (true, 1, .fail, .fail),
        (false, 2, .fail, .fail),
    ])
    func anAnswerIsJudged(isHere: Bool, fetches: Int, here: Verdict, notHere: Verdict) {
        var attempt = AttemptRecord(number: 1, seed: Seed(1), requests: [Self.error])
        attempt.answers = [RequestAnswer(id: "r", isHere: isHere, fetches: fetches)]
        for request in ["r", nil] {
            let expected = [true, false].map { RequestExpectation(.answer(isHere: $0), request: request) }
            #expect(expected.map { $0.judge([attempt]).verdict } == [here, notHere])
            #expect(expected.map(\.name) == (request == nil ? ["here", "not_here"] : ["r.here", "r.not_here"]))
        }
        if fetches > 0 {
            let sentence = RequestExpectation(.answer(isHere: isHere)).judge([attempt]).sentence
            #expect(sentence.contains("crossed the link for it"), "\(sentence)")
        }
        // A missing answer is unknown, and a failure if the client crashed.
        let other = RequestExpectation(.answer(isHere: isHere), request: "other")
        #expect(other.judge([attempt]).verdict == .infrastructure)
        attempt.findings = [Finding(.clientCrashed, "signal 11")]
        #expect(other.judge([attempt]).verdict == .fail)
    }

    @Test("is judged over all attempts and requests")
    func judged() {
        func attempt(_ number: Int, _ outcomes: RequestOutcome..., findings: [Finding] = []) -> AttemptRecord {
            AttemptRecord(number: number, seed: Seed(1), requests: outcomes, findings: findings)
        }
        let all = RequestExpectation(.available())
        #expect(all.judge([attempt(1, Self.available), attempt(2, Self.available)]).verdict == .pass)
        let failed = all.judge([attempt(1, Self.available), attempt(2, Self.error), attempt(3, Self.silent)])
        #expect(failed.verdict == .fail)
        #expect(failed.brokenIn == [2, 3])
        #expect(
            failed.sentence
                == "attempt 2: 'r' ended in NSURLErrorDomain -1009 (network) after 4 s, and 1 more")
        let alike = all.judge([attempt(1, Self.available), attempt(2, Self.error), attempt(3, Self.error)])
        #expect(
            alike.sentence
                == "'r' ended in NSURLErrorDomain -1009 (network) in 2 of 3 attempts (attempt 2: after 4 s)")
        let exited = { RequestOutcome(id: "command", result: .error, seconds: $0, domain: "exit", code: 1) }
        #expect(
            all.judge([attempt(1, exited(1.3)), attempt(2, exited(2))]).sentence
                == "the client exited with 1 in all 2 attempts (attempt 1: after 1.3 s)")
        #expect(all.judge([attempt(1, exited(1.3))]).sentence == "attempt 1: the client exited with 1 after 1.3 s")
        #expect(all.judge([attempt(1, Self.available), attempt(2, Self.unknown)]).verdict == .infrastructure)
        #expect(all.judge([attempt(1)]).verdict == .infrastructure)
        #expect(all.judge([]).verdict == .infrastructure)
        #expect(
            RequestExpectation(.available(), request: "q").judge([attempt(1, Self.available)]).verdict
                == .infrastructure)
        let crashed = attempt(1, Self.unknown, findings: [Finding(.clientCrashed, "signal 11")])
        #expect(all.judge([crashed]).verdict == .fail)
        #expect(RequestExpectation(.error(.init()), request: "r").name == "r.error")
    }
}
