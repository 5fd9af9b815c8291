import Foundation
import SystemPackage
import Testing

/// Runs several of the suites with the trait ``sideBySide`` at a time.
@Suite(.timeLimit(.minutes(45))) struct SideBySideTests {
    /// The number of suites that run at once, as most mostly wait.
    private static let width = 2 * ProcessInfo.processInfo.activeProcessorCount + 1

    /// The suites with the trait, as `Target.Suite`, those with the longest time limits first.
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

    /// A suite that fails next to others runs once more alone, and that run counts.
    ///
    /// Next to others a suite has less than half of a processor, which is too little for some that measure time.
    @Test(.enabled(if: SideBySide.isOn, "HEADWIND_SIDE_BY_SIDE is not set, as Scripts/test does"))
    func allPassAndNoneIsSkipped() async throws {
        let program = try #require(Bundle.main.executablePath)
        #expect(Self.suites.count > 40, "\(Self.suites)")
        try await UserModeKernel.with { place in
            let failed = try await withThrowingTaskGroup(of: Outcome.self) { group in
                var failed: [Outcome] = []
                func next() async throws {
                    if let outcome = try await group.next(), !outcome.problems.isEmpty { failed.append(outcome) }
                }
                for (index, suite) in Self.suites.enumerated() {
                    if index >= Self.width { try await next() }
                    group.addTask { try await Self.run(suite, of: program, in: place) }
                }
                while !group.isEmpty { try await next() }
                return failed
            }
            for beside in failed {
                guard failed.count <= Self.mostAgain else { return failed.forEach { $0.record() } }
                let alone = try await Self.run(beside.suite, of: program, in: place)
                alone.record()
                if alone.problems.isEmpty {
                    print("↳ passed alone, not beside others: \(beside.problems.joined(separator: "\n"))")
                }
            }
        }
    }

    /// If more suites than these fail, the cause is not a busy processor, and none is repeated.
    private static let mostAgain = 6

    /// The outcome of a suite.
    private struct Outcome {
        var suite: String
        /// The suite's problems; empty if it passed.
        var problems: [String]

        func record() { for problem in problems { Issue.record("\(suite): \(problem)") } }
    }

    private static func run(_ suite: String, of program: String, in place: UserModeKernel) async throws -> Outcome {
        let events = place.results.appending("\(suite)-\(UUID().uuidString)")
        let answer = try await place.shell(
            "unset HEADWIND_SIDE_BY_SIDE; exec \"$@\"",
            [
                program, "--testing-library", "swift-testing", "--no-parallel",
                "--filter", "^\(suite.replacing(".", with: "\\."))/",
                "--event-stream-version", "0", "--event-stream-output-path", events.string,
            ], environment: ProcessInfo.processInfo.environment, deadline: .seconds(1000))
        var problems = TestRun(events: events).problems
        if answer.status != 0 {
            // Swift's report of a crash names the thread that crashed first.
            let crash = answer.errors.firstRange(of: "*** Program crashed")?.lowerBound
            let errors = crash.map { answer.errors[$0...].prefix(8000) } ?? answer.errors.suffix(4000)
            problems.append("status \(answer.status): \(answer.output.suffix(4000))\(errors)")
        }
        if answer.survivors != 0 { problems.append("\(answer.survivors) processes outlived it") }
        return Outcome(suite: suite, problems: problems)
    }
}
