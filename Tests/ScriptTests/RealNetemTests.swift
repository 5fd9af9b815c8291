import Foundation
import SystemPackage
import Testing

/// Runs the tests that need real netem, in kernels that have it, with `Scripts/netem-test`.
///
/// Its two parts run at once, as each kernel has one processor.
@Suite(.needsUserModeKernel, .timeLimit(.minutes(10))) struct RealNetemTests {
    @Test func allPassAndNoneIsSkipped() async throws {
        try await withThrowingTaskGroup { group in
            for part in ["netem", "rest"] { group.addTask { try await Self.run(part) } }
            try await group.waitForAll()
        }
    }

    private static func run(_ part: String) async throws {
        try await UserModeKernel.with { kernel in
            let told = try await kernel.run(
                ["--limit", "480", "--part", part, "--results", kernel.results.string], deadline: .seconds(540))
            let run = TestRun(events: kernel.results.appending("events"))
            for problem in run.problems { Issue.record("\(part), under the other kernel: \(problem)") }
            #expect(told.status == 0, "\(part)\(told.output.suffix(4000))\(told.errors.suffix(4000))")
            #expect(told.survivors == 0 && told.files.isEmpty, "\(part) \(told.survivors) \(told.files)")
        }
    }
}
