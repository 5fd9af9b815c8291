import Testing

/// A text and its expected problems.
struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let problems: [String]

    init(_ name: String, _ text: String, _ problems: String...) {
        self.name = name
        self.text = text
        self.problems = problems
    }

    var testDescription: String { name }
}
