import Testing

/// Pauses that nothing ends, so that every client would hang.
@Suite struct PauseRuleTests {
    private static func workload(_ steps: [String]) -> String {
        let all = ["request: {tags: [a], background: true}"] + steps
        return "scenario: Test\npacks: ./packs\nlink: 3g\nworkload:\n" + all.map { "  - \($0)\n" }.joined()
    }

    /// A refused workload, with the line of its pause.
    private static func refused(_ name: String, _ line: Int, _ steps: String...) -> Case {
        let problem =
            "'r1' is paused here, but not resumed before a step waits for it | add 'resume: r1' in between"
        return Case(name, workload(steps), "\(line):5 \(problem)")
    }

    @Test(arguments: [
        refused("to a wait", 6, "pause: r1 after 0 %", "wait: r1"),
        refused("to an end", 6, "pause: r1 after 40 %", "sleep: 1 s", "end: r1"),
        refused("to a use", 6, "pause: r1 after 40 %", "use: r1"),
        refused("to the last step", 6, "pause: r1 after 40 %"),
        refused("once more", 8, "pause: r1 after 1 %", "resume: r1", "pause: r1 after 2 %"),
        refused("a cancel that it never reaches", 6, "pause: r1 after 40 %", "cancel: r1 after 50 %"),
        refused("a resume that is too late", 6, "pause: r1 after 40 %", "wait: r1", "resume: r1"),
    ])
    func refuses(_ example: Case) throws {
        #expect(try problems(inScenario: example.text.utf8) == example.problems)
    }

    @Test(arguments: [
        ["pause: r1 after 40 %", "resume: r1", "wait: r1"],
        ["pause: r1 after 40 %", "cancel: r1 after 40 %", "wait: r1"],
        ["pause: r1 after 40 %", "sleep: 1 s", "resume: r1"],
        ["pause: r1 after 100 %", "wait: r1"],
        ["pause: r1 after 40 %", "quit"],
    ])
    func takes(steps: [String]) throws { #expect(try problems(inScenario: Self.workload(steps).utf8) == []) }
}
