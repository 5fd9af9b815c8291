import Glibc
import SystemPackage
import Testing

/// `Scripts/test` and `.ci/run`.
@Suite(.sideBySide, .timeLimit(.minutes(1)))
struct TestScriptTests {
    private static let closingLine = "✔ Test run with 3 tests in 1 suite passed after 0.001 seconds."
    private static let skipped =
        #"{"kind":"event","payload":{"kind":"testSkipped","messages":[{"symbol":"skip","text":"Test a() skipped: \"no root\""}],"testID":"a()"},"version":0}"#
    private static func elsewhere(_ reason: String) -> String {
        #"{"kind":"event","payload":{"kind":"testSkipped","messages":[{"symbol":"skip","text":"Suite B skipped: \"\#(reason)\""}],"testID":"B"},"version":0}"#
    }
    private static let named =
        #"{"kind":"event","payload":{"kind":"testStarted","messages":[{"symbol":"default","text":"Test \"\\\"symbol\\\":\\\"skip\\\"\" started."}],"testID":"b()"},"version":0}"#

    /// A replacement for `swift test`, which writes the events and its closing line.
    private func runner(events: String, status: Int = 0) -> String {
        """
        while (($# > 1)); do
            if [[ $1 == --event-stream-output-path ]]; then printf '%s\\n' '\(events)' > "$2"; fi
            shift
        done
        echo '\(Self.closingLine)'; exit \(status)
        """
    }

    @Test func checksBuildsAndTestsInThisOrder() async throws {
        try await Fixture.with { fixture in
            try fixture.addSwift(test: runner(events: Self.named))
            let answer = try await fixture.run("Scripts/test", ["--filter", "A"], environment: ["CI": "true"])
            #expect(answer.status == 0)
            #expect(answer.output == Self.closingLine + "\n" && answer.errors.isEmpty)
            let calls = try fixture.swiftCalls()
            #expect(calls.count == 3)
            #expect(calls[0] == "format lint --strict --parallel --recursive Package.swift Sources")
            let build = "build --build-tests --explicit-target-dependency-import-check error"
            #expect(calls[1] == build + " -Xswiftc -gnone")
            _ = try await fixture.run("Scripts/test", environment: ["CI": ""])
            #expect(try fixture.swiftCalls()[1] == build)
            #expect(calls[2].hasPrefix("test --skip-build --no-parallel --disable-xctest "))
            #expect(calls[2].hasSuffix(" --filter A"))
        }
    }

    @Test func stopsAtWrongFormat() async throws {
        try await Fixture.with { fixture in
            try fixture.addSwift(lint: "exit 1")
            #expect(try await fixture.run("Scripts/test").status == 1)
            #expect(try fixture.swiftCalls().count == 1)
        }
    }

    @Test func stopsAtAFailedBuild() async throws {
        try await Fixture.with { fixture in
            try fixture.addSwift(build: "exit 1")
            #expect(try await fixture.run("Scripts/test").status == 1)
            #expect(try fixture.swiftCalls().count == 2)
        }
    }

    @Test func keepsTheStatusOfTheRunner() async throws {
        try await Fixture.with { fixture in
            try fixture.addSwift(test: runner(events: Self.skipped, status: 5))
            let answer = try await fixture.run("Scripts/test", environment: ["CI": "true"])
            #expect(answer.status == 5 && answer.errors.isEmpty)
        }
    }

    private static let failed =
        #"{"kind":"event","payload":{"issue":{"isKnown":false,"sourceLocation":{"fileID":"A/B.swift","line":7}},"kind":"issueRecorded","messages":[{"symbol":"fail","text":"Expectation failed: x"}],"testID":"a()"},"version":0}"#
    private static let ended =
        #"{"kind":"event","payload":{"kind":"runEnded","messages":[{"symbol":"fail","text":"Test run with 3 tests failed."}]},"version":0}"#

    /// Often only the end of a long log is kept.
    @Test(arguments: [
        (
            [named, failed, ended],
            "test: what failed:\n  A/B.swift:7\n  Expectation failed: x\n✘ Test run with 3 tests failed.\n"
        ),
        ([named, #"{"kind":"#], "test: what failed:\n  did not come to its end: b()\n"),
    ])
    func repeatsFailuresAtTheEnd(events: [String], end: String) async throws {
        try await Fixture.with { fixture in
            try fixture.addPython()
            try fixture.addSwift(test: runner(events: events.joined(separator: "\n"), status: 1))
            let answer = try await fixture.run("Scripts/test")
            #expect(answer.status == 1 && answer.output.hasSuffix(end), "\(answer.output)\(answer.errors)")
        }
    }

    @Test(arguments: [(true, ["CI": "true"], true), (false, ["CI": "true"], true), (false, [:], false)])
    func countsASkippedTestAsAFailure(asRoot: Bool, environment: [String: String], isFailure: Bool) async throws {
        try await Fixture.with { fixture in
            try fixture.addSwift(test: runner(events: Self.skipped))
            let answer = try await fixture.run("Scripts/test", asRoot: asRoot, environment: environment)
            #expect(answer.status == (isFailure ? 1 : 0))
            #expect(answer.errors.contains("  Test a() skipped: \\\"no root\\\"\n") == isFailure)
        }
    }

    /// Another test runs such a test, and counts tests that are skipped there.
    @Test(arguments: [
        "this kernel has no netem: netem-test runs this", "SideBySideTests runs this beside others",
        "not on this machine: its kernel has netem",
    ])
    func aTestThatRunsElsewhereIsNotSkipped(reason: String) async throws {
        try await Fixture.with { fixture in
            try fixture.addSwift(test: runner(events: Self.elsewhere(reason)))
            let answer = try await fixture.run("Scripts/test", environment: ["CI": "true"])
            #expect(answer.status == 0 && !answer.errors.contains("skipped"))
            try fixture.addSwift(test: runner(events: Self.elsewhere(reason) + "\n" + Self.skipped))
            let both = try await fixture.run("Scripts/test", environment: ["CI": "true"])
            #expect(both.status == 1 && both.errors.contains("no root") && !both.errors.contains("Suite B"))
        }
    }

    @Test(arguments: [([], "side by side"), (["--filter", "A"], "in turn")])
    func onlyAllTestsAreRunSideBySide(arguments: [String], words: String) async throws {
        try await Fixture.with { fixture in
            let runner = runner(events: Self.named)
            try fixture.addSwift(
                test: "echo \"${HEADWIND_SIDE_BY_SIDE+side by side}${HEADWIND_SIDE_BY_SIDE-in turn}\"; \(runner)")
            let answer = try await fixture.run("Scripts/test", arguments, environment: ["CI": "true"])
            #expect(answer.output.hasPrefix(words), "\(answer.output)")
        }
    }

    private static let targets = """
        {"targets": [
            {"name": "Core", "type": "regular", "dependencies": [{"product": ["Yams", "Yams", null, null]}]},
            {"name": "Run", "type": "regular", "dependencies": [{"byName": ["Core", null]}, {"byName": ["Testbed", null]}]},
            {"name": "Testbed", "type": "regular", "dependencies": []},
            {"name": "ProcessGuard", "type": "regular", "dependencies": []},
            {"name": "CoreTests", "type": "test", "dependencies": [{"byName": ["Core", null]}]},
            {"name": "RunTests", "type": "test", "dependencies": [{"byName": ["Run", null]}]},
            {"name": "GuardTests", "type": "test", "dependencies": [{"target": ["ProcessGuard", null]}]},
            {"name": "PageTests", "type": "test", "dependencies": []}
        ]}
        """

    @Test func fastTestsStartNoSandboxAndNoGuard() async throws {
        try await Fixture.with { fixture in
            try fixture.addPython()
            let runner = "echo \"${HEADWIND_SIDE_BY_SIDE+side by side}\"; \(runner(events: Self.named))"
            try fixture.addSwift(test: runner, package: Self.targets)
            let answer = try await fixture.run("Scripts/test", ["--fast", "--skip", "A"], environment: ["CI": "true"])
            #expect(answer.status == 0 && answer.output.hasPrefix("side by side\n"), "\(answer.errors)")
            let calls = try fixture.swiftCalls()
            #expect(calls.last?.hasSuffix(" --filter ^(CoreTests|PageTests)\\. --skip A") == true, "\(calls)")
        }
    }

    /// The runner would take both filters, and each would add tests.
    @Test func fastTestsAllowNoFilter() async throws {
        try await Fixture.with { fixture in
            try fixture.addSwift(test: runner(events: Self.named), package: Self.targets)
            let answer = try await fixture.run("Scripts/test", ["--fast", "--filter", "A"])
            #expect(answer.status == 64 && answer.errors.contains("leave it or --filter out"), "\(answer)")
            #expect(((try? fixture.swiftCalls()) ?? []).isEmpty)
        }
    }

    /// Otherwise all tests would count as fast.
    @Test func fastTestsNeedTheTargetsThatTheyExclude() async throws {
        try await Fixture.with { fixture in
            try fixture.addPython()
            let renamed = Self.targets.replacing("\"Testbed\"", with: "\"Sandboxes\"")
            try fixture.addSwift(test: runner(events: Self.named), package: renamed)
            let answer = try await fixture.run("Scripts/test", ["--fast"])
            #expect(answer.status == 1 && answer.errors.contains("Package.swift has no such targets"))
            #expect(try fixture.swiftCalls().contains { $0.hasPrefix("test ") } == false)
        }
    }

    @Test func leavesNoFile() async throws {
        try await Fixture.with { fixture in
            try fixture.addSwift(test: runner(events: Self.named))
            _ = try await fixture.run("Scripts/test")
            _ = try await fixture.run("Scripts/test", ["--filter", "B"])
            let directory = fixture.checkout.removingLastComponent()
            let listing = try await fixture.list(directory)
            #expect(listing == [".headwind-scratch", "bin", "checkout", "swift-calls"])
        }
    }

    @Test func runsTheSameUnderCI() async throws {
        try await Fixture.with { fixture in
            try fixture.addSwift(test: runner(events: Self.skipped))
            let answer = try await fixture.run(".ci/run", asRoot: false)
            #expect(answer.status == 1 && answer.errors.contains("counts as a failure under CI"))
        }
    }
}
