/// Splits a budget's text into tokens, each with the column where it starts.
struct BudgetScanner {
    enum Token: Equatable {
        case word(String)
        case number(Double)
        case symbols(String)
        case plus
        case percent
        case other(Character)
        case end
    }

    /// The most characters that a text may have; a longer one is refused before it is scanned.
    static let longestText = 200

    private let characters: [Character]
    private var index = 0
    private(set) var token = Token.end
    /// The token as it is written.
    private(set) var tokenText = ""
    /// The column where the token starts, from 1.
    private(set) var column = 1

    /// Reads the first token.
    ///
    /// Throws if the text is longer than ``longestText``, or if its first token is a malformed number.
    init(_ text: String) throws(Problem) {
        characters = Array(text)
        guard characters.count <= Self.longestText else {
            throw Problem(column: 1, problem: "the text is longer than \(Self.longestText) characters")
        }
        try advance()
    }

    /// Reads the next token, and stays at the end; throws at a malformed number.
    mutating func advance() throws(Problem) {
        _ = take { $0.isWhitespace }
        column = index + 1
        guard index < characters.count else {
            (token, tokenText) = (.end, "")
            return
        }
        let first = characters[index]
        if Self.isDigit(first) || first == "." {
            token = .number(try number())
        } else if first.isLetter {
            tokenText = take { $0.isLetter || Self.isDigit($0) || "/_.".contains($0) }
            token = .word(tokenText)
        } else if Self.comparatorCharacters.contains(first) {
            tokenText = take { Self.comparatorCharacters.contains($0) }
            token = .symbols(tokenText)
        } else {
            index += 1
            tokenText = String(first)
            token = Self.single[first] ?? .other(first)
        }
    }

    private mutating func number() throws(Problem) -> Double {
        tokenText = take { Self.isDigit($0) || $0 == "." }
        let parts = tokenText.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }), let number = Double(tokenText) else {
            throw Problem(column: column, problem: "'\(tokenText)' is not a number; one looks like 12 or 0.5")
        }
        return number
    }

    private mutating func take(while belongs: (Character) -> Bool) -> String {
        let start = index
        while index < characters.count, belongs(characters[index]) { index += 1 }
        return String(characters[start..<index])
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
    private static let comparatorCharacters: Set<Character> = ["<", ">", "=", "!", "≤", "≥"]
    private static let single: [Character: Token] = ["+": .plus, "%": .percent, "×": .word("x"), "*": .word("x")]

    /// What is wrong at a column; ``BudgetError`` adds the key and the whole text.
    struct Problem: Error {
        let column: Int
        let problem: String
        var suggestion: String?
    }
}
