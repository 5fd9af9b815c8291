import Foundation
import SystemPackage
import Testing

/// The suites that can be run beside others, several at a time.
@Suite(.timeLimit(.minutes(20))) struct SideBySideTests {
    /// How many run at once: most of them wait most of the time.
    private static let width = 2 * ProcessInfo.processInfo.activeProcessorCount + 1

    /// The suites that have the trait, as `Target.Suite`: those that may take longest come first.
    private static let suites: [String] = {
        let tests = UserModeKernel.checkout.appending("Tests").string
        let files = FileManager.default.enumerator(atPath: tests)?.compactMap { $0 as? String } ?? []
        let found = files.filter { $0.hasSuffix("Tests.swift") }.flatMap { file -> [(name: String, minutes: Int)] in
            let text = (try? String(contentsOfFile: tests + "/" + file, encoding: .utf8)) ?? ""
            return text.matches(of: /@Suite\(([^{]*\.sideBySide[^{]*)struct (\w+)/).map { match in
                let minutes = match.output.1.firstMatch(of: /\.minutes\((\d+)\)/).flatMap { Int($0.output.1) }
                return ("\(file.prefix { $0 != "/" }).\(match.output.2)", minutes ?? 0)
            }
        }
        return found.sorted { ($1.minutes, $0.name) < ($0.minutes, $1.name) }.map(\.name)
    }()

    @Test func allOfThemPassAndNoneIsSkipped() async throws {
        guard SideBySide.isOn else { return }
        let program = try #require(Bundle.main.executablePath)
        #expect(Self.suites.count > 40, "\(Self.suites)")
        try await UserModeKernel.with { place in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, suite) in Self.suites.enumerated() {
                    if index >= Self.width { try await group.next() }
                    group.addTask { try await Self.run(suite, of: program, in: place) }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func run(_ suite: String, of program: String, in place: UserModeKernel) async throws {
        let events = place.results.appending(suite)
        let answer = try await place.shell(
            "unset HEADWIND_SIDE_BY_SIDE; exec \"$@\"",
            [
                program, "--testing-library", "swift-testing", "--no-parallel",
                "--filter", "^\(suite.replacing(".", with: "\\."))/",
                "--event-stream-version", "0", "--event-stream-output-path", events.string,
            ], environment: ProcessInfo.processInfo.environment, deadline: .seconds(1000))
        let run = TestRun(events: events)
        for problem in run.problems { Issue.record("\(suite): \(problem)") }
        let told = "\(suite): \(answer.output.suffix(4000))\(answer.errors.suffix(4000))"
        #expect(answer.status == 0, "\(told)")
        #expect(answer.survivors == 0, "\(suite)")
    }
}
