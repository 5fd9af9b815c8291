/// What must happen to a request.
package enum Expectation: Hashable, Sendable, Codable {
    /// It is called back without an error, within this many seconds of its begin if a number is given.
    case available(withinSeconds: Double? = nil)
    /// It is called back with an error that fits, within this many seconds of its begin if a number is given.
    case error(ErrorPattern, withinSeconds: Double? = nil)
    /// It is called back, with an error or without, within this many seconds of its begin if a number is given.
    case either(withinSeconds: Double? = nil)
    /// It is not called back, or, if a number is given, not within this many seconds of its begin.
    case noCallback(withinSeconds: Double? = nil)
    /// A conditional request answers whether all of its packs are stored, and no byte crosses the link for that.
    case answer(isHere: Bool)

    /// A pattern of errors; a property that is nil matches anything.
    package struct ErrorPattern: Hashable, Sendable, Codable {
        /// `NSURLErrorDomain`, `NSCocoaErrorDomain`, or `exit` for the status of a command.
        package var domain: String?
        package var code: Int?
        package var errorClass: ErrorClass?

        package init(domain: String? = nil, code: Int? = nil, errorClass: ErrorClass? = nil) {
            self.domain = domain
            self.code = code
            self.errorClass = errorClass
        }
    }
}

extension Expectation: CustomStringConvertible {
    /// The canonical text, which parses back to this expectation: `error network NSURLErrorDomain -1009 within 20 s`.
    package var description: String {
        outcome + (errorPattern?.words ?? "") + (withinSeconds.map { " within \(Quantity($0, .seconds))" } ?? "")
    }

    /// A name for checks that does not depend on times and codes: `available`, `error`, `either`, `no_callback`,
    /// `here`, `not_here`.
    package var name: String { String(outcome.map { $0.isLetter ? $0 : "_" }) }

    /// The outcome, as a scenario names it.
    private var outcome: String {
        switch self {
        case .available: "available"
        case .either: "either"
        case .error: "error"
        case .noCallback: "no callback"
        case .answer(let isHere): isHere ? "here" : "not-here"
        }
    }

    /// The time that is allowed, or in which no callback may come, in seconds; nil for none.
    package var withinSeconds: Double? {
        switch self {
        case .available(let seconds), .error(_, let seconds), .either(let seconds), .noCallback(let seconds): seconds
        case .answer: nil
        }
    }

    /// The errors that fit; nil if no error is expected.
    package var errorPattern: ErrorPattern? { if case .error(let pattern, _) = self { pattern } else { nil } }

    /// Whether it is about the answer to a conditional request, and not about a callback.
    package var isAboutAnswer: Bool { if case .answer = self { true } else { false } }
}

extension Expectation.ErrorPattern {
    /// Whether a request's error fits the pattern.
    func matches(_ outcome: RequestOutcome) -> Bool {
        (domain.map { $0 == outcome.domain ?? "" } ?? true) && (code.map { $0 == outcome.code ?? 0 } ?? true)
            && (errorClass.map { $0 == outcome.errorClass } ?? true)
    }

    fileprivate var words: String {
        [errorClass?.rawValue, domain, code.map(String.init)].compactMap { $0 }.map { " " + $0 }.joined()
    }
}

/// The kind of an error, for people.
package enum ErrorClass: String, CaseIterable, Codable, Sendable {
    case network
    case storage
    case unexpected
}

/// An expectation and the requests that it is about.
package struct RequestExpectation: Hashable, Sendable, Codable {
    /// The request's identifier; nil for every request of the workload.
    package var request: String?
    package var expectation: Expectation

    package init(_ expectation: Expectation, request: String? = nil) {
        self.request = request
        self.expectation = expectation
    }

    /// A name that is the same in every run: `available`, or `circle.error` for an expectation of one request.
    package var name: String { (request.map { $0 + "." } ?? "") + expectation.name }

    /// Whether it names this exit status of a command.
    package func expects(exit status: Int32) -> Bool { expectation.errorPattern?.code == Int(status) }

    /// Whether the expectation is about this request.
    func isAbout(_ outcome: RequestOutcome) -> Bool { (request ?? outcome.id) == outcome.id }

    /// Whether a request's outcome is the expected one, or the expectation is about another request.
    package func isMet(by outcome: RequestOutcome) -> Bool { !isAbout(outcome) || expectation.isMet(by: outcome) }
}
