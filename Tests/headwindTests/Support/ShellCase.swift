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

    /// Expects that the line ended and said what it has to.
    func check(_ answer: ExecRun.Answer) {
        let (said, errors) = (answer.output, answer.errors)
        #expect(answer.status == status, "\(said)\(errors)")
        for text in output { #expect(said.contains(text.replacing("\\n", with: "\n")), "\(said)\(errors)") }
        for text in self.errors { #expect(errors.contains(text.replacing("\\n", with: "\n")), "\(errors)") }
        for text in absent { #expect(!(said + errors).contains(text), "\(said)\(errors)") }
    }
}
