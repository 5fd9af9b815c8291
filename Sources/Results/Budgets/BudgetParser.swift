import Wording

/// Parses the grammar of ``Budget`` from left to right, with one token of lookahead.
struct BudgetParser {
    typealias Problem = BudgetScanner.Problem

    private var scanner: BudgetScanner
    private let metric: Metric

    init(_ text: String, _ metric: Metric) throws(Problem) {
        scanner = try BudgetScanner(text)
        self.metric = metric
    }

    /// Reads `[ statistic ] comparator bound`.
    mutating func limit() throws(Problem) -> Budget {
        let statistic = try self.statistic()
        let comparator = try self.comparator(after: statistic)
        let bound = try self.bound()
        try end()
        return Budget(metric, statistic, comparator, bound)
    }

    /// Reads `monotonic`, `ends at 1` or `honest within 2%`.
    mutating func phrase() throws(Problem) -> Budget {
        let phrases = Metric.allCases.compactMap(\.phrase)
        let problem = "use one of the phrases \(phrases.joined(separator: ", ")) 2%"
        guard case .word(let first) = scanner.token,
            let metric = Metric.allCases.first(where: { $0.phrase?.split(separator: " ").first == Substring(first) })
        else {
            let firsts = phrases.compactMap { $0.split(separator: " ").first.map(String.init) }
            throw unexpected(problem, near: firsts)
        }
        for word in metric.phrase?.split(separator: " ") ?? [] {
            guard scanner.tokenText == word else { throw unexpected("'\(word)' is expected", near: [String(word)]) }
            try scanner.advance()
        }
        guard metric.unit != .truth else {
            try end()
            return Budget(metric, .each, .equal, .fixed(1))
        }
        let value = try self.value()
        try end()
        return Budget(metric, .each, .atMost, .fixed(value))
    }

    private mutating func statistic() throws(Problem) -> Statistic {
        let known = "\(Statistic.words.joined(separator: ", "))"
        switch scanner.token {
        case .symbols("=="):
            return .each
        case .symbols:
            throw unexpected("a statistic is expected before '\(scanner.tokenText)': one of \(known)")
        case .word(let word):
            guard let statistic = Statistic(word: word) else {
                throw unexpected(
                    "'\(word)' is not a statistic; use one of \(known) (p1 to p99)", near: Statistic.words)
            }
            try scanner.advance()
            return statistic
        default:
            throw unexpected("a statistic is expected: one of \(known)")
        }
    }

    private mutating func comparator(after statistic: Statistic) throws(Problem) -> Comparator {
        let known = Comparator.allCases.map(\.rawValue).joined(separator: ", ")
        guard case .symbols(let symbols) = scanner.token, let comparator = Comparator(rawValue: symbols) else {
            var problem = unexpected("a comparator is expected after the statistic: one of \(known)")
            problem.suggestion = Comparator.meant(by: scanner.tokenText)?.rawValue
            throw problem
        }
        if comparator == .equal, !metric.isNoiseFree {
            throw unexpected("'==' never holds for \(metric.rawValue), because its values have noise; use <= or >=")
        }
        if case .percentile(let percent) = statistic, percent > 50 ? !comparator.isUpperLimit : !comparator.isLowerLimit
        {
            let use = percent > 50 ? "<= or <" : ">= or >"
            throw unexpected("p\(percent) needs \(use), so that too few attempts cannot pass")
        }
        try scanner.advance()
        return comparator
    }

    private mutating func bound() throws(Problem) -> Bound {
        guard case .number(let number) = scanner.token else {
            throw unexpected("a number is expected after the comparator")
        }
        let column = scanner.column
        try scanner.advance()
        guard scanner.token == .word("x") else { return .fixed(try value(number, at: column)) }
        try scanner.advance()
        let bases = metric.definition.bases.map(\.rawValue)
        guard case .word(let word) = scanner.token, let basis = Basis(rawValue: word), bases.contains(word) else {
            let list = bases.joined(separator: ", ")
            throw unexpected("after 'x', \(metric.rawValue) can be compared with: \(list)", near: bases)
        }
        guard number > 0 else { throw Problem(column: column, problem: "a multiple of 0 is always 0") }
        try scanner.advance()
        guard scanner.token == .plus else { return .multiple(factor: number, of: basis) }
        try scanner.advance()
        return .multiple(factor: number, of: basis, plus: try value())
    }

    private mutating func value() throws(Problem) -> Double {
        guard case .number(let number) = scanner.token else { throw unexpected("a number is expected") }
        let column = scanner.column
        try scanner.advance()
        return try value(number, at: column)
    }

    /// Reads the unit after a number; returns the number in base units.
    ///
    /// 0 needs no unit, because it is the same in every unit.
    private mutating func value(_ number: Double, at column: Int) throws(Problem) -> Double {
        let symbols = metric.unit.symbols
        let written = scanner.token == .percent ? "%" : scanner.tokenText
        if let symbol = symbols.first(where: { $0.text == written }) {
            try scanner.advance()
            return symbol.base(number)
        }
        let ends = scanner.token == .end || scanner.token == .plus
        if ends, number == 0 { return 0 }
        guard symbols.isEmpty else {
            let list = symbols.map(\.text).joined(separator: ", ")
            let what = ends ? "a unit is expected after the number" : "'\(written)' is not a unit of \(metric.rawValue)"
            var problem = unexpected("\(what): one of \(list)")
            problem.suggestion = ends ? nil : metric.unit.symbolMeant(by: written)
            throw problem
        }
        guard ends else { throw unexpected("\(metric.rawValue) is a count and has no unit") }
        guard number == number.rounded() else {
            throw Problem(column: column, problem: "\(metric.rawValue) is a count, so use a whole number")
        }
        return number
    }

    private func end() throws(Problem) {
        guard scanner.token != .end else { return }
        throw unexpected("'\(scanner.tokenText)' is unexpected here")
    }

    private func unexpected(_ problem: String, near candidates: [String] = []) -> Problem {
        let word = if case .word(let word) = scanner.token { word } else { "" }
        let suggestion = word.isEmpty ? nil : NearestName.of(word, in: candidates)
        return Problem(column: scanner.column, problem: problem, suggestion: suggestion == word ? nil : suggestion)
    }
}

extension Budget {
    /// Reads a budget as a scenario states it: `time_to_available` and `median <= 1.2 x ideal + 12 s`.
    ///
    /// Checks everything against the metric: statistic, comparator, unit, and whether the metric allows the basis.
    /// Throws if the budget could never be evaluated. A limit that no client can keep is not an error.
    package init(key: String, text: String) throws(BudgetError) {
        let metric = key == Self.progressKey ? Metric.progressDeviation : Metric(rawValue: key)
        guard let metric, key == Self.progressKey || metric.phrase == nil else {
            throw BudgetError(
                key: key, text: text, column: nil,
                problem: "'\(key)' is not a metric; use one of \(Self.keys.joined(separator: ", "))",
                suggestion: NearestName.of(key, in: Self.keys))
        }
        do throws(BudgetScanner.Problem) {
            var parser = try BudgetParser(text, metric)
            self = try metric.phrase == nil ? parser.limit() : parser.phrase()
        } catch {
            throw BudgetError(
                key: key, text: text, column: error.column, problem: error.problem, suggestion: error.suggestion)
        }
    }
}

extension Budget {
    /// A regular expression (ECMA-262) that matches the texts allowed under a key of ``keys``.
    ///
    /// The JSON schema of scenarios contains it. It matches every text that ``init(key:text:)`` reads. It also matches
    /// some that the initializer refuses, such as a percentile above the median with a lower limit.
    package static func pattern(key: String) -> String {
        guard let metric = Metric.namedInBudgets.first(where: { $0.rawValue == key }) else { return phrasePattern }
        let isNoiseFree = metric.isNoiseFree
        let comparators = Comparator.allCases.filter { $0 != .equal || isNoiseFree }.map(\.rawValue)
        let statistic = "(min|max|median|each|p[1-9][0-9]?)\\s*(\(comparators.joined(separator: "|")))"
        let value = metric.unit.valuePattern
        let bases = metric.definition.bases.map(\.rawValue).joined(separator: "|")
        let multiple = "[0-9]+(\\.[0-9]+)?\\s*[x×*]\\s*(\(bases))(\\s*\\+\\s*\(value))?"
        return "^\\s*(\(statistic)\(isNoiseFree ? "|==" : ""))\\s*(\(value)|\(multiple))\\s*$"
    }

    /// The pattern of the phrases `monotonic`, `ends at 1` and `honest within 2%`.
    private static var phrasePattern: String {
        let phrases = Metric.allCases.compactMap { metric in
            metric.phrase.map { phrase in
                let words = phrase.split(separator: " ").joined(separator: "\\s+")
                return metric.unit == .truth ? words : "\(words)\\s*\(metric.unit.valuePattern)"
            }
        }
        return "^\\s*(\(phrases.joined(separator: "|")))\\s*$"
    }
}

/// Why a text is not a budget: the place, the problem, and the word that was probably meant.
package struct BudgetError: Error, Hashable, Sendable {
    /// The key under which the text stands.
    package var key: String
    package var text: String
    /// The place in the text, in characters from 1; nil if the key is wrong.
    package var column: Int?
    /// What is wrong and what was expected, without a full stop.
    package var problem: String
    /// The nearest valid word, as a budget writes it; nil if none is near.
    package var suggestion: String?
}

extension BudgetError: CustomStringConvertible {
    /// The problem and the suggestion in one line, without the place.
    package var message: String {
        suggestion.map { "\(problem); did you mean '\($0)'?" } ?? problem
    }

    package var description: String {
        let place = column.map { ": \(text): column \($0)" } ?? ""
        return "budget \(key)\(place): \(message)"
    }
}
