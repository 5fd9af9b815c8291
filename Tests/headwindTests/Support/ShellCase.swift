import Testing

/// A line of the shell, and what it has to end with and to say.
struct ShellCase: Sendable, CustomTestStringConvertible {
    var line: String
    var status: Int32 = 0
    /// Parts of what it says on standard output.
    var output: [String] = []
    /// Parts of what it says on standard error.
    var errors: [String] = []
    /// What it says nowhere.
    var absent: [String] = []

    var testDescription: String { line }
}
