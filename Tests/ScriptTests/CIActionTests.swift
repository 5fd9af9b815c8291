import SystemPackage
import Testing

/// The steps of `action.yml` and the lines of `templates/headwind.yml`, with a release that the test makes.
@Suite(.sideBySide, .timeLimit(.minutes(1))) struct CIActionTests {
    /// A step of the action that runs a script.
    private struct Step {
        /// The environment variables of the step, with the expressions that they are set to.
        var variables: [String: String] = [:]
        var script = ""
    }

    private func steps(_ fixture: Fixture) throws -> [Step] {
        let text = try fixture.repositoryText("action.yml")
        let steps = try #require(text.text(after: "  steps:\n")).split(separator: "\n    - ").map(String.init)
        return steps.filter { $0.contains("shell: bash") }.map { text in
            var step = Step()
            for match in text.matches(of: /(?m)^ {8}(\w+): \$\{\{ (.+) \}\}$/) {
                step.variables[String(match.output.1)] = String(match.output.2)
            }
            step.script = (text.text(after: "run: |\n") ?? "").replacing(/(?m)^ {8}/, with: "")
            return step
        }
    }

    /// Runs the action like GitHub.
    ///
    /// Returns the last step's answer, and the contents of GitHub's output and summary files.
    private func act(
        _ fixture: Fixture, _ values: [String: String]
    ) async throws -> (answer: Fixture.Answer, outputs: String, summary: String) {
        let root = fixture.root
        for name in ["outputs", "path", "summary"] { try fixture.write("", to: root.appending(name)) }
        var answer: Fixture.Answer?
        for step in try steps(fixture) {
            var environment = [
                "GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": fixture.checkout.string,
                "GITHUB_SERVER_URL": "https://releases.test", "RUNNER_TEMP": root.appending("temp dir").string,
                "GITHUB_OUTPUT": root.appending("outputs").string, "GITHUB_PATH": root.appending("path").string,
                "GITHUB_STEP_SUMMARY": root.appending("summary").string,
            ]
            for (name, expression) in step.variables { environment[name] = values[expression] ?? "" }
            let added = try fixture.text(of: root.appending("path")).split(separator: "\n").joined(separator: ":")
            environment["PATH"] = "\(added):\(root)/bin"
            try fixture.write("#!/bin/bash\nset -eo pipefail\n" + step.script, to: fixture.checkout.appending("step"))
            answer = try await fixture.run("step", environment: environment)
            if answer?.status != 0 { break }
        }
        return (
            try #require(answer), try fixture.text(of: root.appending("outputs")),
            try fixture.text(of: root.appending("summary"))
        )
    }

    private static let release = ["inputs.version": "0.2.0", "inputs.releases": "https://releases.test"]

    @Test func noScriptContainsAnInput() async throws {
        try await Fixture.with { fixture in
            let steps = try steps(fixture)
            #expect(steps.count == 2 && steps.allSatisfy { !$0.script.isEmpty && !$0.script.contains("${{") })
            #expect(steps.map(\.variables.count) == [6, 7])
        }
    }

    /// Installs the release of the action's tag, another release, or a file.
    @Test(arguments: [
        ["github.action_ref": "v0.2.0", "github.action_repository || github.repository": "us/headwind"],
        ["inputs.version": "0.2.0", "github.action_ref": "v9", "inputs.releases": "https://releases.test"],
        ["inputs.file": "releases/v0.2.0/headwind-0.2.0-linux-x86_64.tar.gz", "github.action_ref": "v9"],
    ])
    func installs(values: [String: String]) async throws {
        try await Fixture.with { fixture in
            try await fixture.addRelease()
            _ = try await fixture.run("../bin/mkdir", ["-p", "releases/us/headwind/releases"])
            _ = try await fixture.run(
                "../bin/ln", ["-s", fixture.releases.string, "releases/us/headwind/releases/download"])
            let (answer, outputs, _) = try await act(fixture, values)
            #expect(answer.status == 0, "\(answer.errors)")
            #expect(outputs.hasPrefix("status=0\nverdict=fail\n"))
        }
    }

    @Test(arguments: [
        ("0", 0, 1), ("99", 99, 1), ("98", 98, 1), ("75 0", 0, 2), ("75 99", 99, 2), ("75 75 0", 75, 2),
        ("143", 143, 1),
    ])
    func endsWithHeadwindsStatus(endings: String, status: Int32, runs: Int) async throws {
        try await Fixture.with { fixture in
            try await fixture.addRelease(endings: endings)
            let (answer, outputs, summary) = try await act(fixture, Self.release)
            #expect(answer.status == status, "\(answer.errors)")
            #expect(
                outputs
                    == "status=\(status)\nverdict=fail\nresults=headwind-results\nreport=headwind-results/report.html\n"
            )
            // The summary and the annotations are of the last run alone.
            #expect(summary == "# \(status)\n")
            #expect(answer.output == "::warning::headwind-results true\n")
            let call = "run\n--output=headwind-results\n--\nsummary:\n"
            #expect(try fixture.text(of: fixture.calls) == String(repeating: call, count: runs))
        }
    }

    /// The result of an earlier run is not taken for this run's.
    @Test func reportsAMissingResult() async throws {
        try await Fixture.with { fixture in
            try await fixture.addRelease(endings: "0 65")
            _ = try await act(fixture, Self.release)
            let (answer, outputs, summary) = try await act(fixture, Self.release)
            #expect(answer.status == 65 && summary.isEmpty)
            #expect(outputs == "status=65\nverdict=\nresults=\nreport=\n")
            #expect(answer.output.hasPrefix("::error title=Headwind::headwind run ended with 65"))
        }
    }

    @Test func inputsAreNeverInterpretedByAShell() async throws {
        try await Fixture.with { fixture in
            try await fixture.addRelease()
            let hostile = "$(touch evil) `touch evil`; touch evil #\" ' *"
            let values = Self.release.merging([
                "inputs.scenarios": "--help\n\(hostile)\n\n", "inputs.client": hostile, "inputs.baseline": hostile,
                "inputs.shard": hostile, "inputs.arguments": "--only=3g\n\(hostile)", "inputs.results": "a b",
            ]) { $1 }
            let (answer, outputs, _) = try await act(fixture, values)
            #expect(answer.status == 0 && outputs.contains("\nreport=a b/report.html\n"), "\(answer.errors)")
            #expect(
                try fixture.text(of: fixture.calls) == """
                    run
                    --only=3g
                    \(hostile)
                    --client=\(hostile)
                    --baseline=\(hostile)
                    --shard=\(hostile)
                    --output=a b
                    --
                    --help
                    \(hostile)
                    summary:

                    """)
            let names = try await fixture.list(fixture.root)
            #expect(!names.contains("evil"))
        }
    }

    @Test(arguments: [("0", "pass"), ("99", "fail"), ("75 75", "infrastructure"), ("65", "")])
    func checksAClient(endings: String, verdict: String) async throws {
        try await Fixture.with { fixture in
            try await fixture.addRelease(endings: endings)
            let command = #"python3 'my client.py' {url} "{output}" $(touch evil) --proxy '' --header 'a: b'"#
            let (answer, outputs, _) = try await act(
                fixture, Self.release.merging(["inputs.check": command, "inputs.arguments": "--jobs=2"]) { $1 })
            let runs = endings.split(separator: " ")
            #expect(answer.status == Int32(runs.last ?? ""), "\(answer.errors)")
            let results = verdict.isEmpty ? "" : "headwind-results"
            #expect(outputs == "status=\(answer.status)\nverdict=\(verdict)\nresults=\(results)\nreport=\n")
            let words = [
                "check", "--jobs=2", "--output=headwind-results", "--", "python3", "my client.py", "{url}", "{output}",
                "$(touch", "evil)", "--proxy", "", "--header", "a: b",
            ]
            let call = (words + ["summary:\(fixture.root)/summary\n"]).joined(separator: "\n")
            #expect(try fixture.text(of: fixture.calls) == String(repeating: call, count: runs.count))
            #expect(try await !fixture.list(fixture.root).contains("evil"))
        }
    }

    @Test(arguments: [
        (["check": "curl 'a"], "a quote that is not closed: curl 'a"),
        (["check": "curl", "scenarios": "a.yaml"], "a check takes no scenarios"),
        (["check": "curl", "shard": "1/2"], "a check takes no scenarios"),
    ])
    func refusesChecks(inputs: [String: String], words: String) async throws {
        try await Fixture.with { fixture in
            try await fixture.addRelease()
            let named = Dictionary(uniqueKeysWithValues: inputs.map { ("inputs.\($0)", $1) })
            let (answer, _, _) = try await act(fixture, Self.release.merging(named) { $1 })
            #expect(answer.status == 64 && answer.errors.contains(words), "\(answer.errors)")
            #expect(try fixture.text(of: fixture.calls).isEmpty)
        }
    }

    @Test(
        arguments: [
            ([:], "run\n--output=headwind-results\n"),
            (
                ["SCENARIOS": "-a b", "CLIENT": "$(c)", "BASELINE": "d;e"],
                "run\n--output=headwind-results\n--client=$(c)\n--baseline=d;e\n--\n-a b\n"
            ),
        ] as [([String: String], String)])
    func template(inputs: [String: String], call: String) async throws {
        try await Fixture.with { fixture in
            try await fixture.addRelease(endings: "98")
            let text = try fixture.repositoryText("templates/headwind.yml")
            let lines = try #require(text.text(after: "\n  script:\n"))
                .split(separator: "\n").prefix { $0.hasPrefix("    - ") }.map { $0.dropFirst(6) }
            #expect(lines.count == 7)
            try fixture.write(
                "#!/bin/sh\nset -e\n" + lines.joined(separator: "\n"), to: fixture.checkout.appending("job"))
            var environment = ["HEADWIND_RELEASES": "https://releases.test", "HEADWIND_VERSION": "0.2.0"]
            for name in ["SCENARIOS", "CLIENT", "BASELINE"] { environment["HEADWIND_" + name] = inputs[name] ?? "" }
            let answer = try await fixture.run("job", environment: environment)
            #expect(answer.status == 98, "\(answer.errors)")
            #expect(try fixture.text(of: fixture.calls) == call + "summary:\n")
        }
    }
}

extension String {
    /// The text after the first `mark`, or nil if there is none.
    fileprivate func text(after mark: String) -> String? {
        firstRange(of: mark).map { String(self[$0.upperBound...]) }
    }
}
