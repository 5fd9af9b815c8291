import Testing

/// Forms that the compiler accepts and translates wrongly.
@Suite("Sources avoid what the compiler gets wrong")
struct CompilerTests {
    /// With optimization, Swift 6.3.1 may mix up the members of a tuple that a task of a group returns.
    ///
    /// `exec --jobs` reported addresses as the numbers of its runs. Debug builds, and so these tests, do not show it.
    @Test("tasks of a group return no tuples", arguments: ["Sources", "Benchmarks"])
    func tuples(folder: String) throws {
        let files = Repository.files(in: folder, endings: ["swift"])
        #expect(!files.isEmpty)
        for file in files { #expect(try !Repository.text(file).contains("TaskGroup(of: ("), "\(file)") }
    }
}
