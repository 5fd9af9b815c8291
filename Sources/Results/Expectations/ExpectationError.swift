/// Why an expectation cannot be taken: which piece, what was expected, and the word that was probably meant.
package struct ExpectationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The piece of the expectation that is wrong.
    package enum Piece: String, Sendable { case outcome, domain, code, `class`, within }

    package var piece: Piece
    /// The piece as it was written.
    package var text: String
    /// What is wrong and what was expected, without a full stop.
    package var problem: String
    /// The nearest valid word; nil where none is near.
    package var suggestion: String?

    package var description: String {
        let hint = suggestion.map { "; did you mean '\($0)'?" } ?? ""
        return "expectation, \(piece.rawValue) '\(text)': \(problem)\(hint)"
    }
}
