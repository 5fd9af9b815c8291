import Wording

/// The outcome of one request of the workload in one attempt.
///
/// A command is one request, called `command`: status 0 is available, and any other status is an error of the domain
/// `exit` with the status as its code.
package struct RequestOutcome: Hashable, Sendable, Codable {
    /// How a request ended.
    package enum Result: String, CaseIterable, Codable, Sendable {
        case available
        case error
        /// It began, and was not called back until the attempt ended.
        case noCallback = "no_callback"
        /// Unknown: the events are missing.
        case unknown
    }

    package var id: String
    package var tags: [String]
    package var result: Result
    /// The time from begin to callback; nil without a callback.
    package var seconds: Double?
    /// How often it was called back; more than once is the client's fault.
    package var callbacks: Int
    package var domain: String?
    package var code: Int?
    package var errorClass: ErrorClass?
    package var message: String?

    package init(
        id: String,
        tags: [String] = [],
        result: Result,
        seconds: Double? = nil,
        callbacks: Int? = nil,
        domain: String? = nil,
        code: Int? = nil,
        errorClass: ErrorClass? = nil,
        message: String? = nil
    ) {
        self.id = id
        self.tags = tags
        self.result = result
        self.seconds = seconds?.finite
        self.callbacks = callbacks ?? (result == .available || result == .error ? 1 : 0)
        self.domain = domain
        self.code = code
        self.errorClass = errorClass
        self.message = message
    }

    private enum CodingKeys: String, CodingKey {
        case id, tags, result, seconds, callbacks, domain, code, message
        case errorClass = "class"
    }
}

extension RequestOutcome: CustomStringConvertible {
    /// What happened, as part of a sentence: `'r1' ended in NSURLErrorDomain -1001 (network) after 60.1 s`.
    package var description: String { what + after }

    /// The time of the outcome and the words of an unexpected error: ` after 60.1 s`; empty if neither is known.
    var after: String {
        guard result == .available || result == .error else { return "" }
        let words = result == .error && errorClass == .unexpected ? message.map { ": \($0)" } ?? "" : ""
        return (seconds.map { " after \(Quantity($0, .seconds).rounded())" } ?? "") + words
    }

    /// What happened, without the time, so that attempts that ended alike have the same text.
    var what: String {
        switch result {
        case .available where id == "command": return "the client exited with 0"
        case .available: return "'\(id)' became available"
        case .noCallback: return "'\(id)' was not called back"
        case .unknown: return "the outcome of '\(id)' is unknown"
        case .error:
            if domain == "exit", let code { return "the client exited with \(code)" }
            let numbers = [domain, code.map(String.init)].compactMap { $0 }.joined(separator: " ")
            let kind = errorClass.map { " (\($0.rawValue))" } ?? ""
            return "'\(id)' ended in \(numbers.isEmpty ? "an error" : numbers)\(kind)"
        }
    }
}

/// The answer to an app that asked, without the network, whether everything that a request needs is stored.
package struct RequestAnswer: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The request's identifier.
    package var id: String
    package var isHere: Bool
    /// How many requests for its packs or for lists reached the host for no other reason than this question.
    package var fetches: Int

    package init(id: String, isHere: Bool, fetches: Int = 0) {
        (self.id, self.isHere, self.fetches) = (id, isHere, fetches)
    }

    private enum CodingKeys: String, SnakeCaseKey {
        case id, fetches
        case isHere = "is_here"
    }

    /// What happened, as part of a sentence.
    package var description: String {
        "'\(id)' was answered '\(isHere ? "here" : "not-here")'"
            + (fetches == 0 ? "" : ", and \(fetches.counted("request")) crossed the link for it")
    }
}
