import Foundation
import SystemPackage
import Testing

/// The suites that can be run beside others, several at a time.
@Suite(.timeLimit(.minutes(20))) struct SideBySideTests {
    @Test func allOfThemPassAndNoneIsSkipped() async throws {
        guard SideBySide.isOn else { return }
        let program = try #require(Bundle.main.executablePath)
        try await UserModeKernel.with { place in
            try await withThrowingTaskGroup { group in
                for (number, lane) in SideBySide.lanes.enumerated() {
                    group.addTask { try await Self.run(lane, of: program, in: place, number) }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func run(_ lane: [String], of program: String, in place: UserModeKernel, _ number: Int) async throws
    {
        let events = place.results.appending("\(number)")
        let filter = "^(" + lane.map { $0.replacing(".", with: "\\.") }.joined(separator: "|") + ")/"
        let answer = try await place.shell(
            "unset HEADWIND_SIDE_BY_SIDE; exec \"$@\"",
            [
                program, "--testing-library", "swift-testing", "--no-parallel", "--filter", filter,
                "--event-stream-version", "0", "--event-stream-output-path", events.string,
            ], environment: ProcessInfo.processInfo.environment, deadline: .seconds(1000))
        let run = TestRun(events: events)
        for problem in run.problems { Issue.record("\(problem)") }
        for suite in lane where !run.planned.contains(where: { $0.hasPrefix(suite + "/") }) {
            Issue.record("\(suite) has no tests")
        }
        #expect(answer.status == 0, "\(answer.output.suffix(4000))\(answer.errors.suffix(4000))")
        #expect(answer.survivors == 0)
    }

    /// A suite that says so and is in no lane would be run by nobody.
    @Test func lanesHaveTheSuitesThatSaySo() throws {
        let tests = UserModeKernel.checkout.appending("Tests").string
        let files = FileManager.default.enumerator(atPath: tests)?.compactMap { $0 as? String } ?? []
        let found = files.filter { $0.hasSuffix("Tests.swift") }.flatMap { file -> [String] in
            let text = (try? String(contentsOfFile: tests + "/" + file, encoding: .utf8)) ?? ""
            let suites = text.matches(of: /@Suite\([^{]*\.sideBySide[^{]*struct (\w+)/)
            return suites.map { "\(file.prefix { $0 != "/" }).\($0.output.1)" }
        }
        #expect(found.sorted() == SideBySide.lanes.joined().sorted())
    }
}
