import Glibc
import ProcessGuard
import SystemPackage
import Testing

/// `Scripts/headwind`.
@Suite(.sideBySide, .timeLimit(.minutes(1))) struct StartTests {
    private static let release = "build --package-path CHECKOUT -c release"

    private func builds(_ fixture: Fixture) throws -> Int {
        let calls = try fixture.swiftCalls()
        for call in calls {
            #expect(call.replacing(fixture.checkout.string, with: "CHECKOUT") == Self.release)
        }
        return calls.count
    }

    @Test func buildsOnceAndRunsWithTheCallersArguments() async throws {
        try await Fixture.with { fixture in
            let first = try await fixture.run("Scripts/headwind", ["run", "a b", "--", "*"])
            let directory = fixture.checkout.removingLastComponent()
            #expect(first.status == 7)
            #expect(first.output == "\(directory)\nrun\na b\n--\n*\n")
            #expect(first.errors.hasPrefix("headwind: building; the first time takes 5 to 20 minutes"))
            try #require(builds(fixture) == 1)
            let second = try await fixture.run("Scripts/headwind", ["run"])
            #expect(second.errors.isEmpty)
            try #require(builds(fixture) == 0)
        }
    }

    @Test(arguments: [
        ("an edit", "echo two > Sources/one.swift"),
        (
            "an edit of the same length and time",
            "touch -r Sources/one.swift t; echo two > Sources/one.swift; touch -r t Sources/one.swift"
        ),
        ("an older file in its place", "echo old > old; touch -d 2020-01-01 old; mv old Sources/one.swift"),
        ("a new file", "echo > Sources/two.swift"),
        ("a file that is gone", "rm Sources/one.swift"),
        ("another manifest", "echo >> Package.swift"),
        ("other dependencies", "echo > Package.resolved"),
        ("a program that is gone", "rm .build/release/headwind-guard"),
        ("a program that cannot be executed", "chmod -x .build/release/headwind"),
    ])
    func buildsAgainAfter(name: String, change: String) async throws {
        try await Fixture.with { fixture in
            _ = try await fixture.run("Scripts/headwind")
            try #require(builds(fixture) == 1)
            var command = GuardedCommand(
                "sh", arguments: ["-ec", change], environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
            command.directory = fixture.checkout
            try await #require(runGuarded(command).status == .exited(0))
            _ = try await fixture.run("Scripts/headwind")
            try #require(builds(fixture) == 1)
            _ = try await fixture.run("Scripts/headwind")
            try #require(builds(fixture) == 0)
        }
    }

    /// The git status of the sources, the caller's commit, and the commit that the build gets.
    @Test(arguments: [
        ("", nil, "abc123"), (" M Sources/one.swift", nil, ""), ("?? Sources/two.swift", nil, ""),
        ("fatal: detected dubious ownership", nil, ""), ("", "fed", "fed"), (" M Sources/one.swift", "fed", "fed"),
    ])
    func passesTheCommitToTheBuild(changes: String, given: String?, commit: String) async throws {
        try await Fixture.with { fixture in
            let told = fixture.checkout.appending("told")
            try fixture.add("git", "[[ \" $* \" == *' status '* ]] || { echo abc123; exit; }; echo -n '\(changes)'")
            // The build changes the sources, so that the next start builds again, in a git checkout.
            try fixture.addSwift(
                build: """
                    cd '\(fixture.checkout)'; echo >> Sources/one.swift; mkdir -p .git; echo "=$HEADWIND_COMMIT" > told
                    """)
            let environment = given.map { ["HEADWIND_COMMIT": $0] } ?? [:]
            for expected in [given ?? "", commit] {
                _ = try await fixture.run("Scripts/headwind", environment: environment)
                #expect(try fixture.text(of: told) == "=\(expected)\n")
            }
        }
    }

    @Test func buildsAgainIfTheSourcesChangeMeanwhile() async throws {
        try await Fixture.with { fixture in
            try fixture.addSwift(build: "echo during > '\(fixture.checkout)/Sources/one.swift'")
            _ = try await fixture.run("Scripts/headwind")
            try fixture.addSwift()
            _ = try await fixture.run("Scripts/headwind")
            try #require(builds(fixture) == 2)
        }
    }

    @Test func buildsOnceForConcurrentCalls() async throws {
        try await Fixture.with { fixture in
            try fixture.addSwift(build: "sleep 0.2")
            let fixture = fixture
            async let first = fixture.run("Scripts/headwind", ["1"])
            async let second = fixture.run("Scripts/headwind", ["2"])
            async let third = fixture.run("Scripts/headwind", ["3"])
            for answer in try await [first, second, third] {
                #expect(answer.status == 7)
            }
            try #require(builds(fixture) == 1)
        }
    }

    @Test func showsTheOutputOfAFailedBuild() async throws {
        try await Fixture.with { fixture in
            try fixture.addSwift(build: "echo 'error: no such thing'; echo more >&2; exit 3")
            for _ in 0..<2 {
                let answer = try await fixture.run("Scripts/headwind")
                #expect(answer.status == 1 && answer.output.isEmpty)
                #expect(answer.errors.contains("error: no such thing\nmore\nheadwind: could not be built"))
            }
            // The program of an earlier build is not run instead.
            try #require(builds(fixture) == 2)
        }
    }

    /// A build that lasts until the script has checked it `most` times.
    private static func build(ticks: FilePath, most: Int) -> String {
        """
        echo 'Fetching x'; echo '[12/497] Compiling a.swift'; printf '[13/4'
        until (( $(grep -c '' '\(ticks)') >= \(most) )); do /bin/sleep 0.01; done
        """
    }

    @Test func aLogGetsOccasionalProgress() async throws {
        try await Fixture.with { fixture in
            try fixture.addSwift(build: Self.build(ticks: fixture.hurry(until: 65), most: 65))
            let answer = try await fixture.run("Scripts/headwind", environment: ["TERM": "xterm"])
            #expect(answer.status == 7)
            let lines = answer.errors.split(separator: "\n").dropFirst()
            try #require(lines.count == 2, "\(answer.errors)")
            #expect(lines.allSatisfy { $0.wholeMatch(of: /headwind: building \[12\/497\], 0 min \d+ s/) != nil })
        }
    }

    @Test(arguments: [[:], ["CI": "true"], ["TERM": "dumb"]])
    func onlyATerminalGetsARedrawnLine(environment: [String: String]) async throws {
        try await Fixture.with { fixture in
            try fixture.addSwift(build: Self.build(ticks: fixture.hurry(until: 5), most: 5))
            let answer = try await fixture.run(
                "Scripts/headwind", onTerminal: true, environment: ["TERM": "xterm"].merging(environment) { $1 })
            #expect(answer.status == 7)
            let line = "\r\u{1B}[Kheadwind: building [12/497], 0 min "
            #expect(answer.output.contains(line) == environment.isEmpty)
            #expect(answer.output.contains("\u{1B}") == environment.isEmpty)
            // The progress line is erased before headwind's first output.
            let end = (environment.isEmpty ? "\r\u{1B}[K" : "") + fixture.checkout.removingLastComponent().string
            #expect(answer.output.contains(end + "\r\n"), "\(answer.output.debugDescription)")
        }
    }

    @Test func headwindGetsTheNameOfItsScript() async throws {
        try await Fixture.with { fixture in
            _ = try await fixture.run("Scripts/headwind")
            // Only a program that is no script shows the name that it was started with.
            var command = GuardedCommand(
                "sh",
                arguments: ["-ec", "rm .build/release/headwind; cp \"$(command -v bash)\" .build/release/headwind"],
                environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
            command.directory = fixture.checkout
            try await #require(runGuarded(command).status == .exited(0))
            let answer = try await fixture.run("Scripts/headwind", ["-c", "echo \"$0\""])
            #expect(answer.output == "\(fixture.checkout)/Scripts/headwind\n")
        }
    }

    @Test func becomesHeadwind() async throws {
        try await Fixture.with { fixture in
            _ = try await fixture.run("Scripts/headwind")
            let answer = try await fixture.run("Scripts/headwind", environment: ["ended": "kill -TERM $$"])
            #expect(answer.status == 128 + SIGTERM)
        }
    }

    @Test func reportsMissingProgramsBeforeItBuilds() async throws {
        try await Fixture.with { fixture in
            try fixture.remove("git")
            let answer = try await fixture.run("Scripts/headwind")
            #expect(answer.status == 69 && answer.errors.contains("  git "))
            try #require(builds(fixture) == 0)
        }
    }
}
