import Foundation
import SystemPackage
import Testing

/// The tests that need real netem, under a kernel that has it: `Scripts/netem-test` as it is called without a command.
@Suite(.timeLimit(.minutes(10))) struct RealNetemTests {
    @Test func allOfThemPassAndNoneIsSkipped() async throws {
        // Not under that kernel itself.
        guard UserModeKernel.isToBeHad, ProcessInfo.processInfo.environment["HEADWIND_NETEM"] == nil else { return }
        try await UserModeKernel.with { kernel in
            let told = try await kernel.run(
                ["--limit", "480", "--results", kernel.results.string], deadline: .seconds(540))
            let run = TestRun(events: kernel.results.appending("events"))
            for problem in run.problems { Issue.record("under the other kernel: \(problem)") }
            #expect(told.status == 0, "\(told.output.suffix(4000))\(told.errors.suffix(4000))")
            #expect(told.survivors == 0 && told.files.isEmpty, "\(told.survivors) \(told.files)")
        }
    }
}
