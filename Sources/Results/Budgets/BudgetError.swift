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
