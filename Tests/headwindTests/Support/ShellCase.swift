import Testing

/// A shell line, and the exit status and output that it must have.
struct ShellCase: Sendable, CustomTestStringConvertible {
    var line: String
    var status: Int32 = 0
    /// Texts that the standard output contains.
    var output: [String] = []
    /// Texts that the standard error contains.
    var errors: [String] = []
    /// Texts that neither output contains.
    var absent: [String] = []

    var testDescription: String { line }

    /// Checks the status and the output of `answer`.
    func check(_ answer: ExecRun.Answer) {
        let (said, errors) = (answer.output, answer.errors)
        #expect(answer.status == status, "\(said)\(errors)")
        for text in output { #expect(said.contains(text.replacing("\\n", with: "\n")), "\(said)\(errors)") }
        for text in self.errors { #expect(errors.contains(text.replacing("\\n", with: "\n")), "\(errors)") }
        for text in absent { #expect(!(said + errors).contains(text), "\(said)\(errors)") }
    }
}
