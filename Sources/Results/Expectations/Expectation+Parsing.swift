import Wording

extension Expectation {
    /// Reads an expectation from one text.
    ///
    /// ```
    /// expectation = "here" | "not-here"
    ///             | ( "available" | "either" | "no callback" | "error" [ class ] [ domain ] [ code ] )
    ///               [ "within" number unit ]
    /// class       = "network" | "storage" | "unexpected"
    /// ```
    ///
    /// `available`, `available within 30 s`, `error -1009`, `error network NSURLErrorDomain -1009 within 20 s`.
    package init(_ text: String) throws(ExpectationError) {
        var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        var within: String?
        if let index = words.firstIndex(of: "within") {
            within = words[(index + 1)...].joined(separator: " ")
            words.removeSubrange(index...)
        }
        if words.starts(with: ["no", "callback"]) { words.replaceSubrange(0..<2, with: ["no callback"]) }
        let outcome = words.isEmpty ? "" : words.removeFirst()
        let errorClass = Self.take(&words) { ErrorClass(rawValue: $0) != nil }
        let code = words.last.flatMap(Int.init) == nil ? nil : words.removeLast()
        let domain = Self.take(&words) { _ in true }
        if errorClass == nil, let domain { try Self.checkClass(domain) }
        if let extra = words.first {
            throw ExpectationError(piece: .outcome, text: text, problem: "'\(extra)' is unexpected")
        }
        try self.init(outcome: outcome, domain: domain, code: code, errorClass: errorClass, within: within)
    }

    /// Makes an expectation from the pieces of a scenario.
    ///
    /// - Parameters:
    ///   - outcome: `available`, `error`, `either`, `no callback`, `here` or `not-here`.
    ///   - domain: The error's domain; nil for any. Clients may have domains of their own, so any word is accepted,
    ///     except one that is nearly a domain of Apple's.
    ///   - code: The error's number; nil for any.
    ///   - errorClass: `network`, `storage` or `unexpected`; nil for any.
    ///   - within: A time with its unit, from the request's begin; nil for the attempt's own deadline.
    /// - Throws: The piece that is wrong. An expectation that no client can meet is not an error.
    package init(
        outcome: String,
        domain: String? = nil,
        code: String? = nil,
        errorClass: String? = nil,
        within: String? = nil
    ) throws(ExpectationError) {
        let pieces: [(ExpectationError.Piece, String?)] = [(.domain, domain), (.code, code), (.class, errorClass)]
        let seconds = try Self.seconds(within)
        if outcome != "error", let (piece, text) = pieces.first(where: { $0.1 != nil }) {
            guard !Self.outcomes.contains(outcome) else {
                throw ExpectationError(
                    piece: piece, text: text ?? "", problem: "only 'error' takes a \(piece.rawValue)")
            }
        }
        switch outcome {
        case "available": self = .available(withinSeconds: seconds)
        case "either": self = .either(withinSeconds: seconds)
        case "no callback": self = .noCallback(withinSeconds: seconds)
        case "here", "not-here":
            if let within {
                throw ExpectationError(
                    piece: .within, text: within, problem: "an answer comes at once; leave out the time")
            }
            self = .answer(isHere: outcome == "here")
        case "error":
            let pattern = ErrorPattern(
                domain: try Self.domain(domain), code: try Self.code(code), errorClass: try Self.errorClass(errorClass))
            self = .error(pattern, withinSeconds: seconds)
        default:
            throw ExpectationError(
                piece: .outcome, text: outcome,
                problem: "use one of \(Self.outcomes.joined(separator: ", "))",
                suggestion: NearestName.of(outcome, in: Self.outcomes))
        }
    }

    /// A regular expression (ECMA-262) that matches the texts that ``init(_:)`` reads, with any word as an error's
    /// domain.
    package static let pattern: String = {
        let classes = ErrorClass.allCases.map(\.rawValue).joined(separator: "|")
        let error = "error(\\s+(\(classes)))?(\\s+(?!within\\b)\\S+)?(\\s+[+-]?[0-9]+)?"
        let time = MetricUnit.seconds.valuePattern
        return "^\\s*(here|not-here|(available|either|no\\s+callback|\(error))(\\s+within\\s+\(time))?)\\s*$"
    }()

    /// The outcomes that a scenario may name.
    package static let outcomes = ["available", "error", "either", "no callback", "here", "not-here"]

    private static func seconds(_ text: String?) throws(ExpectationError) -> Double? {
        guard let text else { return nil }
        do throws(BudgetError) {
            let budget = try Budget(key: Metric.timeToAvailable.rawValue, text: "max <= \(text)")
            if case .fixed(let seconds) = budget.bound, seconds > 0 { return seconds }
        } catch {
            throw ExpectationError(
                piece: .within, text: text, problem: "use a time with its unit, as in 'within 20 s'")
        }
        throw ExpectationError(piece: .within, text: text, problem: "use a time above 0, as in 'within 20 s'")
    }

    /// Throws if a word in the position of a domain is nearly a class.
    private static func checkClass(_ word: String) throws(ExpectationError) {
        let known = ErrorClass.allCases.map(\.rawValue)
        guard let meant = known.first(where: { NearestName.distance(word, $0) == 1 }) else { return }
        throw ExpectationError(
            piece: .class, text: word, problem: "use one of \(known.joined(separator: ", "))", suggestion: meant)
    }

    private static func domain(_ text: String?) throws(ExpectationError) -> String? {
        guard let text, let meant = ErrorDomain.meant(by: text) else { return text }
        throw ExpectationError(
            piece: .domain, text: text, problem: "Apple has no such error domain", suggestion: meant)
    }

    private static func code(_ text: String?) throws(ExpectationError) -> Int? {
        guard let text else { return nil }
        guard let code = Int(text) else {
            throw ExpectationError(piece: .code, text: text, problem: "use a whole number, such as -1009")
        }
        return code
    }

    private static func errorClass(_ text: String?) throws(ExpectationError) -> ErrorClass? {
        guard let text else { return nil }
        guard let errorClass = ErrorClass(rawValue: text) else {
            let known = ErrorClass.allCases.map(\.rawValue)
            throw ExpectationError(
                piece: .class, text: text, problem: "use one of \(known.joined(separator: ", "))",
                suggestion: NearestName.of(text, in: known))
        }
        return errorClass
    }

    private static func take(_ words: inout [String], if fits: (String) -> Bool) -> String? {
        guard let word = words.first, fits(word) else { return nil }
        return words.removeFirst()
    }
}

/// The error domains of Apple's frameworks, to distinguish a misspelt one from a client's own.
enum ErrorDomain {
    private static let known = [
        "NSURLErrorDomain", "NSCocoaErrorDomain", "NSPOSIXErrorDomain", "_NSBundleResourceRequestErrorDomain",
        "NSOSStatusErrorDomain", "NSMachErrorDomain", "NSStreamSocketSSLErrorDomain", "NSStreamSOCKSErrorDomain",
        "NSXMLParserErrorDomain", "NSNetServicesErrorDomain", "NSItemProviderErrorDomain", "NSSQLiteErrorDomain",
        "kCFErrorDomainCFNetwork",
    ]

    /// The domain of Apple's that a text probably means; nil if the text is one, or may be a client's own domain.
    ///
    /// The prefix `NS` is reserved for Apple, so it counts for more than the ending: domains such as `MyURLErrorDomain`
    /// and `GameErrorDomain` are clients' own, although other measures find them near enough. In a short name a single
    /// letter makes another word: `NSXMLErrorDomain`.
    static func meant(by text: String) -> String? {
        guard !known.contains(text) else { return nil }
        let plain = text.lowercased()
        let isApples = plain.hasPrefix("ns") || plain.hasPrefix("_ns")
        let near = known.map { ($0, NearestName.distance(plain, $0.lowercased())) }.min { $0.1 < $1.1 }
        if let (name, distance) = near, distance <= (isApples && name.count > 16 ? 2 : 1) { return name }
        guard isApples, plain.count > 4 else { return nil }
        return known.first { $0.lowercased().hasPrefix(plain) }
    }
}

/// Why a text is not an expectation: the wrong piece, what was expected, and the word that was probably meant.
package struct ExpectationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The piece of the expectation that is wrong.
    package enum Piece: String, Sendable { case outcome, domain, code, `class`, within }

    package var piece: Piece
    /// The piece as it was written.
    package var text: String
    /// What is wrong and what was expected, without a full stop.
    package var problem: String
    /// The nearest valid word; nil if none is near.
    package var suggestion: String?

    package var description: String {
        let hint = suggestion.map { "; did you mean '\($0)'?" } ?? ""
        return "expectation, \(piece.rawValue) '\(text)': \(problem)\(hint)"
    }
}
